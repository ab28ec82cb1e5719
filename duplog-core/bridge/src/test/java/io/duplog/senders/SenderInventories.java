package io.duplog.senders;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.FailingTexts;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.route.Network;
import io.duplog.observe.Json;
import io.duplog.senders.SenderReport.State;
import io.duplog.status.SendersText;
import io.duplog.wire.MessageBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base of tests in which two bridges keep the inventory of senders, with a clock and a store that
 * the test controls.
 */
abstract class SenderInventories {
  static final List<String> STREAMS = List.of("a", "b");
  static final int A = 0;
  static final int B = 1;
  static final long BEGIN = Instant.parse("2026-11-26T10:00:00Z").toEpochMilli();

  private @TempDir Path folder;
  final FailingTexts store = new FailingTexts();
  final Set<String> upToDateStreams = new HashSet<>(STREAMS);
  long now = BEGIN;
  final SenderInventory one = senders(100);
  final SenderInventory two = senders(100);
  SenderInventory bridge = one;

  SenderInventory senders(int most) {
    return new SenderInventory(
        STREAMS, store, most, new TestHeaders(), upToDateStreams::contains, () -> now);
  }

  /**
   * Reads {@code +90 m} as a time 90 seconds ahead, {@code #12 m} as number 12, and {@code @r1 m}
   * as a message from host r1.
   */
  static final class TestHeaders implements Headers.Reader {
    private String text = "";

    @Override
    public Long aheadMillis(MessageBatch batch, int message, long receivedMillis) {
      int start = batch.textStart(message);
      text = new String(batch.data(), start, batch.end(message) - start, UTF_8);
      return text.startsWith("broken")
          ? MALFORMED
          : text.matches("[+-]\\d+ .*") ? 1_000 * Long.parseLong(text.replaceFirst(" .*", "")) : 0L;
    }

    @Override
    public String host() {
      return text.startsWith("@") ? text.replaceAll("@| .*", "") : "";
    }

    @Override
    public long number(byte[] data, int start, int end) {
      String text = new String(data, start, end - start, UTF_8);
      return text.startsWith("#") ? Long.parseLong(text.replaceAll("#| .*", "")) : -1;
    }
  }

  void receive(SenderInventory bridge, int stream, String... messages) {
    BitSet delivered = new BitSet();
    delivered.set(0, messages.length);
    bridge.counted(DeliveryRequests.batch(true, messages), stream, delivered, now);
  }

  /** Receives on stream b duplicates of messages that arrived on stream a. */
  void receiveCopyOnB(SenderInventory bridge, long publishedMillis, String... messages) {
    bridge.counted(DeliveryRequests.batch(true, messages), B, new BitSet(), publishedMillis);
  }

  void receiveOnBoth(SenderInventory bridge, String message) {
    receive(bridge, A, message);
    receiveCopyOnB(bridge, now, message);
  }

  void advance(Duration time, SenderInventory... bridges) throws Exception {
    for (long end = now + time.toMillis(); now < end; ) {
      now = Math.min(end, now + 1_000);
      for (SenderInventory bridge : bridges) {
        bridge.runOnce();
      }
    }
  }

  static SenderReport of(SenderInventory bridge, String sender) {
    return bridge.report().filter(each -> each.sender().equals(sender)).findAny().orElseThrow();
  }

  static State stateOnB(SenderInventory bridge, String sender) {
    return of(bridge, sender).paths().get(B).state();
  }

  /** Receives messages on stream a only, one every ten seconds. */
  void receiveOnA(String sender, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      receive(one, A, sender + " only by a " + i);
      advance(Duration.ofSeconds(10), one);
    }
  }

  /** Receives a message on both streams, and then messages on stream a only. */
  void receiveAndLoseB(String sender) throws Exception {
    one.runOnce();
    receiveOnBoth(one, sender + " m");
    advance(Duration.ofSeconds(10), one);
    receiveOnA(sender, 5);
    advance(Duration.ofMinutes(1), one);
  }

  /** Receives messages from x and y on both streams every ten minutes, for more than eight days. */
  void learnRhythm() throws Exception {
    for (int i = 0; i < 8 * 24 * 6 + 3; i++) {
      receiveOnBoth(one, "x " + i);
      receiveOnBoth(one, "y " + i);
      updateEveryTenSeconds(60);
    }
    updateEveryTenSeconds(12);
    assertThat(found(one, Concern.GONE)).isEmpty();
  }

  /** Advances the time. Messages arrive from y, but not from x. */
  void advanceWithoutX(int minutes) throws Exception {
    for (int i = 0; i < minutes; i++) {
      receiveOnBoth(one, "y at " + now);
      updateEveryTenSeconds(6);
    }
  }

  void updateEveryTenSeconds(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      now += 10_000;
      bridge.runOnce();
    }
  }

  void expect(SenderInventory bridge, String entries) throws Exception {
    Path file = folder.resolve("senders.yaml");
    SenderList list = SenderList.read(Files.writeString(file, "senders: [" + entries + "]"));
    bridge.useList(() -> list);
  }

  String only(String kind) throws Exception {
    return text(one, "only", kind).table();
  }

  static SenderSearch search(SenderInventory bridge) {
    return new SenderSearch(bridge, network -> Network.parse(network)::contains);
  }

  /** Returns the senders with a concern, as of the last update. */
  static List<String> found(SenderInventory bridge, Concern concern) {
    return bridge.concernCounts().of(concern).some().stream()
        .map(SenderReport::sender)
        .sorted()
        .toList();
  }

  SendersText text(SenderInventory bridge, String word, String value) throws Exception {
    return new SendersText(Json.render(SendersQuery.of(search(bridge), Map.of(word, value))));
  }
}
