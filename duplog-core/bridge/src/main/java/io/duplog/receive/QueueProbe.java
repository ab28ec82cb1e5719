package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import io.duplog.amqp.BatchProperties;
import io.duplog.amqp.BrokerFailure;
import io.duplog.amqp.ConfirmedChannel;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.StreamBroker;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks a stream's RabbitMQ about its identity and queues, measures its speed, and publishes
 * canaries, for {@code duplog doctor} and {@code streams}. Not thread-safe.
 */
public final class QueueProbe implements AutoCloseable {
  private static final int CLOSE_MILLIS = 1_000;
  private static final long CONFIRM_MILLIS = 10_000;

  /** Product name and version as reported by the broker. */
  public record Server(String product, String version) {}

  /** The state in which a queue was found. */
  public sealed interface State {
    /** The queue does not exist. */
    record Absent() implements State {}

    /** The queue exists, with the arguments that shim and bridge declare. */
    record AsDeclared(long ready, int consumers) implements State {}

    /** The queue exists, but its arguments differ from those that shim and bridge declare. */
    record Different(String reply) implements State {}

    /** The broker refuses this user access to the queue. */
    record Refused(String reply) implements State {}
  }

  /**
   * How long a test message took through a queue.
   *
   * @param confirmedNanos from publishing to the broker's confirm
   * @param readNanos from publishing until the message was read
   */
  public record Canary(long confirmedNanos, long readNanos) {}

  /** A request to the broker on a new channel. */
  private interface Question<T> {
    T ask(Channel channel) throws IOException;
  }

  private final QueueSettings settings;
  private final Connection connection;

  /** The broker's reason for blocking publishers, or null while it does not block them. */
  private final AtomicReference<@Nullable String> blockReason = new AtomicReference<>();

  private @Nullable StreamBroker broker;

  private QueueProbe(QueueSettings settings, Connection connection) {
    this.settings = settings;
    this.connection = connection;
    connection.addBlockedListener(blockReason::set, () -> blockReason.set(null));
  }

  /**
   * Connects to the broker.
   *
   * @throws IOException if that fails, with a message that is one line for an operator
   */
  public static QueueProbe open(QueueSettings settings) throws IOException {
    try {
      return new QueueProbe(settings, settings.login().connect("duplog doctor"));
    } catch (IOException | TimeoutException | RuntimeException e) {
      throw new IOException(settings.describe(e), e);
    }
  }

  public Server server() {
    Map<String, Object> properties = connection.getServerProperties();
    return new Server(
        String.valueOf(properties.get("product")), String.valueOf(properties.get("version")));
  }

  /**
   * Returns the broker's identity, or null if it has none.
   *
   * @throws IOException if that can't be found out, with a message that is one line for an operator
   */
  public @Nullable StreamBroker broker() throws IOException {
    try {
      if (broker == null) {
        broker = ConsumerChannel.broker(settings, BrokerIdentity.peek(settings, connection));
      }
      return broker;
    } catch (IOException | RuntimeException e) {
      throw failure(e);
    }
  }

  /** Returns the state of the stream's queue. */
  public State queue() throws IOException {
    return state(settings.queue(), Topology.queueArguments(settings.queueType()));
  }

  /** Returns the state of the stream's dead-letter queue. */
  public State deadLetterQueue() throws IOException {
    return state(Topology.deadLetterQueue(settings.queue()), Topology.deadLetterArguments());
  }

  /**
   * Returns the state of the queue in which dead letters wait for room in the dead-letter queue.
   */
  public State waitingLettersQueue() throws IOException {
    return state(Topology.waitingLettersQueue(settings.queue()), Topology.deadLetterArguments());
  }

  /**
   * Returns the messages in former queues of the stream, or null if there are none.
   *
   * @throws IOException if that can't be found out, with a message that is one line for an operator
   */
  public QueueDepth.@Nullable LeftBehind leftBehind() throws IOException {
    try {
      return QueueDepth.leftBehind(settings, connection, Topology.MOST_QUEUES);
    } catch (IOException | ShutdownSignalException e) {
      throw failure(e);
    }
  }

  /**
   * Returns the state of a queue. Declares the queue only if it exists: this changes nothing, but
   * makes RabbitMQ compare the arguments.
   */
  private State state(String queue, Map<String, Object> arguments) throws IOException {
    AMQP.Queue.DeclareOk found;
    try {
      found = channel().queueDeclarePassive(queue);
    } catch (IOException | ShutdownSignalException e) {
      return switch (BrokerFailure.replyCode(e)) {
        case AMQP.NOT_FOUND -> new State.Absent();
        case AMQP.ACCESS_REFUSED, AMQP.RESOURCE_LOCKED ->
            new State.Refused(BrokerFailure.reason(e));
        default -> throw failure(e);
      };
    }
    try {
      channel().queueDeclare(queue, true, false, false, arguments);
    } catch (IOException | ShutdownSignalException e) {
      return switch (BrokerFailure.replyCode(e)) {
        case AMQP.PRECONDITION_FAILED -> new State.Different(BrokerFailure.reason(e));
        case AMQP.ACCESS_REFUSED -> new State.Refused(BrokerFailure.reason(e));
        default -> throw failure(e);
      };
    }
    return new State.AsDeclared(found.getMessageCount(), found.getConsumerCount());
  }

  /**
   * Declares an empty queue as a mark, which exists until the probe is closed.
   *
   * @return the queue's name, by which {@link #sees} recognises this broker
   * @throws IOException if that fails, with a message that is one line for an operator
   */
  public String mark() throws IOException {
    String queue = settings.queue() + ".doctor." + UUID.randomUUID();
    ask(channel -> channel.queueDeclare(queue, false, true, true, Map.of()));
    return queue;
  }

  /**
   * Whether the queue that another probe's {@link #mark} declared is at this broker and in the same
   * virtual host.
   *
   * @throws IOException if that can't be found out, with a message that is one line for an operator
   */
  public boolean sees(String mark) throws IOException {
    try {
      channel().queueDeclarePassive(mark);
      return true;
    } catch (IOException | ShutdownSignalException e) {
      return switch (BrokerFailure.replyCode(e)) {
        case AMQP.RESOURCE_LOCKED -> true; // it belongs to another connection
        case AMQP.NOT_FOUND -> false;
        default -> throw failure(e);
      };
    }
  }

  /**
   * Returns the stream that the first waiting batch or heartbeat names. Returns null if the queue
   * is empty or the message names no stream. The message is fetched and put back.
   *
   * @throws IOException if that fails, with a message that is one line for an operator
   */
  public @Nullable String headStream() throws IOException {
    String stream =
        ask(
            channel -> {
              GetResponse head = channel.basicGet(settings.queue(), false);
              if (head == null) {
                return "";
              }
              channel.basicNack(head.getEnvelope().getDeliveryTag(), false, true);
              return new Letter(head.getProps(), head.getBody())
                  .header(Envelope.STREAM_HEADER)
                  .toString();
            });
    return stream.isEmpty() ? null : stream;
  }

  /**
   * Sends a message through a separate durable queue, which is deleted with this connection. Shows
   * how fast the broker is without disturbing a stream.
   *
   * @throws IOException if that fails, with a message that is one line for an operator
   */
  public Canary canary() throws IOException {
    String queue = settings.queue() + ".doctor." + UUID.randomUUID();
    return ask(
        channel -> {
          channel.queueDeclare(queue, true, true, true, Map.of("x-queue-type", "classic"));
          roundTrip(channel, queue); // loads this process's classes
          return roundTrip(channel, queue);
        });
  }

  private Canary roundTrip(Channel channel, String queue) throws IOException {
    long startNanos = System.nanoTime();
    confirm(channel, queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[] {'c'});
    long confirmed = System.nanoTime() - startNanos;
    if (channel.basicGet(queue, true) == null) {
      throw new IOException("does not return a message that it has confirmed");
    }
    return new Canary(confirmed, System.nanoTime() - startNanos);
  }

  /**
   * Publishes a batch to the stream's queue, as its shim does.
   *
   * @return nanoseconds until the broker's confirm
   * @throws IOException if that fails, with a message that is one line for an operator
   */
  public long publish(Envelope envelope, EncodedBatch batch) throws IOException {
    return ask(
        channel -> {
          long startNanos = System.nanoTime();
          confirm(channel, settings.queue(), BatchProperties.of(envelope, true), batch.body());
          return System.nanoTime() - startNanos;
        });
  }

  private void confirm(Channel channel, String queue, AMQP.BasicProperties properties, byte[] body)
      throws IOException {
    try {
      if (!new ConfirmedChannel(channel, CONFIRM_MILLIS).publish(queue, properties, body)) {
        throw new IOException("rejects published messages: is the queue full?");
      }
    } catch (IOException e) {
      String reason = blockReason.get();
      throw reason == null || !(e.getCause() instanceof TimeoutException)
          ? e
          : new IOException("takes nothing from publishers (" + reason + ")", e);
    }
  }

  private <T> T ask(Question<T> question) throws IOException {
    try {
      return question.ask(channel());
    } catch (IOException | RuntimeException e) {
      throw failure(e);
    }
  }

  private Channel channel() throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("can't open another channel: channel_max is reached");
    }
    return channel;
  }

  private IOException failure(Exception e) {
    boolean byTheBroker =
        e.getCause() instanceof ShutdownSignalException || e instanceof ShutdownSignalException;
    return new IOException(
        byTheBroker || !(e instanceof IOException)
            ? settings.describe(e)
            : settings.broker() + " " + e.getMessage(),
        e);
  }

  @Override
  public void close() {
    connection.abort(CLOSE_MILLIS);
  }
}
