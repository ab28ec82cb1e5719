package io.duplog.amqp;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.Envelope;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builds the AMQP properties with which a shim publishes a batch: id, stream, message count, time
 * and encoding.
 */
public final class BatchProperties {
  private static final int TRANSIENT = 1;
  private static final int PERSISTENT = 2;

  private BatchProperties() {}

  /** Returns the properties of a batch that bridges deliver. */
  public static AMQP.BasicProperties of(Envelope envelope, boolean persistent) {
    return of(envelope, persistent, null);
  }

  /**
   * Returns the properties for the {@link Envelope} of a batch.
   *
   * @param persistent whether the broker writes the batch to its disk
   * @param unusableReason why bridges must put the batch into the dead-letter queue, or null if
   *     they deliver it
   */
  @SuppressWarnings("JavaUtilDate") // the AMQP client's API takes a Date
  public static AMQP.BasicProperties of(
      Envelope envelope, boolean persistent, @Nullable String unusableReason) {
    Map<String, Object> headers = new HashMap<>();
    headers.put(Envelope.STREAM_HEADER, envelope.stream());
    headers.put(Envelope.COUNT_HEADER, envelope.count());
    headers.put(Envelope.PUBLISHED_HEADER, envelope.publishedMillis());
    if (unusableReason != null) {
      headers.put(Envelope.REASON_HEADER, unusableReason);
    }
    return new AMQP.BasicProperties.Builder()
        .contentType(Envelope.CONTENT_TYPE)
        .contentEncoding(envelope.encoding().token())
        .deliveryMode(persistent ? PERSISTENT : TRANSIENT)
        .messageId(envelope.id())
        .timestamp(new Date(envelope.publishedMillis()))
        .headers(headers)
        .build();
  }
}
