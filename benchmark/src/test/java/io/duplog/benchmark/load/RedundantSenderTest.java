package io.duplog.benchmark.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the sender of real syslog to several streams, with withheld copies and repeats. */
class RedundantSenderTest {
  private static final Pattern RFC3164 =
      Pattern.compile("<\\d{1,3}>Nov 21 \\d\\d:\\d\\d:\\d\\d \\S+ \\S+\\[\\d+]: .+");
  private static final Pattern RFC5424 =
      Pattern.compile(
          "<\\d{1,3}>1 2026-11-21T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z \\S+ \\S+ \\d+ - \\[[^]]+] .+");

  private final Multiset<String> first = HashMultiset.create();
  private final Multiset<String> second = HashMultiset.create();
  private final List<String> order = new ArrayList<>();
  private long nanos;

  @Test
  void everyMessage_withoutLoss_isSyslogOfBothFormats_andReachesEveryStreamOnce()
      throws IOException {
    RedundantSender sender = runToTheEnd(plan(0, 0));

    assertThat(first).isEqualTo(second).doesNotHaveDuplicates().hasSize(20_000);
    assertThat(sender.sent()).isEqualTo(20_000);
    assertThat(sender.copies()).isEqualTo(40_000);
    assertThat(sender.record().promised())
        .extracting(Tally::total)
        .containsExactly(20_000L, 20_000L);
    assertThat(order).hasSize(40_000);
    assertThat(first)
        .allMatch(text -> RFC3164.matcher(text).matches() || RFC5424.matcher(text).matches())
        .anyMatch(text -> RFC3164.matcher(text).matches())
        .anyMatch(text -> RFC5424.matcher(text).matches())
        .noneMatch(text -> text.contains("{id}") || text.chars().anyMatch(c -> c < ' '));
  }

  @Test
  void withheldCopies_ofOneIdentity_areMissingFromOneStreamOnly() throws IOException {
    RedundantSender sender = runToTheEnd(plan(5, 10));

    // Every slot of the schedule counts in full on the stream that is not spared.
    assertThat(Multisets.union(first, second)).hasSize((int) sender.sent());
    assertThat(40_000 - sender.copies()).isBetween(1_700L, 2_300L);
    assertThat(Multisets.difference(second, first).elementSet()).hasSizeBetween(700, 1_200);
    assertThat(Multisets.difference(first, second).elementSet()).hasSizeBetween(700, 1_200);
  }

  @Test
  void repeats_areByteIdenticalAndTwoToFiveAlike() throws IOException {
    runToTheEnd(plan(0, 5));

    Multiset<Integer> howMany = HashMultiset.create();
    first.entrySet().forEach(text -> howMany.add(text.getCount()));
    // The last ones may have copies to come when time is up.
    assertThat(howMany.elementSet()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    assertThat(howMany.count(5)).isGreaterThan(100);
  }

  @Test
  void times_ofBothFormats_areThoseOfTheStandards() {
    Instant time = Instant.parse("2026-11-03T23:04:05.006Z");
    SyslogText texts = new SyslogText(ZoneOffset.ofHours(1), 1_000_000, 1, time.toEpochMilli());
    assertThat(IntStream.range(0, 100))
        .extracting(i -> new String(texts.message(i), StandardCharsets.UTF_8))
        .allMatch(t -> t.contains(">Nov  4 00:04:05 ") || t.contains("1 2026-11-03T23:04:05.006Z "))
        .anyMatch(text -> text.contains(">Nov  4 "));
  }

  @Test
  void number_isReadBack_fromAnIntactMessageOnly() {
    SyslogText texts = new SyslogText(ZoneOffset.UTC, 5_000, 7, 1_795_000_000_000L);
    for (long serial = 0; serial < 2_000; serial++) {
      byte[] message = ("xx" + new String(texts.message(serial), ISO_8859_1)).getBytes(ISO_8859_1);
      assertThat(texts.serialOf(message, 2, message.length - 2)).isEqualTo(serial);
      assertThat(texts.serialOf(message, 2, message.length - 3)).as("torn").isEqualTo(-1);
      int place = 2 + (int) (serial % (message.length - 2));
      message[place] ^= 1;
      assertThat(texts.serialOf(message, 2, message.length - 2)).as("altered").isEqualTo(-1);
    }
    byte[] another = new SyslogText(ZoneOffset.UTC, 5_000, 8, 1_795_000_000_000L).message(3);
    assertThat(texts.serialOf(another, 0, another.length)).isEqualTo(-1);
    assertThat(texts.serialOf(new byte[0], 0, 0)).isEqualTo(-1);
  }

  @Test
  void sameSeed_sendsTheSame() throws IOException {
    runToTheEnd(plan(5, 10));
    List<String> before = List.copyOf(order);
    order.clear();
    nanos = 0;
    runToTheEnd(plan(5, 10));

    assertThat(order).isEqualTo(before);
  }

  @Test
  void schedule_afterAPause_catchesUpWithItsAbsoluteTimes() throws IOException {
    RedundantSender sender = sender(plan(0, 0));
    nanos = TimeUnit.MILLISECONDS.toNanos(10);
    sender.runOnce();
    assertThat(sender.sent()).isEqualTo(50);

    nanos = TimeUnit.MILLISECONDS.toNanos(500);
    assertThat(sender.runOnce()).isTrue();
    assertThat(sender.sent()).isEqualTo(2_500);
    assertThat(sender.mostBehindNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(490));

    nanos = TimeUnit.SECONDS.toNanos(100);
    assertThat(sender.runOnce()).isFalse();
    assertThat(sender.sent()).isEqualTo(20_000);
  }

  @Test
  void plan_thatWithholdsAMessageFromAllStreams_isRefused() {
    assertThatThrownBy(() -> plan(51, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "loss must lie between 0 and 50.0 percent, was 51.0: every message goes to one stream"
                + " at least");
  }

  private static LoadPlan plan(double lossPercent, double repeatPercent) {
    return new LoadPlan(5_000, Duration.ofSeconds(4), 2, lossPercent, repeatPercent, 7);
  }

  private RedundantSender runToTheEnd(LoadPlan plan) throws IOException {
    RedundantSender sender = sender(plan);
    do {
      nanos += TimeUnit.MILLISECONDS.toNanos(1);
    } while (sender.runOnce());
    return sender;
  }

  private RedundantSender sender(LoadPlan plan) {
    return new RedundantSender(
        plan,
        (stream, message) -> {
          String text = new String(message, StandardCharsets.UTF_8);
          (stream == 0 ? first : second).add(text);
          order.add(stream + text);
        },
        () -> nanos,
        InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z")));
  }
}
