package io.duplog.ingest.batch;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.wire.BatchEncoder;
import java.time.Duration;

/**
 * The configuration section {@code batch}, which limits the size of batches and how long messages
 * wait to share one.
 */
public record BatchSettings(
    @Key(
            doc = "Most messages in a batch. A larger transaction becomes several batches.",
            unit = "messages",
            defaultValue = "4096")
        int maxMessages,
    @Key(
            doc =
                "Most bytes in a batch, before compression. A longer message travels alone. Below"
                    + " RabbitMQ's max_message_size, which --check tries.",
            defaultValue = "1MiB")
        ByteSize maxBytes,
    @Key(
            doc =
                "How long a message waits for others at most: after a pause this long it does not"
                    + " wait at all. In mode confirm it waits in rsyslog: a COMMIT is answered this"
                    + " long after its BEGIN, or sooner where 512 messages come sooner. In the"
                    + " other modes, with several queues, up to as many times as long as there are"
                    + " queues, and never more than a second longer.",
            defaultValue = "15ms")
        Duration linger,
    @Key(doc = "Whether batches are compressed (zstd) where that pays.", defaultValue = "true")
        boolean compress,
    @Key(
            doc =
                "Most bytes of batches, as they travel, that RabbitMQ has not confirmed yet. Once"
                    + " reached, the shim stops reading and rsyslog waits.",
            defaultValue = "8MiB")
        ByteSize maxUnconfirmed) {

  /**
   * Maximum number of messages in a batch, because Redis is blocked for about 10 µs per message
   * under load.
   */
  private static final int MAX_MESSAGES = 16_384;

  /**
   * Maximum size of a batch. RabbitMQ 4 and bridges accept the resulting body, including its
   * header.
   */
  private static final ByteSize MAX_BYTES = new ByteSize(15 << 20);

  public BatchSettings {
    Checks.within("max-messages", maxMessages, 1, MAX_MESSAGES);
    Checks.within("max-bytes", maxBytes, new ByteSize(1), MAX_BYTES);
    Checks.positive("linger", linger);
    if (linger.compareTo(Duration.ofMinutes(1)) > 0) {
      throw Checks.refuse("linger", "must be at most 1m");
    }
    Checks.within("max-unconfirmed", maxUnconfirmed, new ByteSize(1 << 20), new ByteSize(1 << 30));
    if (maxUnconfirmed.compareTo(maxBytes) < 0) {
      throw Checks.refuse("max-unconfirmed", "must not be less than max-bytes, " + maxBytes);
    }
  }

  /**
   * Returns the maximum memory for batches in bytes: unconfirmed batches, an incomplete batch for
   * each queue, and the largest batch during encoding.
   *
   * @param maxMessage maximum length of a message
   */
  public long maxMemoryBytes(int queues, ByteSize maxMessage) {
    return maxUnconfirmed.bytes() + queues * maxBytes.bytes() + 2L * maxBodyBytes(maxMessage);
  }

  /**
   * Returns the size in bytes of the largest possible body, if compression saves nothing.
   *
   * @param maxMessage maximum length of a message
   */
  public int maxBodyBytes(ByteSize maxMessage) {
    long messages = Math.max(maxBytes.bytes(), maxMessage.bytes());
    return Math.toIntExact(messages + BatchEncoder.maxHeaderBytes(maxMessages));
  }
}
