package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.Envelope;
import io.duplog.wire.StreamBroker;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One AMQP delivery from RabbitMQ, which the bridge acknowledges or stores as a dead letter.
 * Thread-safe.
 */
public final class Delivery {
  private static final byte[] NO_BODY = {};

  /** The AMQP channel on which a delivery arrived. Thread-safe. */
  public interface Channel {
    /** Returns the configured name of the stream. */
    String stream();

    /**
     * Returns the number of the channel's queue among those that share the stream's messages, from
     * 0.
     */
    int queue();

    /** Returns the channel's broker, or null if the broker doesn't identify itself. */
    @Nullable StreamBroker broker();

    /** Whether the channel is closed. The broker then redelivers all unacknowledged deliveries. */
    boolean isLost();

    /**
     * Called when a delivery is settled. Acknowledges it according to {@link AcknowledgePolicy}.
     */
    void settled(long tag);

    /**
     * Queues a delivery's body for the dead-letter queue. Settles the delivery when the broker has
     * confirmed the dead letter.
     */
    void deadLetter(Delivery delivery, String reason);

    /**
     * Called when only a newer bridge can read a delivery. Returns it to the broker after a pause.
     */
    void giveBack(long tag, String reason);
  }

  private final Channel channel;
  private final long tag;
  private final boolean redelivered;
  private final AMQP.BasicProperties properties;
  private volatile byte[] body;
  private final HeldBytes heldBytes;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile long weight;

  /**
   * @param tag the delivery's number on its channel
   * @param redelivered whether the broker may have delivered the message before
   * @param heldBytes counts the delivery's memory until the delivery is settled or forgotten
   */
  public Delivery(
      Channel channel,
      long tag,
      boolean redelivered,
      AMQP.BasicProperties properties,
      byte[] body,
      HeldBytes heldBytes) {
    this.channel = channel;
    this.tag = tag;
    this.redelivered = redelivered;
    this.properties = properties;
    this.body = body;
    this.heldBytes = heldBytes;
    this.weight = body.length;
    heldBytes.add(weight);
  }

  /** Returns the configured name of the stream. */
  public String stream() {
    return channel.stream();
  }

  /** Returns the index, from 0, of the delivery's queue among the stream's queues. */
  public int queue() {
    return channel.queue();
  }

  /** Returns the broker that delivered it, or null if the broker doesn't identify itself. */
  public @Nullable StreamBroker broker() {
    return channel.broker();
  }

  /**
   * Returns the AMQP body, which must not be modified. The body is empty after {@link #decoded}.
   */
  public byte[] body() {
    return body;
  }

  /**
   * Whether the broker may have delivered this message before, by AMQP's flag {@code redelivered}.
   */
  public boolean redelivered() {
    return redelivered;
  }

  public @Nullable String contentType() {
    return properties.getContentType();
  }

  public @Nullable String contentEncoding() {
    return properties.getContentEncoding();
  }

  public @Nullable String messageId() {
    return properties.getMessageId();
  }

  /** Returns a header's value, or {@code fallback} if the header is absent or not a number. */
  public long header(String name, long fallback) {
    Map<String, Object> headers = properties.getHeaders();
    Object value = headers == null ? null : headers.get(name);
    return value instanceof Number number ? number.longValue() : fallback;
  }

  /** Returns the stream's name in the publisher's header, or null if the header is absent. */
  public @Nullable String statedStream() {
    return textHeader(Envelope.STREAM_HEADER);
  }

  /** Returns the name of the only sink that needs the messages, or null if all sinks do. */
  public @Nullable String onlySink() {
    return textHeader(Envelope.SINK_HEADER);
  }

  /** Returns why the publisher calls the body unusable, or null if it does not. */
  public @Nullable String unusableReason() {
    return textHeader(Envelope.REASON_HEADER);
  }

  private @Nullable String textHeader(String name) {
    Map<String, Object> headers = properties.getHeaders();
    Object value = headers == null ? null : headers.get(name);
    return value == null ? null : value.toString();
  }

  /**
   * Called when the delivery is decoded. Releases the body.
   *
   * @param bytes memory of the decoded batch, which replaces the body, in bytes
   */
  public void decoded(long bytes) {
    body = NO_BODY;
    heldBytes.add(bytes - weight);
    weight = bytes;
  }

  /** Whether the delivery's channel is closed. The broker then redelivers the message. */
  public boolean isLost() {
    return channel.isLost();
  }

  /**
   * Releases the delivery's memory. Acknowledges the delivery according to {@link
   * AcknowledgePolicy}, unless its channel is closed.
   */
  public void settle() {
    if (end()) {
      channel.settled(tag);
    }
  }

  /** Releases the delivery's memory without acknowledging it. The broker redelivers the message. */
  public void forget() {
    end();
  }

  /**
   * Queues the body for the dead-letter queue. The delivery is settled when the broker has
   * confirmed the dead letter. Returns immediately.
   *
   * @param reason why the body can't be decoded
   */
  public void deadLetter(String reason) {
    channel.deadLetter(this, reason);
  }

  /**
   * Releases the delivery's memory, and returns the message to the broker for a newer bridge.
   *
   * @param reason why this bridge can't read the body
   */
  public void giveBack(String reason) {
    if (end()) {
      body = NO_BODY;
      channel.giveBack(tag, reason);
    }
  }

  private boolean end() {
    if (ended.compareAndSet(false, true)) {
      heldBytes.add(-weight);
      return true;
    }
    return false;
  }

  AMQP.BasicProperties properties() {
    return properties;
  }
}
