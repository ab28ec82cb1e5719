package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.BenchmarkMain;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2 | --a x --b y -- duplog --json=z   | the scenario gets its --json from soak itself
          2 | --a x --b y --runs 1 -- duplog   | --runs must be at least 2
          2 | --a x --b y                      | Missing required parameter: 'SCENARIO
          1 | --a none --b none -- duplog      | soak: 'none' is neither a folder with
          """)
  void nonsense_isRefused(int status, String arguments, String message) {
    StringWriter err = new StringWriter();
    String[] words = ("soak " + arguments).split(" ", -1);
    assertThat(BenchmarkMain.commandLine().setErr(new PrintWriter(err, true)).execute(words))
        .isEqualTo(status);
    assertThat(err.toString()).contains(message);
  }
}
