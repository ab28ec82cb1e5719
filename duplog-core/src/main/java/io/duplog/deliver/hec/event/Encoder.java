package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.Routing;
import io.duplog.wire.MessageBatch;
import org.jspecify.annotations.Nullable;

/** Turns messages into the body of a request. Belongs to one thread. */
public abstract class Encoder {
  final @Nullable String fallbackIndex;

  /** Of the message that is being added, as are the fields below. */
  final EventMetadata metadata;

  /** The text to send is {@code text[from..to)}. */
  byte[] text = {};

  int from;
  int to;
  @Nullable String resent;

  Encoder(Routing routing, @Nullable String fallbackIndex) {
    this.metadata = new EventMetadata(routing);
    this.fallbackIndex = fallbackIndex;
  }

  /** Begins a request: with the rules that are in force now. */
  public final void begin() {
    if (metadata.refresh()) {
      forgetRoutes();
    }
  }

  /** The routes that were met so far will not be met again. */
  abstract void forgetRoutes();

  /** Adds a message that Splunk does not have. */
  public final boolean add(DeliveryRequest delivery, int message, boolean fallback, Body body) {
    return add(delivery, message, fallback, null, body);
  }

  /**
   * Adds a message behind those that are there.
   *
   * @param message its index in the batch
   * @param fallback whether it is to go to the fallback index
   * @param resentFor why it is sent again although Splunk may have it; null where that isn't so
   * @return false where it has no place in this request any more; never so for the first
   */
  public final boolean add(
      DeliveryRequest delivery,
      int message,
      boolean fallback,
      @Nullable String resentFor,
      Body body) {
    resent = resentFor;
    MessageBatch batch = delivery.batch();
    text = batch.data();
    from = batch.textStart(message);
    to = batch.end(message);
    metadata.read(text, batch.start(message), from, to, delivery.receivedMillis());
    if (isBlank()) {
      // Splunk takes no blank events: they would break their whole request. And a sender's logging
      // nothing should be seen, too.
      int length = to - from;
      text =
          ("[blank message of " + length + (length == 1 ? " byte]" : " bytes]")).getBytes(US_ASCII);
      from = 0;
      to = text.length;
    }
    return place(delivery, message, fallback, body);
  }

  private boolean isBlank() {
    for (int i = from; i < to; i++) {
      if (text[i] != ' ' && (text[i] < '\t' || text[i] > '\r')) {
        return false;
      }
    }
    return true;
  }

  /** {@link #add}, of the message that the fields describe. */
  abstract boolean place(DeliveryRequest delivery, int message, boolean fallback, Body body);

  /**
   * Where the message that found no place last is to be posted; null if it fits to the others, and
   * the body is full.
   */
  public @Nullable String elsewhere() {
    return null;
  }

  /** Where the body is to be posted: path and query, below the URL's own path. */
  public abstract String path();
}
