package io.duplog.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
            "plan",
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
        "plan",
        "fuzz",
        "hec-stand-in",
        "hec-balance",
        "hec-foreign"
      })
  void everyCommand_explainsItself(String command) {
    assertThat(help(command, "--help")).contains("Usage: duplog-benchmark " + command);
  }

  /** Where a % stands alone, picocli complains to the user. */
  @Test
  void descriptions_canBeFormatted() {
    for (CommandLine command : Main.commandLine().getSubcommands().values()) {
      for (String line : command.getCommandSpec().usageMessage().description()) {
        assertThatCode(() -> String.format(Locale.ROOT, line)).as(line).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void runOfAScenarioThatThereIsNot_isRefused_andNamesThoseThatThereAre(@TempDir Path folder)
      throws Exception {
    StringWriter err = new StringWriter();
    String jar = Files.createFile(folder.resolve("unused.jar")).toString();
    int status =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute(
                "growth", "--only=thing", "--bridge-jar", jar, "--shim-jar", jar, "--out", jar);
    assertThat(status).isEqualTo(2);
    assertThat(err.toString())
        .contains("no run is called 'thing'", "healthy pair", "8 streams, 1 bridge");
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
