package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Puts bodies that can't be used into the dead-letter queue of the same broker, unchanged, with the
 * reason in a header. Has a connection of its own, made when first needed, so that a blocked
 * publisher never blocks the consumer. For one thread.
 */
final class DeadLetterPublisher {
  private static final long CONFIRM_MILLIS = 5000;
  private static final int PERSISTENT = 2;

  private final QueueSettings settings;
  private final Connector connector;
  private @Nullable Connection connection;
  private @Nullable Channel channel;

  /** Whether the broker sent the last one back, since its queue is not there. */
  private volatile boolean returned;

  DeadLetterPublisher(QueueSettings settings, Connector connector) {
    this.settings = settings;
    this.connector = connector;
  }

  /**
   * Returns when the broker has confirmed it.
   *
   * @throws IOException where it has not; publish again
   */
  void publish(AMQP.BasicProperties original, byte[] body, String reason) throws IOException {
    Map<String, Object> headers = new HashMap<>();
    if (original.getHeaders() != null) {
      headers.putAll(original.getHeaders());
    }
    headers.remove("CC");
    headers.remove("BCC");
    headers.put(Envelope.REASON_HEADER, reason);
    headers.put(Envelope.STREAM_HEADER, settings.stream());
    AMQP.BasicProperties properties =
        original
            .builder()
            .headers(headers)
            .deliveryMode(PERSISTENT)
            // What would have the broker refuse it, let it expire, or send it elsewhere.
            .userId(null)
            .expiration(null)
            .build();
    boolean confirmed;
    try {
      Channel open = open();
      returned = false;
      open.basicPublish("", Topology.deadLetterQueue(settings.queue()), true, properties, body);
      confirmed = open.waitForConfirms(CONFIRM_MILLIS);
    } catch (TimeoutException e) {
      close();
      throw new IOException("no confirm within " + CONFIRM_MILLIS + " ms", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException | RuntimeException e) {
      close();
      throw new IOException(BrokerFailure.describe(settings, e), e);
    }
    if (!confirmed) {
      throw new IOException("the dead-letter queue is full");
    }
    if (returned) {
      close();
      throw new IOException("the dead-letter queue is gone");
    }
  }

  private Channel open() throws IOException, TimeoutException {
    Channel open = channel;
    if (open == null || !open.isOpen()) {
      close();
      Connection fresh = connector.connect(settings, "duplog dead letters, " + settings.queue());
      connection = fresh;
      open = fresh.createChannel();
      ConsumerChannel.declareQueues(settings, open);
      open.confirmSelect();
      open.addReturnListener(unroutable -> returned = true);
      channel = open;
    }
    return open;
  }

  void close() {
    channel = null;
    if (connection != null) {
      connection.abort(1000);
      connection = null;
    }
  }
}
