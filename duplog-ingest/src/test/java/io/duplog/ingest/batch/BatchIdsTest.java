package io.duplog.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that the shim never gives two batches the same id, even within one millisecond. */
class BatchIdsTest {
  @Test
  void next_sameMillisecond_differs() {
    BatchIds ids = new BatchIds(() -> 1_800_000_000_000L);
    String first = ids.next();
    assertThat(ids.next()).isNotEqualTo(first).hasSizeLessThanOrEqualTo(64);
  }

  /**
   * A host that is restored from a snapshot with its memory continues to count from the snapshot.
   */
  @Test
  void next_laterTime_containsTheTime() {
    AtomicLong millis = new AtomicLong(Long.parseLong("before", Character.MAX_RADIX));
    BatchIds ids = new BatchIds(millis::get);
    assertThat(ids.next()).endsWith("-0-before");
    millis.set(Long.parseLong("after", Character.MAX_RADIX));
    assertThat(ids.next()).endsWith("-1-after");
  }
}
