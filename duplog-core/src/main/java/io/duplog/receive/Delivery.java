package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.Envelope;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One AMQP delivery. Safe for any thread. */
public final class Delivery {
  private static final byte[] NO_BODY = {};

  /** The channel that it came by, which ends with its connection. Safe for any thread. */
  public interface Channel {
    /** The configured name of the stream. */
    String stream();

    /** The number of its queue among those that share the stream's messages, from 0. */
    int queue();

    /** Whether it is gone, so that the broker will deliver again what is not acknowledged. */
    boolean isLost();

    /** A delivery is settled: acknowledges it by the policy. */
    void settled(long tag);

    /** Sends a delivery to the dead-letter queue, and settles it when that is confirmed. */
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
   * @param redelivered whether it may have been delivered before
   * @param heldBytes where the memory that it takes is counted until its end
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

  /** The configured name of the stream. */
  public String stream() {
    return channel.stream();
  }

  /** The number of its queue among those that share the stream's messages, from 0. */
  public int queue() {
    return channel.queue();
  }

  /** The AMQP body. Not to be written to. */
  public byte[] body() {
    return body;
  }

  /** Whether it may have been delivered before. */
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

  /** A header as a number; {@code fallback} where there is none. */
  public long header(String name, long fallback) {
    Map<String, Object> headers = properties.getHeaders();
    Object value = headers == null ? null : headers.get(name);
    return value instanceof Number number ? number.longValue() : fallback;
  }

  /** The stream that its publisher says it is of; null where that says nothing. */
  public @Nullable String statedStream() {
    Map<String, Object> headers = properties.getHeaders();
    Object value = headers == null ? null : headers.get(Envelope.STREAM_HEADER);
    return value == null ? null : value.toString();
  }

  /**
   * It is decoded: lets go of the body, and corrects how many bytes of memory are held on its
   * account.
   */
  public void decoded(long bytes) {
    body = NO_BODY;
    heldBytes.add(bytes - weight);
    weight = bytes;
  }

  /** Whether its channel is gone, so that the broker will deliver it again. */
  public boolean isLost() {
    return channel.isLost();
  }

  /** It is settled. Acknowledged by the policy; without effect where the channel is gone. */
  public void settle() {
    if (end()) {
      channel.settled(tag);
    }
  }

  /** Its channel is gone and so is the interest in it. */
  public void forget() {
    end();
  }

  /**
   * Sends it to the dead-letter queue and settles it when the broker has confirmed that. Returns at
   * once.
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
