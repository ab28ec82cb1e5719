package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.duplog.amqp.BrokerFailure;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The number of messages that wait in a RabbitMQ queue, and the number of its consumers.
 *
 * @param ready number of deliveries that wait for a consumer, without those that a bridge holds
 * @param consumers number of consumers of the queue
 */
public record QueueDepth(int ready, int consumers) {

  /**
   * Messages that wait in former queues of a stream, which this configuration does not read.
   *
   * @param first the stream's first queue
   * @param names names of the queues, in the order of their numbers
   * @param ready number of batches and dead letters in all of them
   */
  public record LeftBehind(QueueSettings first, List<String> names, long ready) {
    /** Sentence for an operator that says what unread messages mean. */
    public static final String CONSEQUENCE =
        "No bridge with this configuration delivers them, because queue-count was lowered before they"
            + " were read";

    @Override
    public String toString() {
      return "%d batches wait in %s of %s, which this configuration does not read"
          .formatted(ready, String.join(", ", names), first.broker());
    }

    /** Returns the remedy for an operator. */
    public String remedy() {
      int last = Topology.queues(first.queue(), Topology.MOST_QUEUES).indexOf(lastQueue());
      return "Set queue-count of %s under streams to %d on every bridge, until 'rabbitmqctl list_queues' shows them empty. Then delete them, and lower queue-count again"
          .formatted(first.stream(), last + 1);
    }

    private String lastQueue() {
      String name = names.get(names.size() - 1);
      String suffix = Topology.deadLetterQueue("");
      return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    }
  }

  /**
   * Queries a queue's depth without changing anything. Uses a separate channel, because the broker
   * closes the channel if there is no such queue.
   *
   * @return null if there is no such queue, or if the broker doesn't let this user see it
   * @throws IOException if the connection is lost
   */
  static @Nullable QueueDepth of(String queue, Connection connection) throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("can't open another channel: channel_max is reached");
    }
    try {
      AMQP.Queue.DeclareOk found = channel.queueDeclarePassive(queue);
      channel.abort();
      return new QueueDepth(found.getMessageCount(), found.getConsumerCount());
    } catch (IOException e) {
      return switch (BrokerFailure.replyCode(e)) {
        case AMQP.NOT_FOUND, AMQP.ACCESS_REFUSED, AMQP.RESOURCE_LOCKED -> null;
        default -> throw e;
      };
    }
  }

  /**
   * Searches for messages in former queues of the stream.
   *
   * @param maxMissing number of missing queues in succession after which the search ends. A broker
   *     logs each of them.
   * @return null if no messages wait there
   * @throws IOException if the connection is lost
   */
  static @Nullable LeftBehind leftBehind(QueueSettings first, Connection connection, int maxMissing)
      throws IOException {
    List<String> names = new ArrayList<>();
    long ready = 0;
    int missing = 0;
    for (String queue : first.share().beyond()) {
      QueueDepth depth = of(queue, connection);
      if (depth == null) {
        missing++;
        if (missing >= maxMissing) {
          break;
        }
        continue;
      }
      missing = 0;
      String deadLetters = Topology.deadLetterQueue(queue);
      QueueDepth dead = of(deadLetters, connection);
      ready += depth.ready() + (dead == null ? 0 : dead.ready());
      if (depth.ready() > 0) {
        names.add(queue);
      }
      if (dead != null && dead.ready() > 0) {
        names.add(deadLetters);
      }
    }
    return names.isEmpty() ? null : new LeftBehind(first, names, ready);
  }
}
