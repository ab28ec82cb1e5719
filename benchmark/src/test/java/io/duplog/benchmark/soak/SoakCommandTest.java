package io.duplog.benchmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SoakCommandTest {
  private static final int WRONG_OPTION = 2;

  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  private int soak(String... arguments) {
    return new CommandLine(new SoakCommand()).setErr(new PrintWriter(err, true)).execute(arguments);
  }

  @Test
  void optionsThatSoakItselfGives_areRefused() {
    assertThat(soak("--a", "x", "--b", "y", "--", "duplog", "--json=z")).isEqualTo(WRONG_OPTION);
    assertThat(err.toString()).contains("the scenario gets its --json from soak itself");
  }

  @Test
  void oneRun_isRefused() {
    assertThat(soak("--a", "x", "--b", "y", "--runs", "1", "--", "duplog")).isEqualTo(WRONG_OPTION);
    assertThat(err.toString()).contains("--runs must be at least 2");
  }

  @Test
  void noScenario_isRefused() {
    assertThat(soak("--a", "x", "--b", "y")).isEqualTo(WRONG_OPTION);
  }

  @Test
  void unknownBuild_isOneLine_andStatusOne() {
    String none = folder.resolve("none").toString();
    assertThat(soak("--a", none, "--b", none, "--out", folder.toString(), "--", "duplog"))
        .isEqualTo(1);
    assertThat(err.toString()).startsWith("soak: '" + none + "' is neither a folder with");
    assertThat(err.toString().lines()).hasSize(1);
  }
}
