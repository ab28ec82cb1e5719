package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.NodeShim;
import io.duplog.benchmark.lab.Rsyslog;
import io.duplog.benchmark.lab.TestPlans;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a pair of real collectors that send by HTTP Event Collector delivers each message once
 * for each sender, although one of them loses messages, programs are killed, and a broker is
 * unavailable.
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

  private @TempDir Path root;
  private final List<InetSocketAddress> receivers = new ArrayList<>();
  private final List<Server> collectors = new ArrayList<>();
  private final List<String> sent = new ArrayList<>();

  private void prepareSyslogNg(Lab lab) throws Exception {
    Installation installation = PeerPackages.installation();
    LabDirectory directory = new LabDirectory(root.resolve("clients"));
    Ports ports = new Ports();
    String deployed =
        Files.readString(LabJars.checkout().resolve("deploy/hec-clients/syslog-ng.conf"));
    for (IngestNode node : lab.nodes()) {
      int port = ports.next();
      String name = "syslog-ng-" + receivers.size();
      Path home = directory.make(name);
      String text = deployed;
      text = text.replace("3.38", installation.configVersion());
      text = text.replace("http://NODE:8088", node.shim().hecUrl().toString());
      text = text.replace("TOKEN", NodeShim.HEC_TOKEN);
      text = text.replace("port(514)", "port(%d)".formatted(port));
      text =
          text.replace(
              "reliable(yes)",
              "reliable(yes) dir(\"%s\")".formatted(directory.make(name + "/disk")));
      Path configuration = LabDirectory.write(home.resolve("syslog-ng.conf"), text);
      receivers.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      collectors.add(
          new Server(
              new Server.Launch(
                  name,
                  installation.command(configuration, home),
                  installation.environment(),
                  home),
              directory,
              Rsyslog.receivesAt(port)));
    }
    for (Server collector : collectors) {
      start(collector);
    }
  }

  /** Sends one round of messages from each sender to both collectors. */
  private void send(int round, boolean isUdp) throws IOException {
    for (int sender = 1; sender <= SENDERS; sender++) {
      InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (10 + sender)});
      for (int node = 0; node < receivers.size(); node++) {
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
        sent.add(text.formatted(round));
      }
    }
  }

  private void sendRounds(int from, int to) throws IOException {
    for (int round = from; round < to; round++) {
      send(round, false);
    }
  }

  private void awaitAll(Path output) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> Files.readAllLines(output, UTF_8).size() >= sent.size());
  }

  @Test
  void syslogNgs_throughFailures_deliverEachMessageOnce() throws Exception {
    LabPlan plan =
        TestPlans.pair(root.resolve("lab"))
            .withIngest(LabPlan.Ingest.HEC)
            .withSink(LabPlan.Sink.HEC);
    try (Lab lab = new Lab(plan)) {
      lab.start(line -> {});
      try {
        prepareSyslogNg(lab);
        Path output = lab.outputs().get(0);
        for (int round = 0; round < 20; round++) {
          send(round, true);
          awaitAll(output); // more at once might not fit into the collectors' receive buffers
        }
        sendRounds(20, 40);
        awaitAll(output);

        stop(collectors.get(0));
        start(collectors.get(0));
        sendRounds(40, 80);
        Server shim = Objects.requireNonNull(lab.nodes().get(1).shim().listeningServer());
        shim.kill();
        sendRounds(80, 120);
        start(shim);
        awaitAll(output);

        Server broker = lab.nodes().get(0).broker().server();
        stop(broker);
        sendRounds(120, 160);
        start(broker);
        awaitAll(output);

        assertThat(Servers.stop(collectors)).isEmpty();
        assertThat(lab.stopPrograms()).isEmpty();
        assertThat(Files.readAllLines(output, UTF_8)).containsExactlyInAnyOrderElementsOf(sent);
      } finally {
        for (Server collector : collectors) {
          collector.kill();
        }
      }
    }
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
