package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.TestPlans;
import io.duplog.benchmark.load.HecOutput;
import io.duplog.benchmark.load.HecPath;
import io.duplog.rig.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the packaged shim has the memory for many clients of HTTP Event Collector. */
class HecConnectionsIT {
  private static final int CONNECTIONS = 2_000;
  private static final int SENDING = 200;
  private static final int REQUESTS = 20;
  private static final int EVENTS = 100;

  /** The limit in duplog-ingest.service, MemoryMax=600M. */
  private static final long MAX_RESIDENT_KIBIBYTES = 600 << 10;

  private @TempDir Path root;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shim_withTwoThousandConnections_staysInItsMemory(boolean isEncrypted) throws Exception {
    LabPlan plan =
        TestPlans.pair(root.resolve("lab"))
            .withStreams(List.of("syslog-a"))
            .withBridges(1)
            .withIngest(LabPlan.Ingest.HEC);
    try (Lab lab = new Lab(isEncrypted ? plan.withEncryptedClients() : plan)) {
      lab.start(line -> {});
      IngestNode node = lab.nodes().get(0);
      List<HecPath> clients = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        HecPath client = node.shim().newHecPath();
        clients.add(client);
        sendUntilAccepted(client, "connection " + i);
      }

      sendMuch(clients.subList(0, SENDING));

      for (HecPath client : clients) {
        sendUntilAccepted(client, "still here");
        client.close();
      }
      Server shim = Objects.requireNonNull(node.shim().listeningServer());
      assertThat(peakKibibytes(shim.pid())).isLessThan(MAX_RESIDENT_KIBIBYTES);
      assertThat(shim.log()).content(ISO_8859_1).doesNotContain("OutOfMemory", "ERROR", "WARN");
    }
  }

  /**
   * Sends an event, and repeats it like any client. The shim closes a connection on which no
   * request has arrived for a minute, which is the case for most of these on a slow machine.
   */
  private static void sendUntilAccepted(HecPath client, String event) throws IOException {
    new HecOutput(client, 1).write((event + "\n").getBytes(ISO_8859_1));
  }

  /** Sends events of 500 bytes by all clients at once. A request may be answered with 503. */
  private static void sendMuch(List<HecPath> clients) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(clients.size());
    List<Future<?>> ends = new ArrayList<>();
    for (HecPath client : clients) {
      String lines =
          IntStream.range(0, EVENTS)
              .mapToObj(i -> "%d %d %s\n".formatted(client.hashCode(), i, "x".repeat(480)))
              .collect(Collectors.joining());
      ends.add(
          threads.submit(
              () -> {
                HecOutput output = new HecOutput(client, EVENTS);
                for (int i = 0; i < REQUESTS; i++) {
                  output.write(lines.getBytes(ISO_8859_1));
                }
                return null;
              }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    threads.shutdown();
  }

  /** Returns the maximum resident memory of a process. */
  private static long peakKibibytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/%d/status".formatted(pid))).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
