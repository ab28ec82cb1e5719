package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.duplog.amqp.ConfirmedChannel;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.Envelope;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of one queue's broker, as an administrator handles them: those that wait beside
 * the dead-letter queue included. Looking leaves everything where it is and in its order. For one
 * thread.
 */
public final class DeadLetterQueue implements AutoCloseable {
  /** How long {@link #close} waits for the broker's answer. */
  private static final int CLOSE_MILLIS = 2000;

  /**
   * One dead letter.
   *
   * @param number its place at this broker, from 1
   * @param id the same for its copies on several brokers; null where there is one copy for sure
   * @param stream that it came on, where it says so
   * @param reason why it could not be used
   * @param properties as it stands in the queue
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  public record Entry(
      int number,
      @Nullable String id,
      String stream,
      String reason,
      AMQP.BasicProperties properties,
      byte[] body) {

    /** Whether the body claims to be a batch; otherwise it is one plain message. */
    public boolean batch() {
      return Envelope.CONTENT_TYPE.equals(properties.getContentType());
    }

    public @Nullable String contentEncoding() {
      return properties.getContentEncoding();
    }
  }

  /** What becomes of a letter that was looked at. */
  private interface Handler {
    boolean removes(Entry entry) throws IOException;
  }

  private final QueueSettings settings;
  private final Connection connection;
  private final ConfirmedChannel channel;

  private DeadLetterQueue(QueueSettings settings, Connection connection) throws IOException {
    this.settings = settings;
    this.connection = connection;
    this.channel = DeadLetterPublisher.confirmed(settings, connection);
  }

  /**
   * Connects.
   *
   * @throws IOException whose message is one line for an operator
   */
  public static DeadLetterQueue open(QueueSettings settings) throws IOException {
    try {
      Connection connection = settings.login().connect("duplog dead-letter, " + settings.queue());
      try {
        return new DeadLetterQueue(settings, connection);
      } catch (IOException | RuntimeException e) {
        connection.abort(CLOSE_MILLIS);
        throw e;
      }
    } catch (IOException | TimeoutException | RuntimeException e) {
      throw new IOException(settings.describe(e), e);
    }
  }

  /** The queue that they were published to. */
  public QueueSettings settings() {
    return settings;
  }

  /** How many there are; too few just after they were looked at. */
  public long depth() throws IOException {
    long depth = 0;
    for (String queue : queues()) {
      depth += channel.channel().messageCount(queue);
    }
    return depth;
  }

  /**
   * The first ones.
   *
   * @param most how many at most, since all of them are held in memory
   */
  public List<Entry> look(int most) throws IOException {
    List<Entry> entries = new ArrayList<>();
    forEach(
        most,
        entry -> {
          entries.add(entry);
          return false;
        });
    return entries;
  }

  /**
   * Puts dead letters back where they came from, in one batch for each time at which their messages
   * were received. Each is removed here when the broker has confirmed it there.
   *
   * @param chosen which of them
   * @param stream the dead letters of the stream that they came on, whose first queue gets them
   * @param limits on what is decoded, as the bridges have them
   * @return the ids of those that were put back; null for each that has none
   * @throws IOException where the broker takes no more; those that were not put back are still here
   */
  public List<@Nullable String> replay(
      Predicate<Entry> chosen, Function<Entry, DeadLetterQueue> stream, BatchLimits limits)
      throws IOException {
    List<@Nullable String> replayed = new ArrayList<>();
    forEach(
        Long.MAX_VALUE,
        entry -> {
          if (!chosen.test(entry)) {
            return false;
          }
          if (entry.id() == null || !replayed.contains(entry.id())) {
            for (LetterBroker.Letter batch : ReplayedBatches.of(entry, limits)) {
              stream.apply(entry).publish(batch);
            }
            replayed.add(entry.id());
          }
          return true;
        });
    return replayed;
  }

  /** Removes the copies of letters that were put back. */
  public void remove(Collection<@Nullable String> ids) throws IOException {
    forEach(Long.MAX_VALUE, entry -> entry.id() != null && ids.contains(entry.id()));
  }

  private void forEach(long most, Handler handler) throws IOException {
    int number = 0;
    for (String queue : queues()) {
      long left = Long.MAX_VALUE;
      while (left > 0 && number < most) {
        GetResponse next = channel.channel().basicGet(queue, false);
        if (next == null) {
          break;
        }
        // What is dead-lettered again meanwhile is not replayed in a circle. The queue's own count
        // would not do: the broker answers it before it has done what an earlier recover asked.
        left = Math.min(left - 1, next.getMessageCount());
        if (handler.removes(entry(next, ++number))) {
          channel.channel().basicAck(next.getEnvelope().getDeliveryTag(), false);
        }
      }
    }
    channel.channel().basicRecover(true);
  }

  private void publish(LetterBroker.Letter letter) throws IOException {
    try {
      if (!channel.publish(settings.queue(), letter.properties(), letter.body())) {
        throw new IOException("rejects what is published: queue " + settings.queue() + " is full");
      }
    } catch (IOException e) {
      throw new IOException(settings.broker() + " " + e.getMessage(), e);
    }
  }

  private List<String> queues() {
    String dead = Topology.deadLetterQueue(settings.queue());
    return settings.share().number() == 0
        ? List.of(dead, Topology.refusedQueue(settings.queue()))
        : List.of(dead);
  }

  private Entry entry(GetResponse letter, int number) {
    Map<String, Object> headers = letter.getProps().getHeaders();
    Map<String, Object> given = headers == null ? Map.of() : headers;
    // A body that can't be decoded has an id of somebody else's, and no copy.
    boolean refused = given.containsKey(Envelope.RECEIVED_HEADER);
    return new Entry(
        number,
        refused ? letter.getProps().getMessageId() : null,
        refused
            ? given.getOrDefault(Envelope.STREAM_HEADER, settings.stream()).toString()
            : settings.stream(),
        given.getOrDefault(Envelope.REASON_HEADER, "no reason given").toString(),
        letter.getProps(),
        letter.getBody());
  }

  /** Disconnects; what was looked at and not put back is where it was. */
  @Override
  public void close() {
    connection.abort(CLOSE_MILLIS);
  }
}
