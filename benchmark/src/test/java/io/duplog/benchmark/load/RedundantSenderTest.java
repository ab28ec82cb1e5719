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

/**
 * Tests that the simulated sender sends each message to every stream, except for the copies that it
 * withholds, and repeats messages as planned.
 */
class RedundantSenderTest {
  private static final Pattern RFC3164 =
      Pattern.compile("<\\d{1,3}>Nov 21 \\d\\d:\\d\\d:\\d\\d \\S+ \\S+\\[\\d+]: .+");
  private static final Pattern RFC5424 =
      Pattern.compile(
          "<\\d{1,3}>1 2026-11-21T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z \\S+ \\S+ \\d+ - \\[[^]]+] .+");

  private final Multiset<String> firstStream = HashMultiset.create();
  private final Multiset<String> secondStream = HashMultiset.create();
  private final List<String> sentCopies = new ArrayList<>();
  private long nanos;

  @Test
  void run_noLossConfigured_sendsBothSyslogFormatsOnceToEveryStream() throws IOException {
    RedundantSender newSender = runAll(plan(0, 0));

    assertThat(firstStream).isEqualTo(secondStream).doesNotHaveDuplicates().hasSize(20_000);
    assertThat(newSender.sent()).isEqualTo(20_000);
    assertThat(newSender.copies()).isEqualTo(40_000);
    assertThat(newSender.record().requiredTallies())
        .extracting(Tally::total)
        .containsExactly(20_000L, 20_000L);
    assertThat(sentCopies).hasSize(40_000);
    assertThat(firstStream)
        .allMatch(text -> RFC3164.matcher(text).matches() || RFC5424.matcher(text).matches())
        .anyMatch(text -> RFC3164.matcher(text).matches())
        .anyMatch(text -> RFC5424.matcher(text).matches())
        .noneMatch(text -> text.contains("{id}") || text.chars().anyMatch(c -> c < ' '));
  }

  @Test
  void run_copiesWithheld_oneIdentityLacksCopiesOnOneStreamOnly() throws IOException {
    RedundantSender newSender = runAll(plan(5, 10));

    // Each slot of the schedule has its copy on at least one stream.
    assertThat(Multisets.union(firstStream, secondStream)).hasSize((int) newSender.sent());
    assertThat(40_000 - newSender.copies()).isBetween(1_700L, 2_300L);
    assertThat(Multisets.difference(secondStream, firstStream).elementSet())
        .hasSizeBetween(700, 1_200);
    assertThat(Multisets.difference(firstStream, secondStream).elementSet())
        .hasSizeBetween(700, 1_200);
  }

  @Test
  void run_messagesRepeated_sendsTwoToFiveIdenticalCopies() throws IOException {
    runAll(plan(0, 5));

    Multiset<Integer> countFrequencies = HashMultiset.create();
    firstStream.entrySet().forEach(text -> countFrequencies.add(text.getCount()));
    // The last messages may still have repetitions to come when the run ends.
    assertThat(countFrequencies.elementSet()).containsExactlyInAnyOrder(1, 2, 3, 4, 5);
    assertThat(countFrequencies.count(5)).isGreaterThan(100);
  }

  @Test
  void message_bothFormats_hasStandardTimeStamp() {
    Instant time = Instant.parse("2026-11-03T23:04:05.006Z");
    SyslogText texts = new SyslogText(ZoneOffset.ofHours(1), 1_000_000, 1, time.toEpochMilli());
    assertThat(IntStream.range(0, 100))
        .extracting(i -> new String(texts.message(i), StandardCharsets.UTF_8))
        .allMatch(t -> t.contains(">Nov  4 00:04:05 ") || t.contains("1 2026-11-03T23:04:05.006Z "))
        .anyMatch(text -> text.contains(">Nov  4 "));
  }

  @Test
  void serialOf_alteredOrForeignMessage_isNegative() {
    SyslogText texts = new SyslogText(ZoneOffset.UTC, 5_000, 7, 1_795_000_000_000L);
    for (long serial = 0; serial < 2_000; serial++) {
      byte[] message = ("xx" + new String(texts.message(serial), ISO_8859_1)).getBytes(ISO_8859_1);
      assertThat(texts.serialOf(message, 2, message.length - 2)).isEqualTo(serial);
      assertThat(texts.serialOf(message, 2, message.length - 3)).as("truncated").isEqualTo(-1);
      int position = 2 + (int) (serial % (message.length - 2));
      message[position] ^= 1;
      assertThat(texts.serialOf(message, 2, message.length - 2)).as("altered").isEqualTo(-1);
    }
    byte[] foreignMessage = new SyslogText(ZoneOffset.UTC, 5_000, 8, 1_795_000_000_000L).message(3);
    assertThat(texts.serialOf(foreignMessage, 0, foreignMessage.length)).isEqualTo(-1);
    assertThat(texts.serialOf(new byte[0], 0, 0)).isEqualTo(-1);
  }

  @Test
  void run_sameSeed_sendsSameMessages() throws IOException {
    runAll(plan(5, 10));
    List<String> firstRun = List.copyOf(sentCopies);
    sentCopies.clear();
    nanos = 0;
    runAll(plan(5, 10));

    assertThat(sentCopies).isEqualTo(firstRun);
  }

  @Test
  void runOnce_afterPause_sendsAllDueMessages() throws IOException {
    RedundantSender newSender = newSender(plan(0, 0));
    nanos = TimeUnit.MILLISECONDS.toNanos(10);
    newSender.runOnce();
    assertThat(newSender.sent()).isEqualTo(50);

    nanos = TimeUnit.MILLISECONDS.toNanos(500);
    assertThat(newSender.runOnce()).isTrue();
    assertThat(newSender.sent()).isEqualTo(2_500);
    assertThat(newSender.maxDelayNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(490));

    nanos = TimeUnit.SECONDS.toNanos(100);
    assertThat(newSender.runOnce()).isFalse();
    assertThat(newSender.sent()).isEqualTo(20_000);
  }

  @Test
  void loadPlan_lossOnAllStreams_isRejected() {
    assertThatThrownBy(() -> plan(51, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "loss must lie between 0 and 50.0 percent, was 51.0: every message goes to one stream"
                + " at least");
  }

  private static LoadPlan plan(double lossPercent, double repeatPercent) {
    return new LoadPlan(5_000, Duration.ofSeconds(4), 2, lossPercent, repeatPercent, 7);
  }

  private RedundantSender runAll(LoadPlan plan) throws IOException {
    RedundantSender newSender = newSender(plan);
    do {
      nanos += TimeUnit.MILLISECONDS.toNanos(1);
    } while (newSender.runOnce());
    return newSender;
  }

  private RedundantSender newSender(LoadPlan plan) {
    return new RedundantSender(
        plan,
        (stream, message) -> {
          String text = new String(message, StandardCharsets.UTF_8);
          (stream == 0 ? firstStream : secondStream).add(text);
          sentCopies.add(stream + text);
        },
        () -> nanos,
        InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z")));
  }
}
