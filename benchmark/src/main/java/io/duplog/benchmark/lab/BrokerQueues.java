package io.duplog.benchmark.lab;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads how many messages wait in a lab's RabbitMQ queues, and takes the dead letters from them.
 * Opens the connection when it is first needed, and again after it broke. Thread-safe.
 */
public final class BrokerQueues implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int CLOSE_TIMEOUT_MILLIS = 5_000;

  /**
   * State of the queues at one moment.
   *
   * @param ready number of batches in all queues that are not delivered to a bridge, without the
   *     unacknowledged ones
   * @param consumers minimum number of consumers of a queue
   */
  public record QueueState(int ready, int consumers) {}

  private final ConnectionFactory factory = new ConnectionFactory();
  private final List<String> queues;
  private @Nullable Connection connection;

  BrokerQueues(int port, int queues) {
    this.queues = Topology.queues(Topology.DEFAULT_QUEUE, queues);
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setConnectionTimeout(TIMEOUT_MILLIS);
    factory.setChannelRpcTimeout(TIMEOUT_MILLIS);
  }

  /** Returns the names of the queues that the node's shim publishes to. */
  List<String> names() {
    return queues;
  }

  /** A request to the broker that is made on a channel. */
  private interface BrokerRequest<T> {
    T send(Channel channel) throws IOException, MalformedBatchException;
  }

  private synchronized <T> T query(BrokerRequest<T> request) throws IOException {
    try (Channel channel = connection().createChannel()) {
      return request.send(channel);
    } catch (TimeoutException | MalformedBatchException e) {
      throw new IOException(e);
    }
  }

  /**
   * Queries the state of the queues that the node's shim publishes to.
   *
   * @throws IOException if the broker does not answer, or a queue does not exist yet
   */
  public QueueState state() throws IOException {
    return query(
        channel -> {
          int ready = 0;
          int consumers = Integer.MAX_VALUE;
          for (String queue : queues) {
            AMQP.Queue.DeclareOk answer = channel.queueDeclarePassive(queue);
            ready += answer.getMessageCount();
            consumers = Math.min(consumers, answer.getConsumerCount());
          }
          return new QueueState(ready, consumers);
        });
  }

  /** Deletes the first queue and its messages, as an administrator might by mistake. */
  public void delete() throws IOException {
    query(channel -> channel.queueDelete(Topology.DEFAULT_QUEUE));
  }

  /** Returns the number of dead letters that wait for room in the dead-letter queue. */
  public long waitingDeadLetters() throws IOException {
    return query(
        channel -> channel.messageCount(Topology.waitingLettersQueue(Topology.DEFAULT_QUEUE)));
  }

  /**
   * Messages that a sink permanently refused.
   *
   * @param isOfSecondSink whether the sink beside HEC refused them
   */
  public record DeadLetter(boolean isOfSecondSink, MessageBatch batch) {
    private static DeadLetter of(AMQP.BasicProperties properties, MessageBatch batch) {
      Map<String, Object> headers = properties.getHeaders();
      Object sink = headers == null ? null : headers.get(Envelope.SINK_HEADER);
      return new DeadLetter(
          sink != null && sink.toString().equals(BridgeProcess.SECOND_SINK), batch);
    }
  }

  /**
   * Removes and returns all dead letters: those in the dead-letter queue, and those that wait for
   * room in it.
   *
   * @return dead letters by message id; copies on several brokers have the same id
   * @throws IOException if the broker does not answer, or a body can't be decoded as a batch
   */
  public Map<String, DeadLetter> takeDeadLetters() throws IOException {
    Map<String, DeadLetter> letters = new HashMap<>();
    // The order matters: a bridge may move a dead letter from the first queue to the second.
    for (String queue :
        List.of(
            Topology.waitingLettersQueue(Topology.DEFAULT_QUEUE),
            Topology.deadLetterQueue(Topology.DEFAULT_QUEUE))) {
      query(
          channel ->
              channel.queueDeclare(queue, true, false, false, Topology.deadLetterArguments()));
      letters.putAll(take(queue, DeadLetter::of));
    }
    return letters;
  }

  /**
   * Removes and returns all batches of a queue, and discards heartbeats.
   *
   * @return batches by message id
   * @throws IOException if the broker does not answer, or a body can't be decoded as a batch
   */
  public Map<String, MessageBatch> take(String queue) throws IOException {
    return take(queue, (properties, batch) -> batch);
  }

  private <T> Map<String, T> take(
      String queue, BiFunction<AMQP.BasicProperties, MessageBatch, T> content) throws IOException {
    return query(
        channel -> {
          Map<String, T> contents = new LinkedHashMap<>();
          for (GetResponse next = channel.basicGet(queue, true);
              next != null;
              next = channel.basicGet(queue, true)) {
            AMQP.BasicProperties properties = next.getProps();
            if (!Heartbeat.CONTENT_TYPE.equals(properties.getContentType())) {
              MessageBatch batch =
                  new BatchDecoder(BatchLimits.DEFAULT)
                      .decode(next.getBody(), ContentEncoding.of(properties.getContentEncoding()));
              contents.put(properties.getMessageId(), content.apply(properties, batch));
            }
          }
          return contents;
        });
  }

  private Connection connection() throws IOException, TimeoutException {
    Connection current = connection;
    if (current == null || !current.isOpen()) {
      current = factory.newConnection("duplog-lab");
      connection = current;
    }
    return current;
  }

  @Override
  public synchronized void close() {
    if (connection != null) {
      connection.abort(CLOSE_TIMEOUT_MILLIS);
      connection = null;
    }
  }
}
