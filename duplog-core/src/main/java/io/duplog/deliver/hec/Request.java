package io.duplog.deliver.hec;

import io.duplog.deliver.hec.event.Body;
import io.duplog.deliver.hec.event.Encoder;
import io.duplog.deliver.hec.event.Gzip;
import org.jspecify.annotations.Nullable;

/**
 * The request that a sender is about to send: its bytes, which messages they hold, and which of
 * those that were taken from the queue found no place, or met a defect. Reused; belongs to one
 * thread.
 */
final class Request {
  private final Encoder encoder;
  private final Body body;
  private RequestBatch sent = new RequestBatch();
  private RequestBatch left = new RequestBatch();
  private RequestBatch unencoded = new RequestBatch();
  private @Nullable RuntimeException defect;

  Request(Encoder encoder, int maxBytes) {
    this.encoder = encoder;
    this.body = new Body(maxBytes);
  }

  /** Encodes as much of the batch as fits. */
  void fill(RequestBatch batch) {
    sent = new RequestBatch();
    left = new RequestBatch();
    unencoded = new RequestBatch();
    defect = null;
    body.clear();
    batch.forEach(this::add);
  }

  private void add(Completion completion, int message) {
    if (completion.isOver()) {
      return;
    }
    if (!left.isEmpty()) {
      left.add(completion, message);
    } else {
      place(completion, message).add(completion, message);
    }
  }

  private RequestBatch place(Completion completion, int message) {
    int length = body.length();
    try {
      return encoder.add(completion.delivery(), message, completion.isRerouted(message), body)
          ? sent
          : left;
    } catch (RuntimeException e) {
      body.end(length);
      defect = e;
      return unencoded;
    }
  }

  /** The messages that are in the body, as Splunk will count them. */
  RequestBatch sent() {
    return sent;
  }

  /** Those that found no place. */
  RequestBatch left() {
    return left;
  }

  /** Those that the encoder has failed on. */
  RequestBatch unencoded() {
    return unencoded;
  }

  /** How it did; null where there are none. */
  @Nullable RuntimeException defect() {
    return defect;
  }

  /**
   * As it is to be posted.
   *
   * @param gzip null where it travels as it is
   */
  Connection.Post post(@Nullable Gzip gzip, @Nullable String channel) {
    if (gzip == null) {
      return new Connection.Post(encoder.path(), body.bytes(), body.length(), false, channel);
    }
    gzip.compress(body.bytes(), body.length());
    return new Connection.Post(encoder.path(), gzip.bytes(), gzip.length(), true, channel);
  }
}
