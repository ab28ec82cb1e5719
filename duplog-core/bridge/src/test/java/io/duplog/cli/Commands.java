package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Lists;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Runs a {@code duplog} command in the test's own process, and returns its output and exit status.
 */
public final class Commands {
  private Commands() {}

  /** The command's standard output and standard error. */
  public record Said(String out, String err) {}

  /**
   * Runs a command of duplog.
   *
   * @param status with which it has to end
   * @param config for its option; null for none
   */
  public static Said run(int status, @Nullable Path config, String... words) {
    return run(Main.commandLine(words), status, config, words);
  }

  /** Runs a command of any program, and asserts its exit status. */
  public static Said run(CommandLine commands, int status, @Nullable Path config, String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    if (config != null) {
      line.addAll(List.of("--config", config.toString()));
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    commands.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int actual = commands.execute(line.toArray(String[]::new));
    assertThat(actual).as("%s%s", out, err).isEqualTo(status);
    return new Said(out.toString(), err.toString());
  }

  /** Runs a command with a configuration of this text, and returns its standard output. */
  public static String configured(int status, String yaml, String command, String... arguments)
      throws IOException {
    Path file = Files.createTempFile("duplog", ".yaml");
    try {
      Files.writeString(file, yaml);
      return run(status, file, Lists.asList(command, arguments).toArray(String[]::new)).out();
    } finally {
      Files.delete(file);
    }
  }
}
