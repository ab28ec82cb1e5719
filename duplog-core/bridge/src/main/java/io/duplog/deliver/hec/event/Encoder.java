package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.Routing;
import io.duplog.wire.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Base of the two ways to encode messages into the body of a HEC request: as JSON events or as raw
 * lines. Not thread-safe.
 *
 * @see "docs/decisions/routing.md#hec-events"
 */
public abstract class Encoder {
  /** The value of an event's field {@code resent} if the broker had delivered it before. */
  static final String REDELIVERED = "redelivered";

  final @Nullable String fallbackIndex;

  /** Metadata of the current message; the fields below describe the same message. */
  final EventMetadata metadata;

  /** Array with the text to send, from {@link #from} to {@link #to}, exclusive. */
  byte[] text = {};

  int from;
  int to;

  /** Why the message is resent although Splunk may have it, or null if it is not resent. */
  @Nullable String resentReason;

  Encoder(Routing routing, @Nullable String fallbackIndex) {
    this.metadata = new EventMetadata(routing);
    this.fallbackIndex = fallbackIndex;
  }

  /** Returns the metadata of the message that was added last. */
  public final EventMetadata metadata() {
    return metadata;
  }

  /** Starts a request, which uses the current routing rules. */
  public final void begin() {
    if (metadata.refresh()) {
      clearRoutes();
    }
  }

  /** Clears the caches of routes, because the rules were replaced and their routes with them. */
  abstract void clearRoutes();

  /**
   * Adds a message that this bridge has not sent yet. The event is marked as {@value #REDELIVERED}
   * if the broker delivered the message before, because another bridge may have sent it.
   */
  public final boolean add(DeliveryRequest delivery, int message, boolean fallback, Body body) {
    return add(delivery, message, fallback, null, body);
  }

  /**
   * Adds a message at the end of the body.
   *
   * @param message the message's index in the batch
   * @param fallback whether to send it with the fallback index
   * @param newResentReason why it is resent although Splunk may have it, or null if it is not
   *     resent
   * @return false if it does not fit into this request; the first message always fits
   */
  public final boolean add(
      DeliveryRequest delivery,
      int message,
      boolean fallback,
      @Nullable String newResentReason,
      Body body) {
    resentReason =
        newResentReason == null && delivery.origin().isRedelivered()
            ? REDELIVERED
            : newResentReason;
    MessageBatch batch = delivery.batch();
    text = batch.data();
    from = batch.textStart(message);
    to = batch.end(message);
    metadata.read(delivery.original(), message, delivery.receivedMillis());
    if (isBlank()) {
      // Splunk rejects the whole request if an event is blank. The replacement text also shows that
      // the sender has logged nothing.
      int length = to - from;
      text =
          ("[blank message of " + length + (length == 1 ? " byte]" : " bytes]")).getBytes(US_ASCII);
      from = 0;
      to = text.length;
    }
    return append(delivery, message, fallback, body);
  }

  private boolean isBlank() {
    for (int i = from; i < to; i++) {
      if (text[i] != ' ' && (text[i] < '\t' || text[i] > '\r')) {
        return false;
      }
    }
    return true;
  }

  /**
   * Adds the message that the fields describe. Returns false if it does not fit, like {@link #add}.
   */
  abstract boolean append(DeliveryRequest delivery, int message, boolean fallback, Body body);

  /**
   * Returns the path for the message that {@link #add} rejected last, or null if it is the path of
   * this request and the body is full.
   */
  public @Nullable String otherPath() {
    return null;
  }

  /** Returns the path and query to post the body to, relative to the URL's own path. */
  public abstract String path();
}
