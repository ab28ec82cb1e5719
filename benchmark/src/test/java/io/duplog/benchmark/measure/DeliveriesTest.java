package io.duplog.benchmark.measure;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.load.NumberedLines;
import io.duplog.benchmark.load.Sent;
import io.duplog.benchmark.load.Tally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.assertj.core.util.DoubleComparator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a measurement counts the messages that arrived in its time window, and computes their
 * latency.
 */
class DeliveriesTest {
  private static final NumberedLines LINES = NumberedLines.accessLog(1);

  private @TempDir Path folder;
  private Path file;
  private long now;
  private MergedStream merged;

  @BeforeEach
  void createStreamWithoutFile() throws IOException {
    file = folder.resolve("merged");
    merged = new MergedStream(List.of(file), LINES, () -> now);
  }

  @Test
  void arrived_severalMessages_countsThoseInWindow() throws IOException {
    appendAndLook(millis(999), 0);
    appendAndLook(millis(1_000), 1, 2);
    appendAndLook(millis(1_999), 3);
    appendAndLook(millis(2_000), 4, 5, 6);
    appendAndLook(millis(3_499), 7);
    appendAndLook(millis(3_500), 8);

    Deliveries deliveries = read(1_000, 3_500, DeliveriesTest::noDueTime);

    assertThat(deliveries.windows().get(0).arrived()).isEqualTo(7);
    assertThat(counts(9)).isEqualTo(new Reconciliation(9, 18, 9, 0, 0, 0));
    assertThat(deliveries.windows().get(0).latency().count()).isZero();
  }

  @Test
  void arrived_duplicates_countsFirstArrivalOnly() throws IOException {
    appendAndLook(millis(500), 0);
    appendAndLook(millis(1_500), 0, 1, 1);

    Deliveries deliveries = read(1_000, 2_000, DeliveriesTest::noDueTime);

    assertThat(deliveries.windows().get(0).arrived()).isEqualTo(1);
    assertThat(counts(2).duplicated()).isEqualTo(2);
  }

  @Test
  void latency_severalMessages_coversThoseDueInWindow() throws IOException {
    appendAndLook(millis(1_010), 0, 1);
    appendAndLook(millis(5_000), 2, 3);

    // Message 0 was due before the window, 1 at its beginning, 2 before its end, and 3 at its end.
    long[] due = {millis(990), millis(1_000), millis(1_999), millis(2_000)};
    assertAbout(
        read(1_000, 2_000, serial -> due[(int) serial]).windows().get(0).latency(),
        new Latency(2, (10 + 3_001) / 2.0, 10, 3_001, 3_001, 3_001, 3_001));
  }

  @Test
  void windows_overlapping_haveOwnCountsAndLatencyPerSecond() throws IOException {
    appendAndLook(millis(1_100), 0);
    appendAndLook(millis(2_500), 1, 0, 2);
    long[] due = {millis(1_000), millis(1_500), millis(2_400)};

    Deliveries deliveries =
        read(List.of(window(1_000, 2_000), window(1_000, 3_000)), serial -> due[(int) serial]);

    assertThat(deliveries.windows()).extracting(each -> each.arrived()).containsExactly(1L, 3L);
    assertThat(deliveries.windows()).extracting(each -> each.repeated()).containsExactly(0L, 1L);
    assertAbout(
        deliveries.windows().get(0).latency(),
        new Latency(2, 550, 100, 1_000, 1_000, 1_000, 1_000));
    assertThat(deliveries.windows().get(1).latencyOfEachSecond())
        .satisfiesExactly(
            first -> assertThat(first.count()).isEqualTo(2),
            second -> assertAbout(second, new Latency(1, 100, 100, 100, 100, 100, 100)));
  }

  @Test
  void record_outsideOfRange_isLimitedToRange() {
    Latency.Recorder recorder = new Latency.Recorder();
    LongStream.rangeClosed(1, 1_000).map(DeliveriesTest::millis).forEach(recorder::record);
    assertAbout(recorder.latency(), new Latency(1_000, 500.5, 500, 750, 950, 990, 1_000));

    LongStream.range(0, 2_000).forEach(each -> recorder.record(-5));
    recorder.record(TimeUnit.HOURS.toNanos(3));
    assertThat(recorder.latency().p50Millis()).isEqualTo(0.001);
    assertThat(recorder.latency().maxMillis()).isGreaterThanOrEqualTo(3_600_000);
  }

  private static void assertAbout(Latency latency, Latency expected) {
    assertThat(latency)
        .usingRecursiveComparison()
        .withComparatorForType(new DoubleComparator(2), Double.class)
        .isEqualTo(expected);
  }

  @Test
  void arrived_truncatedOrForeignLine_isNotCounted() throws IOException {
    appendAndLook(millis(1_000), 0);
    append("no such message\ntorn");
    lookAtTime(millis(1_500));

    Deliveries deliveries = read(1_000, 2_000, serial -> millis(1_000));

    assertThat(deliveries.windows().get(0).arrived()).isEqualTo(1);
    assertThat(deliveries.windows().get(0).latency().count()).isEqualTo(1);
    assertThat(counts(1).corrupted()).isEqualTo(2);
  }

  @Test
  void read_fileMissing_countsAllMessagesAsLost() throws IOException {
    read(1_000, 2_000, DeliveriesTest::noDueTime);
    assertThat(counts(1_000_000))
        .isEqualTo(new Reconciliation(1_000_000, 2_000_000, 0, 1_000_000, 0, 0));
  }

  /** Compares with a number of messages that were each sent on two streams. */
  private Reconciliation counts(long sent) {
    return Reconciliation.of(
        Sent.of(Collections.nCopies(2, Tally.oneOfEach(sent))), merged.tally());
  }

  private static long noDueTime(long serial) {
    return -1;
  }

  private Deliveries read(long fromMillis, long toMillis, LongUnaryOperator sentNanos)
      throws IOException {
    return read(List.of(window(fromMillis, toMillis)), sentNanos);
  }

  private Deliveries read(List<Deliveries.Window> windows, LongUnaryOperator sentNanos)
      throws IOException {
    Deliveries deliveries = new Deliveries(windows, sentNanos);
    merged.onArrival(deliveries);
    merged.finish();
    return deliveries;
  }

  private static Deliveries.Window window(long fromMillis, long toMillis) {
    return new Deliveries.Window(millis(fromMillis), millis(toMillis));
  }

  private void appendAndLook(long nanos, long... serials) throws IOException {
    byte[] line = new byte[LINES.length()];
    for (long serial : serials) {
      LINES.write(serial, line, 0);
      append(new String(line, US_ASCII) + "\n");
    }
    lookAtTime(nanos);
  }

  private void append(String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void lookAtTime(long nanos) throws IOException {
    now = nanos;
    merged.look();
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
