package io.duplog.receive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import io.duplog.amqp.BrokerFailure;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which broker a connection leads to, whatever address was used. Brokers in containers
 * often have the same name, so the first bridge puts a random text into a queue of its own, which
 * stays there. A broker that was rebuilt has another one.
 *
 * @see "docs/decisions/broker-identity.md"
 */
final class BrokerIdentity {
  private BrokerIdentity() {}

  /**
   * Returns the name of the broker's cluster and the text in its queue; only the name if the broker
   * does not let this user have that queue; null if there is neither.
   *
   * @throws IOException if the broker doesn't answer
   */
  static @Nullable String of(QueueSettings settings, Connection connection) throws IOException {
    return of(settings, connection, true);
  }

  /**
   * Returns the same, and declares nothing. A broker that no bridge has ever read differs from all
   * others.
   */
  static @Nullable String look(QueueSettings settings, Connection connection) throws IOException {
    return of(settings, connection, false);
  }

  private static @Nullable String of(
      QueueSettings settings, Connection connection, boolean declares) throws IOException {
    Object name = connection.getServerProperties().get("cluster_name");
    String text = null;
    try {
      text = read(settings, connection, declares);
    } catch (IOException e) {
      if (BrokerFailure.replyCode(e) != AMQP.ACCESS_REFUSED) {
        throw e;
      }
    }
    if (text == null) {
      return name == null ? null : name + " " + settings.login().virtualHost();
    }
    return (name == null ? "" : name + " ") + text;
  }

  private static String read(QueueSettings settings, Connection connection, boolean declares)
      throws IOException {
    String queue = Topology.identityQueue(settings.queue());
    boolean isThere = ConsumerChannel.isThere(queue, connection);
    if (!isThere && !declares) {
      return "that no bridge has read";
    }
    Channel channel = connection.createChannel();
    try {
      if (!isThere) {
        channel.queueDeclare(
            queue, true, false, false, Topology.identityArguments(settings.queueType()));
      }
      AMQP.Queue.DeclareOk found = channel.queueDeclarePassive(queue);
      if (found.getMessageCount() == 0 && found.getConsumerCount() == 0) {
        // If another bridge does the same now, the queue takes only the first.
        channel.basicPublish(
            "",
            queue,
            MessageProperties.MINIMAL_PERSISTENT_BASIC,
            UUID.randomUUID().toString().getBytes(US_ASCII));
      }
      return first(channel, queue, settings.login().answerTimeout().toMillis());
    } finally {
      channel.abort(); // gives the text back to the queue
    }
  }

  /** Returns the text of the queue's first message, for which bridges wait in turn. */
  private static String first(Channel channel, String queue, long patienceMillis)
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
      String text = texts.poll(patienceMillis, TimeUnit.MILLISECONDS);
      if (text == null) {
        throw new IOException(
            "queue " + queue + ", which identifies the broker, brings nothing: delete the queue");
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
