package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.hec.HecServer;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.NodeShim;
import io.duplog.benchmark.lab.Rsyslog;
import io.duplog.benchmark.lab.TestPlans;
import io.duplog.collector.HecEvent;
import io.duplog.collector.HecSettings;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.Server;
import io.duplog.rig.Servers;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that each message of a pair of real collectors is delivered once for each sender, with
 * equal metadata. The collectors send by HTTP Event Collector. One of them loses messages, programs
 * are killed, and a broker is unavailable. The collectors' configuration is the one in
 * deploy/hec-clients.
 */
class HecClientsIT {
  private static final int SENDERS = 3;

  /** The second collector loses every message whose number is divisible by this. */
  private static final int LOST_EACH = 20;

  /** Messages that a collector could write in different ways, or that could break a batch. */
  private static final List<String> TEXTS =
      List.of(
          "<13>Nov 29 10:00:00 web-1 sshd[22]: Accepted %d",
          "<34>1 2026-11-29T10:00:00.123Z web-2 app 7 ID [a@1 b=\"c\"] quoted \"%d\" \\ / {\"k\":[1,2]}",
          "<13>Nov 29 10:00:00 web-3 umlaut: caf\u00e9 \u4e16\u754c \ud83d\ude00 <&> %d",
          "<13>Nov 29 10:00:00 web-4 tab:\tand \u0001 control %d",
          "%d without any header",
          "<13>Nov 29 10:00:00 web-5 long: %d " + "x".repeat(8_000));

  /** Adapts the deployed configuration of a product to the lab, and returns how it is started. */
  private interface Adaptation {
    Server.Launch launch(String name, String deployed, Path home) throws Exception;
  }

  /**
   * A product that sends events.
   *
   * @param title name in the shim's log, which knows it from the product's requests
   * @param file name of its deployed configuration
   * @param text how it writes a message
   */
  private record Product(
      String identity,
      String title,
      String file,
      Adaptation adaptation,
      UnaryOperator<String> text) {}

  private @TempDir Path root;
  private final List<InetSocketAddress> receivers = new ArrayList<>();
  private final List<Server> collectors = new ArrayList<>();
  private final ConcurrentLinkedQueue<HecEvent> indexed = new ConcurrentLinkedQueue<>();

  /** The expected events: host, source, sourcetype, index and text. */
  private final List<String> sent = new ArrayList<>();

  private static Server.Launch syslogNg(String name, String deployed, Path home) throws Exception {
    Installation installation = PeerPackages.installation();
    String text = replace(deployed, "3.38", installation.configVersion());
    text = replace(text, "reliable(yes)", "reliable(yes) dir(\"%s\")".formatted(home));
    Path file = LabDirectory.write(home.resolve("syslog-ng.conf"), text);
    return new Server.Launch(
        name, installation.command(file, home), installation.environment(), home);
  }

  private static Server.Launch rsyslog(String name, String deployed, Path home) throws Exception {
    String text = "global(workDirectory=\"%s\")\n".formatted(home) + deployed;
    Path file = LabDirectory.write(home.resolve("rsyslog.conf"), text);
    List<String> command =
        List.of(
            PeerPackages.rsyslogWithOmhttp().toString(),
            "-n",
            "-f",
            file.toString(),
            "-i",
            home.resolve("pid").toString());
    return new Server.Launch(name, command, Map.of(), home);
  }

  private static Server.Launch otel(String name, String deployed, Path home) throws Exception {
    Path program = LabJars.checkout().resolve("benchmark/target/otel-collector");
    assertThat(program)
        .withFailMessage(
            () ->
                program
                    + " is missing, so no OpenTelemetry collector can be tried. Build it as"
                    + " benchmark/src/test/foreign/otel-collector/main.go says.")
        .isExecutable();
    String text = replace(deployed, "/var/lib/otelcol", home.toString());
    // Both collectors would publish their metrics on one port.
    text += "  telemetry: {metrics: {level: none}}\n";
    Path file = LabDirectory.write(home.resolve("otel.yaml"), text);
    return new Server.Launch(
        name, List.of(program.toString(), "--config", file.toString()), Map.of(), home);
  }

  private static String replace(String text, String old, String replacement) {
    assertThat(text).contains(old);
    return text.replace(old, replacement);
  }

  private void startCollectors(Lab lab, Product product) throws Exception {
    LabDirectory directory = new LabDirectory(root.resolve("clients"));
    Ports ports = new Ports();
    String deployed =
        Files.readString(LabJars.checkout().resolve("deploy/hec-clients/" + product.file));
    for (IngestNode node : lab.nodes()) {
      int port = ports.next();
      String name = "collector-" + node.stream();
      URI shim = node.shim().hecUrl();
      String text = replace(deployed, "NODE", shim.getHost());
      text = replace(text, "8088", Integer.toString(shim.getPort()));
      text = replace(text, "TOKEN", NodeShim.HEC_TOKEN);
      text = replace(text, "514", Integer.toString(port));
      receivers.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      collectors.add(
          new Server(
              product.adaptation.launch(name, text, directory.make(name)),
              directory,
              Rsyslog.receivesAt(port)));
    }
    for (Server collector : collectors) {
      start(collector);
    }
  }

  /** Sends one round of messages from each sender to the collectors that are running. */
  private void send(int round, boolean isUdp) throws IOException {
    for (int sender = 1; sender <= SENDERS; sender++) {
      InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (10 + sender)});
      for (int node = 0; node < receivers.size(); node++) {
        if (!collectors.get(node).isAlive()) {
          continue;
        }
        try (DatagramSocket udp = new DatagramSocket(new InetSocketAddress(address, 0));
            Socket tcp = new Socket()) {
          tcp.bind(new InetSocketAddress(address, 0));
          tcp.connect(receivers.get(node));
          for (int i = 0; i < TEXTS.size(); i++) {
            String message = TEXTS.get(i).formatted(round);
            int number = round * TEXTS.size() + i;
            byte[] bytes = message.getBytes(UTF_8);
            if (node == 1 && number % LOST_EACH == 0) {
              continue;
            }
            if (isUdp) {
              udp.send(new DatagramPacket(bytes, bytes.length, receivers.get(node)));
            } else {
              tcp.getOutputStream().write((message + "\n").getBytes(UTF_8));
            }
          }
        }
      }
      for (String text : TEXTS) {
        String host = address.getHostAddress();
        sent.add(describe(host, "pair", "syslog", "main", text.formatted(round)));
      }
    }
  }

  private static String describe(Object... parts) {
    return List.of(parts).toString();
  }

  private void sendRounds(int from, int to) throws IOException {
    for (int round = from; round < to; round++) {
      send(round, false);
    }
  }

  private void awaitAll() {
    Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> indexed.size() >= sent.size());
  }

  @Test
  void syslogNgs_throughFailures_deliverEachMessageOnce() throws Exception {
    deliverThroughFailures(
        new Product(
            "syslog-ng",
            "syslog-ng",
            "syslog-ng.conf",
            HecClientsIT::syslogNg,
            UnaryOperator.identity()));
  }

  @Test
  void rsyslogsWithOmhttp_throughFailures_deliverEachMessageOnce() throws Exception {
    deliverThroughFailures(
        new Product(
            "rsyslog",
            "rsyslog's omhttp",
            "rsyslog.conf",
            HecClientsIT::rsyslog,
            text -> text.replace("\t", "#011").replace("\u0001", "#001")));
  }

  /** Is run only if its tag is asked for, because Go has to build the collector first. */
  @Test
  @Tag("opentelemetry")
  void openTelemetryCollectors_throughFailures_deliverEachMessageOnce() throws Exception {
    deliverThroughFailures(
        new Product(
            "opentelemetry",
            "OpenTelemetry's collector",
            "otel.yaml",
            HecClientsIT::otel,
            UnaryOperator.identity()));
  }

  private void deliverThroughFailures(Product product) throws Exception {
    String tokens =
        "[{name: pair, token: %s, source: pair, index: main, identity: {product: %s}}]"
            .formatted(NodeShim.HEC_TOKEN, product.identity);
    try (HecServer splunk = new HecServer(HecSettings.withToken("token"), indexed::addAll)) {
      LabPlan plan =
          TestPlans.pair(root.resolve("lab"))
              .withIngest(LabPlan.Ingest.HEC)
              .withSink(LabPlan.Sink.HEC)
              .withTuning(
                  TestPlans.PATIENT
                      .withShim("hec.tokens", tokens)
                      .withBridge("sink.hec.urls", "[\"" + splunk.uri() + "\"]")
                      .withBridge("sink.hec.token", "token"));
      try (Lab lab = new Lab(plan)) {
        lab.start(line -> {});
        try {
          startCollectors(lab, product);
          failInTurn(lab);
          assertThat(Servers.stop(collectors)).isEmpty();
          assertThat(lab.stopPrograms()).isEmpty();
          for (IngestNode node : lab.nodes()) {
            Server shim = Objects.requireNonNull(node.shim().listeningServer());
            assertThat(Files.readString(shim.log()))
                .contains("is " + product.title + ". By default it ")
                .doesNotContain("but its token");
          }
          assertThat(indexed)
              .extracting(
                  event ->
                      describe(
                          event.host(),
                          event.source(),
                          event.sourcetype(),
                          event.index(),
                          event.event()))
              .containsExactlyInAnyOrderElementsOf(sent.stream().map(product.text).toList());
        } finally {
          for (Server collector : collectors) {
            collector.kill();
          }
        }
      }
    }
  }

  /** Sends messages while collectors, a shim and a broker fail, and waits for all of them. */
  private void failInTurn(Lab lab) throws Exception {
    for (int round = 0; round < 20; round++) {
      send(round, true);
      awaitAll(); // more at once might not fit into the collectors' receive buffers
    }
    sendRounds(20, 40);
    awaitAll();

    stop(collectors.get(0));
    start(collectors.get(0));
    sendRounds(40, 80);
    Server shim = Objects.requireNonNull(lab.nodes().get(1).shim().listeningServer());
    shim.kill();
    sendRounds(80, 120);
    start(shim);
    awaitAll();

    // A collector that is killed between a request and its answer sends the events again as new
    // ones. Therefore this one is killed while its requests can't be accepted.
    shim.kill();
    sendRounds(120, 140);
    collectors.get(1).kill();
    sendRounds(140, 160);
    start(collectors.get(1));
    start(shim);
    sendRounds(160, 180);
    awaitAll();

    Server broker = lab.nodes().get(0).broker().server();
    stop(broker);
    sendRounds(180, 220);
    start(broker);
    awaitAll();
  }

  private static void start(Server server) throws LabException, InterruptedException {
    server.start();
    server.awaitReady(Duration.ofMinutes(2));
  }

  private static void stop(Server server) {
    server.requestStop();
    assertThat(server.awaitStop(Duration.ofMinutes(1))).isTrue();
  }
}
