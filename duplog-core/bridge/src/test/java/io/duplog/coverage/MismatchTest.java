package io.duplog.coverage;

import static io.duplog.deliver.DeliveryRequests.batch;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that two streams with almost no messages in common are reported, with an example of how
 * their messages differ.
 */
class MismatchTest {
  private final MismatchWatch pair = new MismatchWatch(List.of("a", "b"));
  private final MismatchWatch three = new MismatchWatch(List.of("a", "b", "c"));

  /** Parses messages, then each stream's copies, then each stream's dropped ones. */
  private static Summary of(String totals) {
    return Summary.parse("1 0 " + totals, totals.split(" ").length / 2);
  }

  private static List<String> pairs(MismatchWatch watch) {
    List<String> pairs = new ArrayList<>();
    watch.mismatches().forEach(mismatch -> pairs.add(mismatch.one() + mismatch.other()));
    return pairs;
  }

  @ParameterizedTest
  @CsvSource({
    "2000 1000 1000 0 0, true",
    "1970 1000 1000 20 10, true",
    "1940 1000 1000 30 30, false",
    "1000 1000 1000 500 500, false",
    "1000 1000 1000 0 1000, false",
    "1000 1000 0 0 0, false",
    "100000 100000 300 0 0, false",
    "200 100 100 0 0, false"
  })
  void twoStreams_sharingAlmostNothing_areAMismatch(String totals, boolean differ) {
    pair.update(of(totals));

    assertThat(pairs(pair)).isEqualTo(differ ? List.of("ab") : List.of());
  }

  @Test
  void oneOfThreeStreams_sharingNothing_mismatchesBothOthers() {
    three.update(of("2000 1000 1000 1000 500 0 500"));
    assertThat(pairs(three)).containsExactly("ab", "bc");

    three.update(of("1000 1000 1000 1000 0 1000 1000"));
    assertThat(pairs(three)).isEmpty();
  }

  private static Mismatch.@Nullable Example differenceOf(String one, String other) {
    Samples samples = new Samples(2);
    samples.enable(true);
    BitSet all = new BitSet();
    all.set(0, 3);
    samples.offer(batch(true, "10.0.0.9 unlike all others", one, "10.0.0.9 ~~~~~~"), 0, all);
    samples.offer(batch(true, "10.0.0.8 ########", other, "10.0.0.8 1234567890"), 1, all);
    return Alike.find(samples.of(0), samples.of(1));
  }

  @Test
  void example_withTranslatedAddresses_showsThem() throws Exception {
    String text = " <13>Nov 21 15:00:00 host app: it happened again, number 4711";
    assertThat(differenceOf("10.1.2.7" + text, "192.168.7.1" + text))
        .isEqualTo(
            new Mismatch.Example(
                "10.1.2.7 <13>Nov 21 15:00:00 host app: it happened again, num...",
                "192.168.7.1 <13>Nov 21 15:00:00 host app: it happened again, ...",
                1,
                "the senders' addresses differ: one node sees them translated, or behind a relay"));
  }

  @Test
  void example_withACutMessage_showsItsEnd() throws Exception {
    String text = "10.1.2.7 <13>Nov 21 15:00:00 host app: " + "x".repeat(200);
    Mismatch.Example example = differenceOf(text + "yz", text);
    assertThat(example.offset()).isEqualTo(text.length());
    assertThat(example.cause()).contains("cuts");
    assertThat(example.one()).startsWith("...xxx").endsWith("xyz");
  }

  @Test
  void example_withDifferentEscapes_isPrintable() throws Exception {
    Mismatch.Example example =
        differenceOf(
            "10.1.2.7 <13>Nov 21 15:00:00 host app: tab#011and more of it",
            "10.1.2.7 <13>Nov 21 15:00:00 host app: tab\tand more of it \u00ff");
    assertThat(example.offset()).isEqualTo(42);
    assertThat(example.cause()).contains("escaped differently");
    assertThat(example.other()).contains("tab\\x09and").endsWith("\\xff");
  }

  @Test
  void unrelatedMessages_giveNoExample() throws Exception {
    assertThat(differenceOf("10.1.2.7 abcdefgh", "10.1.2.7 ijklmnop")).isNull();
  }

  private static MessageBatch event(int identity, String words, String text) {
    Map<String, String> parts =
        Splitter.on(' ').omitEmptyStrings().withKeyValueSeparator('=').split(words);
    EventHead head =
        new EventHead(
            parts.get("time"),
            parts.get("host"),
            parts.get("source"),
            null,
            parts.get("index"),
            parts.get("fields"),
            EventHead.Content.valueOf(parts.getOrDefault("content", "TEXT")));
    String sender = parts.getOrDefault("sender", parts.getOrDefault("host", ""));
    return DeliveryRequests.event(head, identity, sender + " " + text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # one stream's event, and its text | the other's | what differs
          host=h time=1         | at it again  | host=h.x time=1.2      | at it again  | host differs: compare the clients' settings
          host=h index=a        | at it again  | host=h source=s        | at it again  | index, source differ: compare the clients' settings
          host=h sender=1.1.1.1 | at it again  | host=h sender=1.1.1.2  | at it again  | the senders' addresses differ
          host=h time=1         | at it again  | host=h time=1.2        | at it again  | time differs: these count with some values of identity.product only
          host=h fields="a":1   | at it again  | host=h fields="a":2    | at it again  | fields/a differs: these count
          host=h                | at it again  | host=h                 | at it again  | nothing in the events differs: compare identity
          host=h                | at	it again | host=h                 | at#011it again | control characters are escaped differently
          host=h                | at it again  | host=h index=i         | at it again! | one text is the beginning of the other: compare the clients' limits and formats; index differs
          host=h content=JSON   | {"a":1,"b":"it happened"} | host=h content=JSON | {"b":"it happened","a":1} | the JSON's keys have another order: set identity.ignore-key-order
          host=h content=JSON   | {"m":{"i/d":1},"b":"it happened"} | host=h content=JSON | {"m":{"i/d":2},"b":"it happened"} | /m/i~1d differs in the JSON: if these parts mean nothing, set identity.ignore
          host=h content=JSON   | {"a":["it happened",1]} | host=h content=JSON | {"a":["it happened",2]} | /a/1 differs in the JSON
          host=h content=JSON   | {"a":"it happened"} | host=h              | {"a":"it happened"} | only one event is JSON
          """)
  void example_ofEvents_namesWhatDiffers(
      String one, String oneText, String other, String otherText, String cause) {
    Samples samples = new Samples(2);
    samples.enable(true);
    BitSet all = new BitSet();
    all.set(0);
    // Two events from one host are a closer match than the same text from another host.
    samples.offer(event(3, "host=unlike index=x", oneText), 0, all);
    samples.offer(event(1, one, oneText), 0, all);
    samples.offer(event(2, other, otherText), 1, all);

    Mismatch.Example example = Alike.find(samples.of(0), samples.of(1));

    assertThat(example.cause()).contains(cause);
    assertThat(example.one()).contains("host=h");
    assertThat(example.other()).contains("host=h");
  }

  /** Events of one identity are shared, whatever else differs. */
  @Test
  void equalEvents_areNoExample() {
    Samples samples = new Samples(2);
    samples.enable(true);
    BitSet all = new BitSet();
    all.set(0);
    samples.offer(event(1, "host=h time=1", "at it again"), 0, all);
    samples.offer(event(1, "host=h time=2", "at it again"), 1, all);
    assertThat(Alike.find(samples.of(0), samples.of(1))).isNull();

    samples.offer(batch(true, "h at it again"), 1, all);
    assertThat(Alike.find(samples.of(0), samples.of(1)).cause())
        .contains("one stream has events by HEC");
  }

  /** Reordered keys change the beginning and the end of a text. */
  @Test
  void samples_fromLargeStreams_includeTheSameEvents_whenTheirKeysAreInAnotherOrder() {
    Samples samples = new Samples(2);
    samples.enable(true);
    BitSet all = new BitSet();
    all.set(0);
    for (int i = 0; i < 5_000; i++) {
      String member = "\"number %d of many\":%d".formatted(i, i);
      String id = "\"id\":" + 7 * i;
      samples.offer(event(i % 100, "content=JSON", "{" + member + "," + id + "}"), 0, all);
      samples.offer(event(100, "content=JSON", "{" + id + "," + member + "}"), 1, all);
    }

    assertThat(Alike.find(samples.of(0), samples.of(1)).cause()).contains("another order");
  }

  @Test
  void samples_fromLargeStreams_includeTheSameMessages() throws Exception {
    Samples samples = new Samples(2);
    samples.enable(true);
    for (int i = 0; i < 5_000; i++) {
      BitSet kept = new BitSet();
      kept.set(0);
      String text = " <13>host app: message number " + i;
      samples.offer(batch(true, "10.1.1.1" + text), 0, kept);
      samples.offer(batch(true, "10.9.9.9" + text), 1, kept);
    }
    Mismatch.Example example = Alike.find(samples.of(0), samples.of(1));

    assertThat(samples.of(0)).hasSizeLessThanOrEqualTo(32);
    assertThat(example.cause()).contains("addresses");
  }
}
