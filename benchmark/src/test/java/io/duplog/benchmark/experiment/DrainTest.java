package io.duplog.benchmark.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that a measurement stops waiting when all messages have arrived, or when nothing more
 * arrives for a minute.
 */
class DrainTest {
  /**
   * Each sample of 100 messages has the second, the number of arrived messages, and the number of
   * queued batches.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          all arrived, quiet for a second         | 10 100 0, 10.9 101 0, 11.8 101 0    | 11.9 101 0
          batches are queued: no end before that  | 10 100 1, 20 100 1, 21 100 0        | 22 100 0
          some are missing, nothing came for long | 10 98 0, 69 99 0, 128.9 99 0        | 129 99 0
          """)
  void isOver_samples_isTrueOnlyAfterLastSample(
      String name, String samplesBefore, String lastSample) {
    Drain drain = new Drain();
    for (String sample : Splitter.on(", ").split(samplesBefore)) {
      assertThat(isOver(drain, sample)).as(sample).isFalse();
    }
    assertThat(isOver(drain, lastSample)).isTrue();
  }

  private static boolean isOver(Drain drain, String sample) {
    List<Double> parts = Splitter.on(' ').splitToStream(sample).map(Double::valueOf).toList();
    long nanos = Math.round(parts.get(0) * TimeUnit.SECONDS.toNanos(1));
    long delivered = Math.round(parts.get(1));
    return drain.isOver(100 - delivered, delivered, Math.round(parts.get(2)), nanos);
  }
}
