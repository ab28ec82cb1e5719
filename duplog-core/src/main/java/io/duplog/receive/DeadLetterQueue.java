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
 * The dead letters at one queue's broker, for an administrator. They include the dead letters in
 * the waiting queue. Looking at dead letters leaves all of them in place and in order. The message
 * of each exception is one line for an operator. For one thread.
 */
public final class DeadLetterQueue implements AutoCloseable {

  /**
   * One dead letter.
   *
   * @param number the dead letter's position at this broker, from 1
   * @param id the id that the dead letter's copies on several brokers share; null if there is
   *     surely no other copy
   * @param stream the stream that the dead letter came on, or this queue's stream if no header
   *     names it
   * @param reason why the dead letter could not be delivered
   * @param properties the dead letter's AMQP properties, as they are in the queue
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

  /** Decides whether a dead letter is removed from its queue. */
  private interface Handler {
    boolean removes(Entry entry) throws IOException;
  }

  private final QueueSettings settings;
  private final DeadLetterBroker broker;

  private DeadLetterQueue(QueueSettings settings) {
    this.settings = settings;
    // Named differently from a bridge's connection, so that an operator can tell them apart.
    Connector connector =
        (queue, name) -> queue.login().connect("duplog dead-letter, " + queue.queue());
    this.broker = new DeadLetterBroker(settings, connector);
  }

  /**
   * Connects to the broker.
   *
   * @throws IOException if the broker or its queues can't be reached
   */
  public static DeadLetterQueue open(QueueSettings settings) throws IOException {
    DeadLetterQueue letters = new DeadLetterQueue(settings);
    letters.depth();
    return letters;
  }

  /** Returns the settings of the stream's queue to which these dead letters belong. */
  public QueueSettings settings() {
    return settings;
  }

  /**
   * Returns the number of dead letters; too low just after {@link #look}, until the broker has put
   * the dead letters back.
   */
  public long depth() throws IOException {
    long depth = 0;
    for (Place place : broker.places()) {
      depth += broker.count(place);
    }
    return depth;
  }

  /**
   * Returns the first dead letters, and leaves them in place.
   *
   * @param most the largest number to return, because all of them are held in memory
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
   * Puts dead letters back into their streams' queues, in one batch for each time at which their
   * messages were received. A dead letter is removed when the broker has confirmed the batches that
   * replay it.
   *
   * @param chosen selects the dead letters to replay
   * @param stream returns the dead letters of the stream that a dead letter came on; the batches go
   *     to the first queue of that stream
   * @param limits limits of decoding, as the bridges have them
   * @return the ids of the dead letters that were put back; null for each one that has no id
   * @throws IOException if a broker accepts no more; dead letters that were not put back are still
   *     in their queues
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

  /** Removes the dead letters with these ids; for use when another copy of each was replayed. */
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
        // Messages that are dead-lettered again meanwhile must not be replayed in a circle. The
        // queue's own count is no use, because the broker answers it before it has carried out an
        // earlier recover.
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
    // The id of a body that can't be decoded is its publisher's, and such a body has no copy.
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

  /** Disconnects; dead letters that were not removed stay in their queues. */
  @Override
  public void close() {
    broker.close();
  }
}
