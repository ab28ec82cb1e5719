package io.duplog.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests that a crash of the bridge program is printed before it exits, without logins. */
class MainTest {
  /** The program exits at once, so nothing may wait in a buffer, as it does on a real terminal. */
  @Test
  void crash_isPrintedBeforeTheProgramExits_withoutLogins() throws Exception {
    ByteArrayOutputStream screen = new ByteArrayOutputStream();
    CommandLine duplog = Main.commandLine();
    duplog.setErr(new PrintWriter(new OutputStreamWriter(screen, UTF_8), true));
    Exception crash = new IllegalStateException("no answer of https://u:SECRET@splunk");
    crash.setStackTrace(Arrays.copyOf(crash.getStackTrace(), 1));

    int status =
        duplog
            .getExecutionExceptionHandler()
            .handleExecutionException(crash, duplog, duplog.parseArgs());

    assertThat(status).isEqualTo(1);
    assertThat(screen.toString(UTF_8))
        .startsWith("java.lang.IllegalStateException: no answer of https://***@splunk")
        .contains("\tat io.duplog.cli.MainTest")
        .endsWith("\n");
  }
}
