package io.duplog.ingest.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.config.ByteSize;
import io.duplog.wire.MessageForm;
import io.duplog.wire.Partition;
import java.time.Duration;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/**
 * Tests that gathering long messages into batches needs the same memory for many queues as for one.
 */
class BatcherTest {
  private static final int QUEUES = 64;
  private static final int MESSAGE_BYTES = 16 << 20;

  /** The tests' JVM has less memory than one buffer per queue would need. */
  @Test
  void add_longMessagesForManyQueues_needsMemoryOfOne() throws Exception {
    assertThat(Runtime.getRuntime().maxMemory()).isLessThan((long) QUEUES * MESSAGE_BYTES);
    BatchSettings settings =
        new BatchSettings(
            4096, new ByteSize(1 << 20), Duration.ofMillis(15), false, new ByteSize(8 << 20));
    BitSet queuesWithBatch = new BitSet();
    Batcher batcher =
        new Batcher(
            settings, MessageForm.TEXT, QUEUES, (batch, queue) -> queuesWithBatch.set(queue));
    Partition partition = new Partition(MessageForm.TEXT, QUEUES);
    byte[] message = new byte[MESSAGE_BYTES];
    for (int i = 0; queuesWithBatch.cardinality() < QUEUES; i++) {
      message[0] = (byte) i;
      message[1] = (byte) (i >> 8);
      if (!queuesWithBatch.get(partition.of(message, 0, MESSAGE_BYTES))) {
        batcher.add(message, 0, MESSAGE_BYTES);
      }
    }

    assertThat(batcher.isEmpty()).isTrue();
  }
}
