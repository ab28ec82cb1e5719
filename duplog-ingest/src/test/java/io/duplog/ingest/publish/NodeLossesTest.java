package io.duplog.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.LogLines;
import io.duplog.wire.Heartbeat.Losses;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables are the kernel's 6.18, the statistics rsyslog's 8.2302. */
class NodeLossesTest {
  private static final String HEAD =
      "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout"
          + " inode ref pointer drops\n";

  private @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static Losses read(int port, @Nullable Path impstats, Path... sockets) {
    return new NodeLosses(List.of(sockets), port, impstats).get();
  }

  private static String socket(String local, int drops) {
    return " 6234: %s 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 148 2 00000000d86afb4d %d\n"
        .formatted(local, drops);
  }

  @Test
  void drops_areThoseOfTheSocketsOfThePort() throws Exception {
    Path four =
        file(
            "udp",
            HEAD
                + socket("00000000:0202", 7)
                + socket("0100007F:0202", 1)
                + socket("00000000:0203", 5));
    Path six = file("udp6", HEAD + socket("0".repeat(32) + ":0202", 30));

    assertThat(read(514, null, four, six)).isEqualTo(new Losses(38, Losses.UNKNOWN));
    assertThat(read(516, null, four, six)).isEqualTo(Losses.NONE_KNOWN);
    assertThat(read(0, null, four, six)).isEqualTo(Losses.NONE_KNOWN);
    assertThat(read(514, null, four, folder.resolve("no udp6")).dropped()).isEqualTo(8);
  }

  /** Nobody reads from the socket, so the kernel drops what does not fit into its buffer. */
  @Test
  void drops_ofThisKernel_areRead() throws Exception {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (DatagramSocket receiver = new DatagramSocket(0, here);
        DatagramSocket sender = new DatagramSocket()) {
      int port = receiver.getLocalPort();
      NodeLosses losses = new NodeLosses(new HeartbeatSettings(Duration.ofSeconds(1), port, null));
      assertThat(losses.get().dropped()).isZero();
      receiver.setReceiveBufferSize(4096);
      byte[] text = new byte[1000];
      for (int i = 0; i < 1000; i++) {
        sender.send(new DatagramPacket(text, text.length, here, port));
      }

      assertThat(losses.get().dropped()).isBetween(500L, 1000L);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        Wed Nov 25 16:15:04 2026: { "name": "duplog queue", "origin": "core.queue", "size": 0, "full": 0, "discarded.full": 1, "discarded.nf": 2, "maxqsize": 1 }
        Wed Nov 25 16:15:05 2026: { "name": "global", "origin": "dynstats", "values": { } }
        Wed Nov 25 16:15:05 2026: { "name": "duplog queue", "origin": "core.queue", "size": 0, "full": 0, "discarded.full": 10, "discarded.nf": 20, "maxqsize": 1 }
        Wed Nov 25 16:15:05 2026: { "name": "main Q", "origin": "core.queue", "size": 0, "full": 0, "discarded.full": 300, "discarded.nf": 0, "maxqsize": 1 }
        Wed Nov 25 16:15:05 2026: { "name": "main Q", "origin": "core.que""",
        """
        Wed Nov 25 16:15:09 2026: duplog queue: origin=core.queue size=0 full=0 discarded.full=1 discarded.nf=2 maxqsize=1
        Wed Nov 25 16:15:10 2026: toduplog: origin=core.action processed=300 failed=0
        Wed Nov 25 16:15:10 2026: duplog queue: origin=core.queue size=0 full=0 discarded.full=10 discarded.nf=20 maxqsize=1
        Wed Nov 25 16:15:10 2026: main Q: origin=core.queue size=0 full=0 discarded.full=300 discarded.nf=0 maxqsize=1
        """
      })
  void discards_areTheLastOfEachQueue_inBothFormats(String statistics) throws Exception {
    assertThat(read(0, file("impstats", statistics))).isEqualTo(new Losses(Losses.UNKNOWN, 330));
    assertThat(read(0, file("impstats", "x\n".repeat(200_000) + statistics)).discarded())
        .isEqualTo(330);
  }

  @Test
  void statisticsThatCanNotBeRead_areSaidOnce() throws Exception {
    NodeLosses losses = new NodeLosses(List.of(), 0, folder.resolve("away"));

    List<String> lines =
        LogLines.of(
            NodeLosses.class,
            () -> {
              assertThat(losses.get()).isEqualTo(Losses.NONE_KNOWN);
              losses.get();
            });

    assertThat(lines).hasSize(1).first().asString().contains("away", "can't be read");
  }
}
