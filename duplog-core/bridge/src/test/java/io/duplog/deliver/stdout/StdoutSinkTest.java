package io.duplog.deliver.stdout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.Sink;
import io.duplog.deliver.SinkContext;
import io.duplog.deliver.line.LineFormat;
import io.duplog.deliver.line.LineSink;
import io.duplog.observe.Conditions;
import io.duplog.rig.Programs;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that the sink for standard output writes every line to a real pipe, and reports a reader
 * that has closed the pipe.
 */
@Timeout(120)
class StdoutSinkTest {
  /**
   * Writes this many messages in a process of its own. Exits 0 after it has printed on standard
   * error how many were accepted, or exits 3 with the sink's line.
   */
  public static void main(String[] args) throws Exception {
    int messages = Integer.parseInt(args[0]);
    Sink sink =
        StdoutSink.open(
            LineFormat.MESSAGE,
            SinkContext.ofOnly(
                line -> {
                  System.err.println(line);
                  Runtime.getRuntime().halt(3);
                },
                Conditions.ofSystem()));
    DeliveryRequests deliveries = new DeliveryRequests();
    for (int i = 0; i < messages; i++) {
      sink.deliver(deliveries.ofPlainBody("p", "message " + i));
    }
    Awaitility.await().until(() -> deliveries.accepted().size() == messages);
    sink.close();
    System.err.println("accepted " + deliveries.accepted().size());
  }

  private static Process start(int messages) throws IOException {
    return new ProcessBuilder(
            Programs.java().toString(),
            "-cp",
            System.getProperty("java.class.path"),
            StdoutSinkTest.class.getName(),
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
        .isEqualTo("sink stdout can't be written (Broken pipe). Check its reader.\n");
    assertThat(exitOf(process)).isEqualTo(3);
  }

  @Test
  void fullDeviceBehindIt_breaksTheSink() throws IOException {
    DeliveryRequests deliveries = new DeliveryRequests();
    List<String> broken = new ArrayList<>();
    try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
        LineSink sink =
            new LineSink(
                new StdoutOutput(full),
                LineFormat.MESSAGE,
                SinkContext.ofOnly(broken::add, Conditions.ofSystem()))) {
      sink.deliver(deliveries.ofPlainBody("p", "one"));
      sink.runOnce();
    }
    assertThat(broken).hasSize(1).first().asString().contains("No space left on device");
    assertThat(deliveries.accepted()).isEmpty();
  }
}
