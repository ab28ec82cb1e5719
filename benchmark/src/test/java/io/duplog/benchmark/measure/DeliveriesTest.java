package io.duplog.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.duplog.benchmark.load.NumberedLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveriesTest {
  private static final NumberedLines LINES = NumberedLines.accessLog(1);

  private @TempDir Path folder;
  private Path file;
  private long now;
  private Growth growth;

  @BeforeEach
  void emptyFile() {
    file = folder.resolve("merged");
    growth = new Growth(file, () -> now);
  }

  @Test
  void rate_isOfWhatArrivedInTheWindow() throws IOException {
    deliver(millis(999), 0);
    deliver(millis(1_000), 1, 2);
    deliver(millis(1_999), 3);
    deliver(millis(2_000), 4, 5, 6);
    deliver(millis(3_499), 7);
    deliver(millis(3_500), 8);

    Deliveries deliveries = read(1_000, 3_500, DeliveriesTest::whenTaken);

    assertThat(deliveries.inWindow()).isEqualTo(7);
    assertThat(deliveries.against(9, 18)).isEqualTo(new Reconciliation(9, 18, 9, 0, 0, 0));
    assertThat(deliveries.latency().count()).isZero();
  }

  @Test
  void duplicates_countOnce_andAtTheirFirstTime() throws IOException {
    deliver(millis(500), 0);
    deliver(millis(1_500), 0, 1, 1);

    Deliveries deliveries = read(1_000, 2_000, DeliveriesTest::whenTaken);

    assertThat(deliveries.inWindow()).isEqualTo(1);
    assertThat(deliveries.against(2, 4).duplicated()).isEqualTo(2);
  }

  @Test
  void latency_isOfWhatWasToLeaveInTheWindow_wheneverItArrived() throws IOException {
    deliver(millis(1_010), 0, 1);
    deliver(millis(5_000), 2, 3);

    // 0 was to leave before the window, 1 at its beginning, 2 before its end, 3 at its end.
    long[] due = {millis(990), millis(1_000), millis(1_999), millis(2_000)};
    Latency latency = read(1_000, 2_000, serial -> due[(int) serial]).latency();

    assertThat(latency.count()).isEqualTo(2);
    assertThat(latency.averageMillis()).isCloseTo((10 + 3_001) / 2.0, within(2.0));
    assertThat(latency.p50Millis()).isCloseTo(10, within(0.1));
    assertThat(latency.maxMillis()).isCloseTo(3_001, within(3.0));
  }

  @Test
  void torn_corruptedAndForeignLines_haveNoTime() throws IOException {
    deliver(millis(1_000), 0);
    Files.writeString(file, "no such message\ntorn", StandardOpenOption.APPEND);
    lookAt(millis(1_500));

    Deliveries deliveries = read(1_000, 2_000, serial -> millis(1_000));

    assertThat(deliveries.inWindow()).isEqualTo(1);
    assertThat(deliveries.latency().count()).isEqualTo(1);
    assertThat(deliveries.against(1, 2).corrupted()).isEqualTo(2);
  }

  @Test
  void fileOfABridgeThatNeverDelivered_isEmpty_andAWindowWithoutLengthRefused() throws IOException {
    Deliveries deliveries = read(1_000, 2_000, DeliveriesTest::whenTaken);
    assertThat(deliveries.against(3, 6)).isEqualTo(new Reconciliation(3, 6, 0, 3, 0, 0));
    assertThatThrownBy(() -> read(5, 5, DeliveriesTest::whenTaken))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a window from 5000000 to 5000000");
  }

  private static long whenTaken(long serial) {
    return -1;
  }

  private Deliveries read(long fromMillis, long toMillis, LongUnaryOperator sentNanos)
      throws IOException {
    return Deliveries.read(
        new SerialTally(LINES),
        List.of(growth),
        new Deliveries.Window(millis(fromMillis), millis(toMillis)),
        sentNanos);
  }

  private void deliver(long nanos, long... serials) throws IOException {
    byte[] line = new byte[LINES.length() + 1];
    line[LINES.length()] = '\n';
    for (long serial : serials) {
      LINES.write(serial, line, 0);
      Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    lookAt(nanos);
  }

  private void lookAt(long nanos) {
    now = nanos;
    growth.look();
  }

  private static long millis(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }
}
