package io.duplog.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that no two batches have one id. */
class BatchIdsTest {
  @Test
  void ids_ofOneMillisecond_differ() {
    BatchIds ids = new BatchIds(() -> 1_800_000_000_000L);
    String first = ids.next();
    assertThat(ids.next()).isNotEqualTo(first).hasSizeLessThanOrEqualTo(64);
  }

  /** A host that is set back to a snapshot with its memory counts on from there. */
  @Test
  void ids_ofTwoTimes_differ_whateverTheCount() {
    AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    BatchIds ids = new BatchIds(millis::get);
    String before = ids.next();
    millis.addAndGet(1);
    String after = ids.next();
    assertThat(after.substring(after.lastIndexOf('-')))
        .isNotEqualTo(before.substring(before.lastIndexOf('-')));
  }
}
