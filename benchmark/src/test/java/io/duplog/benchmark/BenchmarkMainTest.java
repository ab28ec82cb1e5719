package io.duplog.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.common.base.Splitter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchmarkMainTest {
  private static final List<String> COMMANDS =
      Splitter.on(' ')
          .splitToList(
              "demo chaos duplog sc4s data-prepper logtrust latency peers growth parts all soak"
                  + " plan fuzz simulate hec-stand-in hec-foreign");

  private static String help(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine line = BenchmarkMain.commandLine().setOut(new PrintWriter(out, true));
    assertThat(line.execute(arguments)).isZero();
    return out.toString();
  }

  @Test
  void help_namesEveryCommand_andEachExplainsItself() {
    assertThat(help("--help")).contains(COMMANDS);
    for (String command : COMMANDS) {
      assertThat(help(command, "--help")).contains("Usage: duplog-benchmark " + command);
    }
  }

  /** Where a % stands alone, picocli complains to the user. */
  @Test
  void descriptions_canBeFormatted() {
    for (CommandLine command : BenchmarkMain.commandLine().getSubcommands().values()) {
      for (String line : command.getCommandSpec().usageMessage().description()) {
        assertThatCode(() -> String.format(Locale.ROOT, line)).as(line).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void runOfAScenarioThatThereIsNot_isRefused_andNamesThoseThatThereAre(@TempDir Path folder)
      throws Exception {
    String jar = Files.createFile(folder.resolve("unused.jar")).toString();

    assertThat(
            refusal("growth", "--only=thing", "--bridge-jar", jar, "--shim-jar", jar, "--out", jar))
        .contains("no run is called 'thing'", "healthy pair", "8 streams, 1 bridge");
  }

  @Test
  void allOfAScenarioThatThereIsNot_isRefused_andNamesThoseThatThereAre() {
    assertThat(refusal("all", "--only", "nothing"))
        .contains("nothing", "duplog", "growth", "parts");
  }

  private static String refusal(String... arguments) {
    StringWriter err = new StringWriter();
    CommandLine line = BenchmarkMain.commandLine().setErr(new PrintWriter(err, true));
    assertThat(line.execute(arguments)).isEqualTo(2);
    return err.toString();
  }
}
