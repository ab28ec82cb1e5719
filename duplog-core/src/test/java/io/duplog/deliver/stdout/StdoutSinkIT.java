package io.duplog.deliver.stdout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With the standard output of a real process. */
@Timeout(120)
class StdoutSinkIT {
  private static Process start(int messages) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            StdoutProgram.class.getName(),
            Integer.toString(messages))
        .start();
  }

  private static int exitOf(Process process) throws InterruptedException {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void everyLine_isInThePipe() throws Exception {
    Process process = start(50_000);
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8))
        .isEqualTo("accepted 50000\n");
    assertThat(exitOf(process)).isZero();
    assertThat(output)
        .isEqualTo(
            IntStream.range(0, 50_000)
                .mapToObj(i -> "message " + i + "\n")
                .collect(Collectors.joining()));
  }

  @Test
  void readerThatGoes_isOneLineAndAStatus() throws Exception {
    Process process = start(500_000);
    assertThat(process.getInputStream().read()).isEqualTo('m');
    process.getInputStream().close();
    assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8))
        .isEqualTo("sink stdout can't be written (Broken pipe): ending, nothing more is settled\n");
    assertThat(exitOf(process)).isEqualTo(3);
  }
}
