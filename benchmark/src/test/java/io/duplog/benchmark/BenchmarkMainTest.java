package io.duplog.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.common.base.Splitter;
import io.duplog.cli.Commands;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Tests that the benchmark program's help explains every command, and that the program rejects
 * invalid options with an explanation.
 */
class BenchmarkMainTest {
  private static final List<String> COMMANDS =
      Splitter.on(' ')
          .splitToList(
              "demo chaos ratios duplog sc4s data-prepper logtrust growth parts all soak"
                  + " plan simulate hec-stand-in hec-foreign");

  private static String help(String... arguments) {
    return Commands.run(BenchmarkMain.commandLine(), 0, null, arguments).out();
  }

  @Test
  void help_everyCommand_isListedAndHasUsage() {
    assertThat(help("--help")).contains(COMMANDS);
    for (String command : COMMANDS) {
      assertThat(help(command, "--help")).contains("Usage: duplog-benchmark " + command);
    }
  }

  /** A single % in a description makes picocli print a warning to the user. */
  @Test
  void descriptions_all_areValidFormats() {
    for (CommandLine command : BenchmarkMain.commandLine().getSubcommands().values()) {
      for (String line : command.getCommandSpec().usageMessage().description()) {
        assertThatCode(() -> String.format(Locale.ROOT, line)).as(line).doesNotThrowAnyException();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2 | growth --only=thing --bridge-jar pom.xml --shim-jar pom.xml | no run has 'thing' in its name … one stream dead … 8 streams, 1 bridge
          2 | all --only nothing                    | nothing … duplog … growth … parts
          2 | soak --a x --b y -- duplog --json=z   | soak itself sets --json of the scenario
          2 | soak --a x --b y --runs 1 -- duplog   | --runs must be at least 2
          2 | soak --a x --b y                      | Missing required parameter: 'SCENARIO
          1 | soak --a none --b none -- duplog      | soak: 'none' is neither a folder with
          """)
  void execute_invalidOptions_isRejectedWithExplanation(
      int status, String arguments, String expectedTexts) {
    String[] line = arguments.split(" ", -1);
    assertThat(Commands.run(BenchmarkMain.commandLine(), status, null, line).err())
        .contains(expectedTexts.split(" … "));
  }
}
