package io.duplog.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ByteSize;
import io.duplog.wire.Partition;
import java.time.Duration;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Tests the memory that batches of several queues take. */
class BatcherTest {
  private static final int QUEUES = 64;
  private static final int BIG = 16 << 20;

  /** The tests' JVM has less memory than one buffer for each queue would take. */
  @Test
  void longMessages_inManyQueues_takeTheMemoryOfOne() throws Exception {
    assertThat(Runtime.getRuntime().maxMemory()).isLessThan((long) QUEUES * BIG);
    BatchSettings settings =
        new BatchSettings(
            4096, new ByteSize(1 << 20), Duration.ofMillis(15), false, new ByteSize(8 << 20));
    BitSet came = new BitSet();
    Batcher batcher = new Batcher(settings, false, QUEUES, (batch, queue) -> came.set(queue));
    Partition partition = new Partition(false, QUEUES);
    byte[] message = new byte[BIG];
    for (int i = 0; came.cardinality() < QUEUES; i++) {
      message[0] = (byte) i;
      message[1] = (byte) (i >> 8);
      if (!came.get(partition.of(message, 0, BIG))) {
        batcher.add(message, 0, BIG);
      }
    }

    assertThat(batcher.isEmpty()).isTrue();
  }
}
