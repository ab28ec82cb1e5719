package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.Routing;
import io.duplog.wire.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages into the body of a request. Belongs to one thread.
 *
 * @see "docs/decisions/routing.md#hec-events"
 */
public abstract class Encoder {
  final @Nullable String fallbackIndex;

  /** Metadata of the message that is being added; the fields below describe the same message. */
  final EventMetadata metadata;

  /** Array with the text to send, which lies from {@link #from} to {@link #to}, exclusive. */
  byte[] text = {};

  int from;
  int to;

  /** Reason why the message is sent again although Splunk may have it; null if it is not. */
  @Nullable String resent;

  Encoder(Routing routing, @Nullable String fallbackIndex) {
    this.metadata = new EventMetadata(routing);
    this.fallbackIndex = fallbackIndex;
  }

  /** Returns the metadata of the message that was added last. */
  public final EventMetadata metadata() {
    return metadata;
  }

  /** Begins a request, which uses the current routing rules. */
  public final void begin() {
    if (metadata.refresh()) {
      forgetRoutes();
    }
  }

  /**
   * Forgets what is cached by route, because the rules were replaced and their routes with them.
   */
  abstract void forgetRoutes();

  /** Adds a message that Splunk certainly does not have yet. */
  public final boolean add(DeliveryRequest delivery, int message, boolean fallback, Body body) {
    return add(delivery, message, fallback, null, body);
  }

  /**
   * Adds a message at the end of the body.
   *
   * @param message the message's index in the batch
   * @param fallback whether to send it with the fallback index
   * @param resentFor why it is sent again although Splunk may have it; null if it is not
   * @return false if it does not fit into this request; never so for the first message
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
      // Splunk rejects the whole request if an event is blank. The text in its place also shows
      // that the sender has logged nothing.
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

  /**
   * Adds the message that the fields describe; returns false if it does not fit, like {@link #add}.
   */
  abstract boolean place(DeliveryRequest delivery, int message, boolean fallback, Body body);

  /**
   * Returns the path to which the message that {@link #add} rejected last has to be posted; null if
   * it has the same path as this request, and the body is full.
   */
  public @Nullable String elsewhere() {
    return null;
  }

  /** Returns the path and query to post the body to, relative to the URL's own path. */
  public abstract String path();
}
