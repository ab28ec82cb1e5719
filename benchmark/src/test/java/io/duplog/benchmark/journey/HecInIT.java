package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.NodeShim;
import io.duplog.benchmark.lab.TestPlans;
import io.duplog.rig.Server;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a pair of clients of HTTP Event Collector, one for each node, delivers each event once
 * although one client loses events and one shim is killed several times.
 */
class HecInIT {
  private static final int REQUESTS = 60;
  private static final int EVENTS = 50;
  private static final int KILLS = 3;

  private @TempDir Path root;

  /** A client that repeats each request until it is accepted, as real ones do. */
  private static final class Client implements Runnable {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI url;
    private final int node;
    private volatile int accepted;

    Client(NodeShim shim, int node) {
      this.url = shim.hecUrl().resolve("/services/collector/event");
      this.node = node;
    }

    @Override
    public void run() {
      for (int i = 0; i < REQUESTS; i++) {
        HttpRequest request =
            HttpRequest.newBuilder(url)
                .header("Authorization", "Splunk " + NodeShim.HEC_TOKEN)
                .POST(BodyPublishers.ofString(body(i)))
                .build();
        Awaitility.await().pollInSameThread().until(() -> isAccepted(request));
        accepted = i + 1;
      }
    }

    private boolean isAccepted(HttpRequest request) throws InterruptedException {
      try {
        return http.send(request, BodyHandlers.ofString()).statusCode() == 200;
      } catch (IOException e) {
        return false; // the shim was killed
      }
    }

    /** Returns a body whose time and fields differ between the nodes; one client loses 5 %. */
    private String body(int request) {
      StringBuilder body = new StringBuilder();
      for (int i = 0; i < EVENTS; i++) {
        int number = request * EVENTS + i;
        if (node == 0 || number % 20 != 0) {
          body.append(
              "{\"time\":%d.%d,\"host\":\"host-%d\",\"fields\":{\"node\":\"%d\"},\"event\":\"event %d\"}"
                  .formatted(1_795_906_229L + request, node, number % 3, node, number));
        }
      }
      return body.toString();
    }
  }

  @Test
  void pair_oneClientLosesAndOneShimIsKilled_deliversEachEventOnce() throws Exception {
    LabPlan plan =
        TestPlans.pair(root.resolve("lab"))
            .withIngest(LabPlan.Ingest.HEC)
            .withSink(LabPlan.Sink.HEC);
    try (Lab lab = new Lab(plan)) {
      lab.start(line -> {});
      List<Client> clients = new ArrayList<>();
      List<FutureTask<Void>> runs = new ArrayList<>();
      for (IngestNode node : lab.nodes()) {
        Client client = new Client(node.shim(), clients.size());
        FutureTask<Void> run = new FutureTask<>(client, null);
        clients.add(client);
        runs.add(run);
        new Thread(run, "client").start();
      }
      Server shim = Objects.requireNonNull(lab.nodes().get(1).shim().listeningServer());
      for (int kill = 1; kill <= KILLS; kill++) {
        int reached = kill * REQUESTS / (KILLS + 1);
        Awaitility.await().until(() -> clients.get(1).accepted >= reached);
        shim.kill();
        shim.start();
      }
      for (FutureTask<Void> run : runs) {
        run.get();
      }

      Path output = lab.outputs().get(0);
      List<String> sent =
          IntStream.range(0, REQUESTS * EVENTS).mapToObj(i -> "event " + i).toList();
      Awaitility.await().until(() -> Files.readAllLines(output, ISO_8859_1).size() >= sent.size());
      assertThat(lab.stopPrograms()).isEmpty();
      assertThat(Files.readAllLines(output)).containsExactlyInAnyOrderElementsOf(sent);
    }
  }
}
