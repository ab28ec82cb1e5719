package io.duplog.ingest.batch;

import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Partition;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers messages, separately for each queue, until a batch is full. Where it cuts depends only on
 * the messages since the last {@link #cut} or {@link #drop}, so the same transaction always makes
 * the same batches. For one thread.
 */
public final class Batcher {

  /** Receives completed batches. */
  public interface BatchHandler {
    /** Called when a batch is full or was cut; {@code queue} is the number of its queue. */
    void batch(EncodedBatch batch, int queue) throws IOException, InterruptedException;
  }

  /**
   * Least bytes for a queue's batch, because smaller batches cost more than the memory is worth.
   */
  private static final long SMALLEST_SHARE = 64 * 1024;

  /** Encoders of the batches that are being gathered, by the number of the queue. */
  private final BatchEncoder[] encoders;

  /** Chooses the queue of a message; null if there is only one queue. */
  private final @Nullable Partition partition;

  private final JoinedMessages joinedMessages;
  private final boolean senderPrefixed;
  private final boolean compress;
  private final int maxMessages;
  private final long maxBytes;
  private final BatchHandler handler;

  public Batcher(BatchSettings settings, boolean senderPrefixed, int queues, BatchHandler handler) {
    this.senderPrefixed = senderPrefixed;
    this.joinedMessages = new JoinedMessages(senderPrefixed, Time.SYSTEM);
    this.compress = settings.compress();
    this.encoders =
        IntStream.range(0, queues).mapToObj(queue -> encoder()).toArray(BatchEncoder[]::new);
    this.partition = queues == 1 ? null : new Partition(senderPrefixed, queues);
    this.maxMessages = settings.maxMessages();
    // All queues together gather what one alone would, because the heap is sized for that.
    long most = settings.maxBytes().bytes();
    this.maxBytes = Math.min(most, Math.max(SMALLEST_SHARE, most / queues));
    this.handler = handler;
  }

  private BatchEncoder encoder() {
    return new BatchEncoder(senderPrefixed, compress);
  }

  public void add(byte[] source, int offset, int length) throws IOException, InterruptedException {
    joinedMessages.look(source, offset, length);
    int queue = partition == null ? 0 : partition.of(source, offset, length);
    BatchEncoder encoder = encoders[queue];
    if (encoder.count() > 0 && encoder.size() + (long) length > maxBytes) {
      cut(queue);
    }
    if (length > maxBytes) {
      // In an encoder of its own, because the one of each queue keeps its buffers.
      try (BatchEncoder alone = encoder()) {
        alone.add(source, offset, length);
        handler.batch(alone.encode(), queue);
      }
      return;
    }
    encoder.add(source, offset, length);
    if (encoder.count() >= maxMessages || encoder.size() >= maxBytes) {
      cut(queue);
    }
  }

  /** Completes the batches that are being gathered, and hands them to the handler. */
  public void cut() throws IOException, InterruptedException {
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

  /** Discards the messages that are being gathered. */
  public void drop() {
    for (BatchEncoder encoder : encoders) {
      encoder.clear();
    }
  }

  /** Whether no messages are being gathered. */
  public boolean isEmpty() {
    return Arrays.stream(encoders).allMatch(encoder -> encoder.count() == 0);
  }
}
