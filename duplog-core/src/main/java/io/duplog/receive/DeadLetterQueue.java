package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.receive.DeadLetterBroker.Place;
import io.duplog.receive.DeadLetterBroker.Taken;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.Envelope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of one queue's broker, as an administrator handles them: those that wait beside
 * the dead-letter queue included. Looking leaves everything where it is and in its order. Each
 * exception's message is one line for an operator. For one thread.
 */
public final class DeadLetterQueue implements AutoCloseable {

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
  private final DeadLetterBroker broker;

  private DeadLetterQueue(QueueSettings settings) {
    this.settings = settings;
    // Not as a bridge's is called, so that an operator can tell them apart.
    Connector connector =
        (queue, name) -> queue.login().connect("duplog dead-letter, " + queue.queue());
    this.broker = new DeadLetterBroker(settings, connector);
  }

  /**
   * Connects.
   *
   * @throws IOException where there is no way to the broker, or to its queues
   */
  public static DeadLetterQueue open(QueueSettings settings) throws IOException {
    DeadLetterQueue letters = new DeadLetterQueue(settings);
    letters.depth();
    return letters;
  }

  /** The queue that they were published to. */
  public QueueSettings settings() {
    return settings;
  }

  /** How many there are; too few just after they were looked at. */
  public long depth() throws IOException {
    long depth = 0;
    for (Place place : broker.places()) {
      depth += broker.count(place);
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
            for (Letter batch : ReplayedBatches.of(entry, limits)) {
              stream.apply(entry).putBack(batch);
            }
            replayed.add(entry.id());
          }
          return true;
        });
    return replayed;
  }

  private void putBack(Letter batch) throws IOException {
    if (!broker.publish(Place.STREAM, batch)) {
      throw new IOException(
          "%s rejects what is published: queue %s is full"
              .formatted(settings.broker(), settings.queue()));
    }
  }

  /** Removes the copies of letters that were put back. */
  public void remove(Collection<@Nullable String> ids) throws IOException {
    forEach(Long.MAX_VALUE, entry -> entry.id() != null && ids.contains(entry.id()));
  }

  private void forEach(long most, Handler handler) throws IOException {
    int number = 0;
    for (Place place : broker.places()) {
      long left = Long.MAX_VALUE;
      while (left > 0 && number < most) {
        Taken next = broker.next(place);
        if (next == null) {
          break;
        }
        // What is dead-lettered again meanwhile is not replayed in a circle. The queue's own count
        // would not do: the broker answers it before it has done what an earlier recover asked.
        left = Math.min(left - 1, next.left());
        if (handler.removes(entry(next.letter(), ++number))) {
          broker.done(next);
        }
      }
    }
    broker.allBack();
  }

  private Entry entry(Letter letter, int number) {
    Map<String, Object> headers = Letter.headers(letter.properties());
    // A body that can't be decoded has an id of somebody else's, and no copy.
    boolean refused = headers.containsKey(Envelope.RECEIVED_HEADER);
    return new Entry(
        number,
        refused ? letter.properties().getMessageId() : null,
        refused
            ? headers.getOrDefault(Envelope.STREAM_HEADER, settings.stream()).toString()
            : settings.stream(),
        headers.getOrDefault(Envelope.REASON_HEADER, "no reason given").toString(),
        letter.properties(),
        letter.body());
  }

  /** Disconnects; what was looked at and not put back is where it was. */
  @Override
  public void close() {
    broker.close();
  }
}
