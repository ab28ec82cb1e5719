package io.duplog.ingest.omprog;

import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Partition;
import java.io.IOException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers messages, for each queue apart, until a batch is full. Where it cuts depends on nothing
 * but the messages since the last {@link #cut} or {@link #drop}: the same transaction always falls
 * into the same batches. For one thread.
 */
final class Batcher {

  /** What is to be done with a batch. */
  interface BatchHandler {
    /** A batch is full, or cut, for the queue of this number. */
    void batch(EncodedBatch batch, int queue) throws IOException, InterruptedException;
  }

  /** Smaller batches would cost every station more than the memory is worth. */
  private static final long SMALLEST_SHARE = 64 * 1024;

  /** By the number of the queue. */
  private final BatchEncoder[] encoders;

  /** Null where there is but one queue: then it costs nothing. */
  private final @Nullable Partition partition;

  private final int maxMessages;
  private final long maxBytes;
  private final BatchHandler handler;

  Batcher(BatchSettings settings, boolean senderPrefixed, int queues, BatchHandler handler) {
    this.encoders =
        IntStream.range(0, queues)
            .mapToObj(queue -> new BatchEncoder(senderPrefixed, settings.compress()))
            .toArray(BatchEncoder[]::new);
    this.partition = queues == 1 ? null : new Partition(senderPrefixed, queues);
    this.maxMessages = settings.maxMessages();
    // All queues together gather what one alone would: the heap is made for that.
    long most = settings.maxBytes().bytes();
    this.maxBytes = Math.min(most, Math.max(SMALLEST_SHARE, most / queues));
    this.handler = handler;
  }

  void add(byte[] source, int offset, int length) throws IOException, InterruptedException {
    int queue = partition == null ? 0 : partition.of(source, offset, length);
    BatchEncoder encoder = encoders[queue];
    if (encoder.count() > 0 && encoder.size() + (long) length > maxBytes) {
      cut(queue);
    }
    encoder.add(source, offset, length);
    if (encoder.count() >= maxMessages || encoder.size() >= maxBytes) {
      cut(queue);
    }
  }

  /** Ends the batches that are being gathered. */
  void cut() throws IOException, InterruptedException {
    for (int queue = 0; queue < encoders.length; queue++) {
      cut(queue);
    }
  }

  private void cut(int queue) throws IOException, InterruptedException {
    BatchEncoder encoder = encoders[queue];
    if (encoder.count() > 0) {
      EncodedBatch batch = encoder.encode();
      encoder.clear();
      handler.batch(batch, queue);
    }
  }

  /** Forgets the batches that are being gathered. */
  void drop() {
    for (BatchEncoder encoder : encoders) {
      encoder.clear();
    }
  }

  /** Whether nothing is being gathered. */
  boolean isEmpty() {
    for (BatchEncoder encoder : encoders) {
      if (encoder.count() > 0) {
        return false;
      }
    }
    return true;
  }
}
