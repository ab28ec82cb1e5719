package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Runs a command of duplog's in this process. */
public final class Commands {
  private Commands() {}

  /** What it said on standard output, and on standard error. */
  public record Said(String out, String err) {}

  /**
   * Runs it.
   *
   * @param status with which it has to end
   * @param config for its option; null for none
   */
  public static Said run(int status, @Nullable Path config, String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    if (config != null) {
      line.addAll(List.of("--config", config.toString()));
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commands = Main.commandLine();
    commands.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int actual = commands.execute(line.toArray(String[]::new));
    assertThat(actual).as("%s%s", out, err).isEqualTo(status);
    return new Said(out.toString(), err.toString());
  }
}
