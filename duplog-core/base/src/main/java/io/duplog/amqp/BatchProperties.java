package io.duplog.amqp;

import com.rabbitmq.client.AMQP;
import io.duplog.wire.Envelope;
import java.util.Date;
import java.util.Map;

/**
 * Builds the AMQP properties with which a shim publishes a batch: id, stream, message count, time
 * and encoding.
 */
public final class BatchProperties {
  private static final int TRANSIENT = 1;
  private static final int PERSISTENT = 2;

  private BatchProperties() {}

  /**
   * Returns the properties for the {@link Envelope} of a batch.
   *
   * @param persistent whether the broker writes the batch to its disk
   */
  @SuppressWarnings("JavaUtilDate") // the AMQP client's API takes a Date
  public static AMQP.BasicProperties of(Envelope envelope, boolean persistent) {
    return new AMQP.BasicProperties.Builder()
        .contentType(Envelope.CONTENT_TYPE)
        .contentEncoding(envelope.encoding().token())
        .deliveryMode(persistent ? PERSISTENT : TRANSIENT)
        .messageId(envelope.id())
        .timestamp(new Date(envelope.publishedMillis()))
        .headers(
            Map.of(
                Envelope.STREAM_HEADER, envelope.stream(),
                Envelope.COUNT_HEADER, envelope.count(),
                Envelope.PUBLISHED_HEADER, envelope.publishedMillis()))
        .build();
  }
}
