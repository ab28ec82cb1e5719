package io.duplog.receive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import io.duplog.amqp.BrokerFailure;
import io.duplog.amqp.ConfirmedChannel;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Identifies a RabbitMQ, whatever address was used, so that bridges notice if they read different
 * ones. Brokers in containers often have the same name, so the first bridge puts a random text into
 * a dedicated queue, where it stays. A rebuilt broker gets a different text.
 *
 * @see "docs/decisions/dedup.md#broker-identity"
 */
final class BrokerIdentity {
  private static final Logger log = LoggerFactory.getLogger(BrokerIdentity.class);

  /** Longest wait for the broker to confirm the text. A broker with an alarm confirms nothing. */
  private static final long CONFIRM_MILLIS = 5000;

  private static final int CLOSE_MILLIS = 1000;

  /** Longest wait for the text if the consumer's thread has other work. */
  private static final long RECHECK_MILLIS = 2000;

  private BrokerIdentity() {}

  /**
   * Returns the name of the broker's cluster and the text in its queue. If the broker denies this
   * user that queue, returns the name and the virtual host, or null if there is no name. Returns an
   * empty text if the identity is not available now. The broker then has an alarm or no room for
   * another queue, or a hanging bridge holds the text.
   *
   * @param connector opens the connection that publishes the text if there is none
   * @throws IOException if the connection is lost
   */
  static @Nullable String of(QueueSettings settings, Connection connection, Connector connector)
      throws IOException {
    long timeoutMillis = settings.login().answerTimeout().toMillis();
    return identity(settings, connection, timeoutMillis, () -> publishText(settings, connector));
  }

  /** Returns the same as {@link #of}, but waits at most two seconds and publishes nothing. */
  static @Nullable String recheck(QueueSettings settings, Connection connection)
      throws IOException {
    return identity(settings, connection, RECHECK_MILLIS, () -> false);
  }

  /**
   * Returns the same as {@link #recheck}, but declares nothing. A broker that no bridge has ever
   * read differs from all others.
   */
  static @Nullable String peek(QueueSettings settings, Connection connection) throws IOException {
    return identity(settings, connection, RECHECK_MILLIS, null);
  }

  private interface Publisher {
    boolean publishText() throws IOException;
  }

  private static @Nullable String identity(
      QueueSettings settings,
      Connection connection,
      long timeoutMillis,
      @Nullable Publisher publisher)
      throws IOException {
    Object name = connection.getServerProperties().get("cluster_name");
    try {
      String text = readText(settings, connection, timeoutMillis, publisher);
      return text == null ? "" : (name == null ? "" : name + " ") + text;
    } catch (IOException e) {
      if (BrokerFailure.replyCode(e) == AMQP.ACCESS_REFUSED) {
        return name == null ? null : name + " " + settings.login().virtualHost();
      }
      if (!connection.isOpen()) {
        throw e;
      }
      log.debug("{} can't be identified", settings.broker(), e);
      return "";
    }
  }

  private static @Nullable String readText(
      QueueSettings settings,
      Connection connection,
      long timeoutMillis,
      @Nullable Publisher publisher)
      throws IOException {
    String queue = Topology.identityQueue(settings.queue());
    boolean isThere = ConsumerChannel.exists(queue, connection);
    if (!isThere && publisher == null) {
      return "that no bridge has read";
    }
    Channel channel = connection.createChannel();
    try {
      if (!isThere) {
        channel.queueDeclare(
            queue, true, false, false, Topology.identityArguments(settings.queueType()));
      }
      AMQP.Queue.DeclareOk found = channel.queueDeclarePassive(queue);
      boolean isEmpty = found.getMessageCount() == 0 && found.getConsumerCount() == 0;
      if (isEmpty && (publisher == null || !publisher.publishText())) {
        return null;
      }
      return firstMessage(channel, queue, timeoutMillis);
    } finally {
      channel.abort(); // returns the text to the queue
    }
  }

  /**
   * Publishes a text. If several bridges publish at the same time, the queue accepts only the first
   * text. Uses a separate connection: a broker with an alarm stops reading from a connection that
   * has published, so that a consumer could no longer acknowledge.
   *
   * @return false if the broker neither accepts nor rejects the text
   */
  private static boolean publishText(QueueSettings settings, Connector connector)
      throws IOException {
    Connection own;
    try {
      own = connector.connectToPublish(settings, "duplog identity, " + settings.queue());
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
    try {
      new ConfirmedChannel(own.createChannel(), CONFIRM_MILLIS)
          .publish(
              Topology.identityQueue(settings.queue()),
              MessageProperties.MINIMAL_PERSISTENT_BASIC,
              UUID.randomUUID().toString().getBytes(US_ASCII));
      return true;
    } catch (ConfirmedChannel.UnconfirmedException e) {
      return false;
    } finally {
      own.abort(CLOSE_MILLIS);
    }
  }

  /**
   * Returns the text of the queue's first message, or null if it does not arrive in time. Bridges
   * wait for the message in turn.
   */
  private static @Nullable String firstMessage(Channel channel, String queue, long timeoutMillis)
      throws IOException {
    BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    channel.basicQos(1);
    channel.basicConsume(
        queue,
        false,
        new DefaultConsumer(channel) {
          @Override
          public void handleDelivery(
              String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            texts.add(new String(body, US_ASCII));
          }
        });
    try {
      return texts.poll(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
