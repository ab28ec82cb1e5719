package io.duplog.ingest.omprog;

import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import java.io.IOException;

/**
 * Gathers messages until a batch is full. Where it cuts depends on nothing but the messages since
 * the last {@link #cut} or {@link #drop}: the same transaction always falls into the same batches.
 * For one thread.
 */
final class Batcher {

  /** What is to be done with a batch. */
  interface BatchHandler {
    void batch(EncodedBatch batch) throws IOException, InterruptedException;
  }

  private final BatchEncoder encoder;
  private final int maxMessages;
  private final long maxBytes;
  private final BatchHandler handler;

  Batcher(BatchSettings settings, boolean senderPrefixed, BatchHandler handler) {
    this.encoder = new BatchEncoder(senderPrefixed, settings.compress());
    this.maxMessages = settings.maxMessages();
    this.maxBytes = settings.maxBytes().bytes();
    this.handler = handler;
  }

  void add(byte[] source, int offset, int length) throws IOException, InterruptedException {
    if (encoder.count() > 0 && encoder.size() + (long) length > maxBytes) {
      cut();
    }
    encoder.add(source, offset, length);
    if (encoder.count() >= maxMessages || encoder.size() >= maxBytes) {
      cut();
    }
  }

  /** Ends the batch that is being gathered, if there is one. */
  void cut() throws IOException, InterruptedException {
    if (encoder.count() > 0) {
      EncodedBatch batch = encoder.encode();
      encoder.clear();
      handler.batch(batch);
    }
  }

  /** Forgets the batch that is being gathered. */
  void drop() {
    encoder.clear();
  }

  /** Messages gathered for the next batch. */
  int count() {
    return encoder.count();
  }
}
