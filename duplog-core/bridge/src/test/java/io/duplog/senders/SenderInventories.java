package io.duplog.senders;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.FailingTexts;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.route.Network;
import io.duplog.observe.JsonObject;
import io.duplog.senders.SenderReport.State;
import io.duplog.status.SendersText;
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

/** Gives tests two bridges' inventories, whose clock and store are the test's. */
abstract class SenderInventories {
  static final List<String> STREAMS = List.of("a", "b");
  static final int A = 0;
  static final int B = 1;
  static final long BEGIN = Instant.parse("2026-11-26T10:00:00Z").toEpochMilli();

  private @TempDir Path folder;
  final FailingTexts store = new FailingTexts();
  final Set<String> current = new HashSet<>(STREAMS);
  long now = BEGIN;
  final SenderInventory one = senders(100);
  final SenderInventory two = senders(100);
  SenderInventory bridge = one;

  SenderInventory senders(int most) {
    return new SenderInventory(
        STREAMS, store, most, new TestHeaders(), current::contains, () -> now);
  }

  /**
   * Reads {@code +90 m} as 90 seconds ahead, {@code #12 m} as number 12, and {@code @r1 m} as of
   * host r1.
   */
  static final class TestHeaders implements Headers.Reader {
    private String text = "";

    @Override
    public long aheadMillis(byte[] data, int start, int end, long receivedMillis) {
      text = new String(data, start, end - start, UTF_8);
      return text.startsWith("broken")
          ? MALFORMED
          : text.matches("[+-]\\d+ .*") ? 1_000 * Long.parseLong(text.replaceFirst(" .*", "")) : 0;
    }

    @Override
    public String host(byte[] data) {
      return text.startsWith("@") ? text.replaceAll("@| .*", "") : "";
    }

    @Override
    public long number(byte[] data, int start, int end) {
      String text = new String(data, start, end - start, UTF_8);
      return text.startsWith("#") ? Long.parseLong(text.replaceAll("#| .*", "")) : -1;
    }
  }

  void came(SenderInventory bridge, int stream, String... messages) {
    BitSet kept = new BitSet();
    kept.set(0, messages.length);
    bridge.counted(DeliveryRequests.batch(true, messages), stream, kept, now);
  }

  /** Has stream b bring copies of messages that stream a has brought. */
  void cameAgain(SenderInventory bridge, long publishedMillis, String... messages) {
    bridge.counted(DeliveryRequests.batch(true, messages), B, new BitSet(), publishedMillis);
  }

  void cameByBoth(SenderInventory bridge, String message) {
    came(bridge, A, message);
    cameAgain(bridge, now, message);
  }

  void pass(Duration time, SenderInventory... bridges) throws Exception {
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

  static State onB(SenderInventory bridge, String sender) {
    return of(bridge, sender).paths().get(B).state();
  }

  /** Has stream a alone bring messages, one every ten seconds. */
  void comeByA(String sender, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      came(one, A, sender + " only by a " + i);
      pass(Duration.ofSeconds(10), one);
    }
  }

  /** Has both streams bring a sender, and then stream a alone. */
  void loseB(String sender) throws Exception {
    one.runOnce();
    cameByBoth(one, sender + " m");
    pass(Duration.ofSeconds(10), one);
    comeByA(sender, 5);
    pass(Duration.ofMinutes(1), one);
  }

  /** Has senders x and y speak on both paths every ten minutes, for eight days and a while. */
  void learnRhythm() throws Exception {
    for (int i = 0; i < 8 * 24 * 6 + 3; i++) {
      cameByBoth(one, "x " + i);
      cameByBoth(one, "y " + i);
      lookEveryTenSeconds(60);
    }
    lookEveryTenSeconds(12);
    assertThat(found(one, Concern.GONE)).isEmpty();
  }

  /** Lets time pass in which y speaks and x does not. */
  void missX(int minutes) throws Exception {
    for (int i = 0; i < minutes; i++) {
      cameByBoth(one, "y at " + now);
      lookEveryTenSeconds(6);
    }
  }

  void lookEveryTenSeconds(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      now += 10_000;
      bridge.runOnce();
    }
  }

  void expect(SenderInventory bridge, String entries) throws Exception {
    Path file = folder.resolve("senders.yaml");
    SenderList list = SenderList.read(Files.writeString(file, "senders: [" + entries + "]"));
    bridge.follow(() -> list);
  }

  String only(String kind) throws Exception {
    return text(one, "only", kind).table();
  }

  static SenderSearch search(SenderInventory bridge) {
    return new SenderSearch(bridge, network -> Network.parse(network)::contains);
  }

  /** Returns the senders that a concern is about, as the last look found. */
  static List<String> found(SenderInventory bridge, Concern concern) {
    return bridge.findings().of(concern).some().stream()
        .map(SenderReport::sender)
        .sorted()
        .toList();
  }

  SendersText text(SenderInventory bridge, String word, String value) throws Exception {
    return new SendersText(JsonObject.render(SendersJson.of(search(bridge), Map.of(word, value))));
  }
}
