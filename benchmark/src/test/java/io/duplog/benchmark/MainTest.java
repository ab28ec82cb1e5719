package io.duplog.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  private static String help(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out, true));
    assertThat(line.execute(arguments)).isZero();
    return out.toString();
  }

  @Test
  void help_namesEveryCommand() {
    assertThat(help("--help"))
        .contains(
            "demo",
            "chaos",
            "duplog",
            "sc4s",
            "data-prepper",
            "logtrust",
            "latency",
            "peers",
            "growth",
            "parts",
            "all",
            "soak",
            "fuzz",
            "hec-stand-in",
            "hec-balance",
            "hec-foreign");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "chaos",
        "duplog",
        "sc4s",
        "data-prepper",
        "logtrust",
        "latency",
        "peers",
        "growth",
        "parts",
        "all",
        "soak",
        "fuzz",
        "hec-stand-in",
        "hec-balance",
        "hec-foreign"
      })
  void everyCommand_explainsItself(String command) {
    assertThat(help(command, "--help")).contains("Usage: duplog-benchmark " + command);
  }

  @Test
  void allOfAScenarioThatThereIsNot_isRefused_andNamesThoseThatThereAre() {
    StringWriter err = new StringWriter();
    int status =
        Main.commandLine().setErr(new PrintWriter(err, true)).execute("all", "--only", "nothing");
    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).contains("nothing", "duplog", "growth", "parts");
  }
}
