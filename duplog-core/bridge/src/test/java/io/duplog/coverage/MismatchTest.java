package io.duplog.coverage;

import static io.duplog.deliver.DeliveryRequests.batch;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
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
