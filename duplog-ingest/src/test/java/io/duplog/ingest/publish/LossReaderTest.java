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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that messages which a node loses before the shim are counted from the kernel's and
 * rsyslog's statistics.
 */
class LossReaderTest {
  private static final String TABLE_HEADER =
      "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout"
          + " inode ref pointer drops\n";

  private @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String socket(String local, int inode, int drops) {
    return " 6234: %s 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 %d 2 00000000d86afb4d %d\n"
        .formatted(local, inode, drops);
  }

  @Test
  void read_socketsOfPort_countsDropsSinceFirstReading() throws Exception {
    Path udp4Table =
        file("udp", TABLE_HEADER + socket("00000000:0202", 1, 7) + socket("00000000:0203", 2, 5));
    Path udp6Table = file("udp6", TABLE_HEADER + socket("0".repeat(32) + ":0202", 3, 30));
    LossReader losses =
        new LossReader(List.of(udp4Table, udp6Table, folder.resolve("none")), 514, null);
    assertThat(losses.read()).isEqualTo(new Losses(0, Losses.UNKNOWN));

    file("udp", TABLE_HEADER + socket("00000000:0202", 1, 8) + socket("00000000:0203", 2, 500));
    assertThat(losses.read().dropped()).as("grown by 1").isEqualTo(1);
    file("udp6", TABLE_HEADER);
    assertThat(losses.read().dropped()).as("a socket was closed").isEqualTo(1);
    file("udp", TABLE_HEADER + socket("00000000:0202", 4, 2));
    assertThat(losses.read().dropped()).as("rsyslog was restarted").isEqualTo(3);
  }

  @Test
  void read_noSocketOfPort_isUnknown() throws Exception {
    Path udp4Table = file("udp", TABLE_HEADER + socket("00000000:0203", 2, 5));
    assertThat(new LossReader(List.of(udp4Table), 514, null).read()).isEqualTo(Losses.NONE_KNOWN);
    assertThat(new LossReader(List.of(udp4Table), 0, null).read()).isEqualTo(Losses.NONE_KNOWN);
  }

  /**
   * No thread reads from the socket, so the kernel drops the datagrams that do not fit into its
   * buffer.
   */
  @Test
  void read_kernelsSocketTable_countsDrops() throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (DatagramSocket receiver = new DatagramSocket(0, loopback);
        DatagramSocket sender = new DatagramSocket()) {
      int port = receiver.getLocalPort();
      LossReader losses =
          new LossReader(
              List.of(Path.of("/proc/self/net/udp"), Path.of("/proc/self/net/udp6")), port, null);
      assertThat(losses.read().dropped()).isZero();
      receiver.setReceiveBufferSize(4096);
      byte[] text = new byte[1000];
      for (int i = 0; i < 1000; i++) {
        sender.send(new DatagramPacket(text, text.length, loopback, port));
      }

      assertThat(losses.read().dropped()).isBetween(500L, 1000L);
    }
  }

  /** Returns a report of impstats, either as JSON with a truncated end or in the legacy format. */
  private static String report(boolean json, int queue, int main) {
    return json
        ? """
        Wed Nov 25 16:15:05 2026: { "name": "global", "origin": "dynstats", "values": { } }
        Wed Nov 25 16:15:05 2026: { "name": "duplog queue", "origin": "core.queue", "size": 0, "full": 0, "discarded.full": 10, "discarded.nf": %d, "maxqsize": 1 }
        Wed Nov 25 16:15:05 2026: { "name": "main Q", "origin": "core.queue", "size": 0, "full": 0, "discarded.full": %d, "discarded.nf": 0, "maxqsize": 1 }
        Wed Nov 25 16:15:05 2026: { "name": "main Q", "origin": "core.que"""
            .formatted(queue, main)
        : """
        Wed Nov 25 16:15:10 2026: toduplog: origin=core.action processed=300 failed=0
        Wed Nov 25 16:15:10 2026: duplog queue: origin=core.queue size=0 full=0 discarded.full=10 discarded.nf=%d maxqsize=1
        Wed Nov 25 16:15:10 2026: main Q: origin=core.queue size=0 full=0 discarded.full=%d discarded.nf=0 maxqsize=1
        """
            .formatted(queue, main);
  }

  /** The shim may start to read in the middle of rsyslog's first report. */
  @Test
  void read_newQueue_countsFromItsFirstReading() throws Exception {
    String line = "Wed Nov 25 16:15:10 2026: %s: origin=core.queue discarded.full=%d\n";
    Path impstats = file("impstats", line.formatted("main Q", 7));
    LossReader losses = new LossReader(List.of(), 0, impstats);
    assertThat(losses.read().discarded()).isZero();

    file("impstats", line.formatted("main Q", 7) + line.formatted("old", 5_000));
    assertThat(losses.read().discarded()).as("its old total").isZero();
    file("impstats", line.formatted("main Q", 9) + line.formatted("old", 5_003));
    assertThat(losses.read().discarded()).isEqualTo(5);
    file("impstats", line.formatted("main Q", 9) + line.formatted("old", 2));
    assertThat(losses.read().discarded()).as("it began again").isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void read_impstats_countsDiscardsSinceFirstReading(boolean json) throws Exception {
    Path impstats = file("impstats", "");
    LossReader losses = new LossReader(List.of(), 0, impstats);
    assertThat(losses.read()).isEqualTo(Losses.NONE_KNOWN);

    file("impstats", report(json, 20, 300));
    assertThat(losses.read()).isEqualTo(new Losses(Losses.UNKNOWN, 0));
    file("impstats", report(json, 20, 300) + "\n" + report(json, 25, 300));
    assertThat(losses.read().discarded()).isEqualTo(5);
    file("impstats", "");
    assertThat(losses.read().discarded()).as("it was rotated").isEqualTo(5);
    file("impstats", "x\n".repeat(200_000) + report(json, 25, 301));
    assertThat(losses.read().discarded()).isEqualTo(6);
    file("impstats", report(json, 1, 0));
    assertThat(losses.read().discarded()).as("rsyslog was restarted").isEqualTo(6 + 11);
    String absurd =
        "Wed Nov 25 16:15:10 2026: q: origin=core.queue discarded.full=99999999999999999";
    String q = "Wed Nov 25 16:15:00 2026: q: origin=core.queue discarded.full=1\n";
    file("impstats", report(json, 1, 0) + "\n" + q);
    assertThat(losses.read().discarded()).as("a queue, with its total").isEqualTo(6 + 11);
    file("impstats", report(json, 1, 0) + "\n" + absurd);
    assertThat(losses.read().discarded()).as("a line that is being written").isEqualTo(6 + 11);
    file("impstats", report(json, 1, 0) + "\n" + absurd + "\n");
    assertThat(losses.read().discarded()).as("what a heartbeat can tell").isEqualTo(Losses.MAX);
  }

  @Test
  void read_unreadableStatistics_warnsOncePerFailure() throws Exception {
    Path missingFile = folder.resolve("away");
    LossReader losses = new LossReader(List.of(), 0, missingFile);

    List<String> lines =
        LogLines.of(
            LossReader.class,
            () -> {
              assertThat(losses.read()).isEqualTo(Losses.NONE_KNOWN);
              losses.read();
              Files.writeString(missingFile, "");
              losses.read();
              Files.delete(missingFile);
              losses.read();
            });

    assertThat(lines)
        .filteredOn(line -> line.contains("away can't be read"))
        .as("of %s", lines)
        .hasSize(2);
  }

  /** Opening a FIFO without a writer blocks, like a file on a hanging disk. */
  @Test
  void watched_hangingFile_doesNotBlock() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    HeartbeatSettings settings = new HeartbeatSettings(Duration.ofSeconds(1), 0, fifo.toString());

    assertThat(LossReader.watched(settings).get()).isEqualTo(Losses.NONE_KNOWN);
    Files.newOutputStream(fifo).close(); // releases the reading thread
  }
}
