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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
  private static String help(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine line = Main.commandLine().setOut(new PrintWriter(out, true));
    assertThat(line.execute(arguments)).isZero();
    return out.toString();
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
  void everyCommand_isNamed_andExplainsItself(String command) {
    assertThat(help("--help")).contains(command);
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          growth --only=thing --bridge-jar=%1$s --shim-jar=%1$s --out=%1$s | no run is called 'thing'
          growth --only=thing --bridge-jar=%1$s --shim-jar=%1$s --out=%1$s | 8 streams, 1 bridge
          all --only nothing                                              | nothing: there are [duplog, sc4s
          """)
  void whatThereIsNot_isRefused_andWhatThereIs_isNamed(
      String arguments, String message, @TempDir Path folder) throws Exception {
    StringWriter err = new StringWriter();
    Path jar = Files.createFile(folder.resolve("unused.jar"));
    int status =
        Main.commandLine()
            .setErr(new PrintWriter(err, true))
            .execute(arguments.formatted(jar).split(" ", -1));
    assertThat(status).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }
}
