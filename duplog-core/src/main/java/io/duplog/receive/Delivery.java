package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.Envelope;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One AMQP delivery. Safe for any thread. */
public final class Delivery {
  private static final byte[] NO_BODY = {};

  /** The channel that a delivery came by, which ends with its connection. Safe for any thread. */
  public interface Channel {
    /** Returns the configured name of the stream. */
    String stream();

    /**
     * Returns the number of the channel's queue among those that share the stream's messages, from
     * 0.
     */
    int queue();

    /** Whether the channel is closed, so that the broker redelivers what is not acknowledged. */
    boolean isLost();

    /** Called when a delivery is settled; acknowledges it as the policy says. */
    void settled(long tag);

    /**
     * Sends a delivery to the dead-letter queue, and settles it when the broker has confirmed that.
     */
    void deadLetter(Delivery delivery, String reason);
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
   * @param tag its number on its channel
   * @param redelivered whether the broker may have delivered it before
   * @param heldBytes counts the memory that it takes, until it ends
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

  /** Returns the number of its queue among those that share the stream's messages, from 0. */
  public int queue() {
    return channel.queue();
  }

  /** Returns the AMQP body, which must not be modified; empty once decoded. */
  public byte[] body() {
    return body;
  }

  /** Whether the broker may have delivered it before. */
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

  /** Returns a header as a number; {@code fallback} if there is no such number. */
  public long header(String name, long fallback) {
    Map<String, Object> headers = properties.getHeaders();
    Object value = headers == null ? null : headers.get(name);
    return value instanceof Number number ? number.longValue() : fallback;
  }

  /** Returns the name of the stream that its publisher stated; null if it stated none. */
  public @Nullable String statedStream() {
    Map<String, Object> headers = properties.getHeaders();
    Object value = headers == null ? null : headers.get(Envelope.STREAM_HEADER);
    return value == null ? null : value.toString();
  }

  /**
   * Called when it is decoded; releases the body.
   *
   * @param bytes the memory that is held in place of the body
   */
  public void decoded(long bytes) {
    body = NO_BODY;
    heldBytes.add(bytes - weight);
    weight = bytes;
  }

  /** Whether its channel is closed, so that the broker delivers it again. */
  public boolean isLost() {
    return channel.isLost();
  }

  /** Acknowledges it as the policy says; has no effect if its channel is closed. */
  public void settle() {
    if (end()) {
      channel.settled(tag);
    }
  }

  /** Releases its memory without acknowledging it, because the broker delivers it again. */
  public void forget() {
    end();
  }

  /**
   * Has it sent to the dead-letter queue, and settled when the broker has confirmed that. Returns
   * at once.
   *
   * @param reason why it can't be used
   */
  public void deadLetter(String reason) {
    channel.deadLetter(this, reason);
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
