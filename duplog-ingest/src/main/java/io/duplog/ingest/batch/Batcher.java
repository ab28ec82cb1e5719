package io.duplog.ingest.batch;

import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.MessageForm;
import io.duplog.wire.Partition;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers messages into batches, one for each queue, until a batch is full. The boundaries of the
 * batches depend only on the messages since the last {@link #completeAll} or {@link #drop}, so that
 * equal transactions always produce equal batches. Not thread-safe.
 */
public final class Batcher {

  /** Receives completed batches. */
  public interface BatchHandler {
    /** Called when a batch is complete; {@code queue} is the number of its queue. */
    void batch(EncodedBatch batch, int queue) throws IOException, InterruptedException;
  }

  /**
   * Minimum size limit of a queue's batch. The cost of smaller batches would outweigh the saved
   * memory.
   */
  private static final long MIN_BATCH_BYTES = 64 * 1024;

  /** Encoders of the incomplete batches, by the number of the queue. */
  private final BatchEncoder[] encoders;

  /** Chooses the queue of a message, or null if there is only one queue. */
  private final @Nullable Partition partition;

  /** Warns of lines with several messages, or null if the messages are no lines. */
  private final @Nullable JoinedMessages joinedMessages;

  private final MessageForm form;
  private final boolean compress;
  private final int maxMessages;
  private final long maxBytes;
  private final BatchHandler handler;

  public Batcher(BatchSettings settings, MessageForm form, int queues, BatchHandler handler) {
    this.form = form;
    this.joinedMessages =
        form == MessageForm.EVENT ? null : new JoinedMessages(form.hasSender(), Time.SYSTEM);
    this.compress = settings.compress();
    this.encoders =
        IntStream.range(0, queues).mapToObj(queue -> newEncoder()).toArray(BatchEncoder[]::new);
    this.partition = queues == 1 ? null : new Partition(form, queues);
    this.maxMessages = settings.maxMessages();
    // All queues together gather as much as a single queue would, because the heap is sized for
    // that.
    long configuredBytes = settings.maxBytes().bytes();
    this.maxBytes = Math.min(configuredBytes, Math.max(MIN_BATCH_BYTES, configuredBytes / queues));
    this.handler = handler;
  }

  private BatchEncoder newEncoder() {
    return new BatchEncoder(form, compress);
  }

  public void add(byte[] source, int offset, int length) throws IOException, InterruptedException {
    if (joinedMessages != null) {
      joinedMessages.check(source, offset, length);
    }
    int queue = partition == null ? 0 : partition.of(source, offset, length);
    BatchEncoder encoder = encoders[queue];
    if (encoder.count() > 0 && encoder.size() + (long) length > maxBytes) {
      complete(queue);
    }
    if (length > maxBytes) {
      // Uses a temporary encoder, because the encoders of the queues keep their buffers.
      try (BatchEncoder temporaryEncoder = newEncoder()) {
        temporaryEncoder.add(source, offset, length);
        handler.batch(temporaryEncoder.encode(), queue);
      }
      return;
    }
    encoder.add(source, offset, length);
    if (encoder.count() >= maxMessages || encoder.size() >= maxBytes) {
      complete(queue);
    }
  }

  /** Completes all incomplete batches, and passes them to the handler. */
  public void completeAll() throws IOException, InterruptedException {
    for (int queue = 0; queue < encoders.length; queue++) {
      complete(queue);
    }
  }

  private void complete(int queue) throws IOException, InterruptedException {
    BatchEncoder encoder = encoders[queue];
    if (encoder.count() > 0) {
      EncodedBatch batch = encoder.encode();
      encoder.clear();
      handler.batch(batch, queue);
    }
  }

  /** Discards the messages in incomplete batches. */
  public void drop() {
    for (BatchEncoder encoder : encoders) {
      encoder.clear();
    }
  }

  /** Whether all gathered messages are in completed batches. */
  public boolean isEmpty() {
    return Arrays.stream(encoders).allMatch(encoder -> encoder.count() == 0);
  }
}
