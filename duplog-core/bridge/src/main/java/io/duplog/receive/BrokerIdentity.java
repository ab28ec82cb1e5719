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
 * Finds out which broker a connection leads to, whatever address was used. Brokers in containers
 * often have the same name, so the first bridge puts a random text into a queue of its own, which
 * stays there. A broker that was rebuilt has another one.
 *
 * @see "docs/decisions/dedup.md#broker-identity"
 */
final class BrokerIdentity {
  private static final Logger log = LoggerFactory.getLogger(BrokerIdentity.class);

  /** Longest wait for the broker to confirm the text. One with an alarm confirms nothing. */
  private static final long CONFIRM_MILLIS = 5000;

  private static final int CLOSE_MILLIS = 1000;

  /** Longest wait for the text where a consumer has other things to do. */
  private static final long AGAIN_MILLIS = 2000;

  private BrokerIdentity() {}

  /**
   * Returns the name of the broker's cluster and the text in its queue. If the broker does not let
   * this user have that queue, returns the name and the virtual host; null if there is no name.
   * Returns an empty text if the identity can't be had now, because the broker has an alarm, takes
   * no more queues, or a bridge that hangs has the text.
   *
   * @param connector connects in order to publish the text, if there is none
   * @throws IOException if the connection is lost
   */
  static @Nullable String of(QueueSettings settings, Connection connection, Connector connector)
      throws IOException {
    long patience = settings.login().answerTimeout().toMillis();
    return identity(settings, connection, patience, () -> put(settings, connector));
  }

  /** Returns the same, after two seconds at most, and publishes nothing. */
  static @Nullable String again(QueueSettings settings, Connection connection) throws IOException {
    return identity(settings, connection, AGAIN_MILLIS, () -> false);
  }

  /**
   * Returns the same, and declares nothing. A broker that no bridge has ever read differs from all
   * others.
   */
  static @Nullable String look(QueueSettings settings, Connection connection) throws IOException {
    return identity(settings, connection, AGAIN_MILLIS, null);
  }

  private interface Putting {
    boolean put() throws IOException;
  }

  private static @Nullable String identity(
      QueueSettings settings, Connection connection, long patienceMillis, @Nullable Putting putting)
      throws IOException {
    Object name = connection.getServerProperties().get("cluster_name");
    try {
      String text = read(settings, connection, patienceMillis, putting);
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

  private static @Nullable String read(
      QueueSettings settings, Connection connection, long patienceMillis, @Nullable Putting putting)
      throws IOException {
    String queue = Topology.identityQueue(settings.queue());
    boolean isThere = ConsumerChannel.isThere(queue, connection);
    if (!isThere && putting == null) {
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
      if (isEmpty && (putting == null || !putting.put())) {
        return null;
      }
      return first(channel, queue, patienceMillis);
    } finally {
      channel.abort(); // gives the text back to the queue
    }
  }

  /**
   * Publishes a text. If another bridge does the same now, the queue takes only the first. Uses a
   * connection of its own: a broker with an alarm reads nothing more from one that has published,
   * so that a consumer could acknowledge nothing.
   *
   * @return false if the broker neither takes nor rejects it
   */
  private static boolean put(QueueSettings settings, Connector connector) throws IOException {
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
   * Returns the text of the queue's first message, for which bridges wait in turn; null if it does
   * not come in time.
   */
  private static @Nullable String first(Channel channel, String queue, long patienceMillis)
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
      return texts.poll(patienceMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
