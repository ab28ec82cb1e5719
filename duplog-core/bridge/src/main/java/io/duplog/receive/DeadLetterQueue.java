package io.duplog.receive;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.ListMultimap;
import com.rabbitmq.client.AMQP;
import io.duplog.receive.DeadLetterBroker.Place;
import io.duplog.receive.DeadLetterBroker.Taken;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.Envelope;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists and takes the dead letters of one RabbitMQ for {@code duplog dead-letter}. Listing dead
 * letters leaves all of them in place and in order. The message of each exception is one line for
 * an operator. Not thread-safe.
 */
public final class DeadLetterQueue implements AutoCloseable {

  /**
   * A single dead letter.
   *
   * @param number the dead letter's position at this broker, from 1
   * @param id the id that all copies of the dead letter on several brokers share, or null if there
   *     can't be other copies
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

  /** Called with each fetched dead letter. */
  private interface Visitor {
    void visit(Taken taken, Entry entry) throws IOException;
  }

  /** Callbacks of a replay of dead letters. */
  public interface Replay {
    /** Whether to replay this dead letter. */
    boolean chooses(Entry entry);

    /** Returns the dead letters of the stream that a dead letter came on. */
    DeadLetterQueue home(Entry entry);

    /**
     * Called when a dead letter was replayed.
     *
     * @param id the dead letter's id, or null if it has none
     */
    void putBack(@Nullable String id);

    /** Whether to end before the next dead letter. */
    boolean isOver();
  }

  private final QueueSettings settings;
  private final DeadLetterBroker broker;

  /**
   * Fetched dead letters by id, which nobody else can fetch while those of another queue are
   * replayed.
   */
  private @Nullable ListMultimap<String, Taken> heldLetters;

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
   * Returns the number of dead letters. The number is too low just after {@link #look}, until the
   * broker has put the dead letters back.
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
   * Replays dead letters to the first queues of their streams, in one batch for each time of
   * receipt. First removes the copies at the other brokers. The dead letter itself is removed when
   * the broker has confirmed the batches that replay it. An interrupted replay can therefore be
   * repeated: no dead letter is lost, and at most the one in progress is replayed twice.
   *
   * @param limits the bridges' limits of decoding
   * @param others queues that may contain copies
   * @throws IOException if a broker stops accepting messages. Dead letters that were not replayed
   *     stay in their queues.
   */
  public void replay(Replay replay, BatchLimits limits, Collection<DeadLetterQueue> others)
      throws IOException {
    Set<String> replayed = new HashSet<>();
    try {
      forEach(
          Long.MAX_VALUE,
          entry -> {
            if (replay.isOver() || !replay.chooses(entry)) {
              return false;
            }
            String id = entry.id();
            if (id == null || replayed.add(id)) {
              putBack(entry, replay.home(entry), limits, others);
              replay.putBack(id);
            }
            return true;
          });
    } finally {
      others.forEach(DeadLetterQueue::release);
    }
  }

  private static void putBack(
      Entry entry, DeadLetterQueue home, BatchLimits limits, Collection<DeadLetterQueue> others)
      throws IOException {
    if (entry.id() != null) {
      for (DeadLetterQueue other : others) {
        other.removeCopies(entry.id());
      }
    }
    for (Letter batch : ReplayedBatches.of(entry, limits)) {
      home.putBack(batch);
    }
  }

  private void putBack(Letter batch) throws IOException {
    if (!broker.publish(Place.STREAM, batch)) {
      throw new IOException(
          "%s rejects published messages: queue %s is full"
              .formatted(settings.broker(), settings.queue()));
    }
  }

  /** Removes the dead letters with this id. Holds all others until {@link #release}. */
  private void removeCopies(String id) throws IOException {
    ListMultimap<String, Taken> all = heldLetters;
    if (all == null) {
      ListMultimap<String, Taken> found = ArrayListMultimap.create();
      fetch(
          Long.MAX_VALUE,
          (taken, entry) -> {
            if (entry.id() != null) {
              found.put(entry.id(), taken.withoutBody());
            }
          });
      all = found;
      heldLetters = all;
    }
    for (Taken copy : all.removeAll(id)) {
      broker.acknowledge(copy);
    }
  }

  /** Puts the held dead letters back into their queues. */
  private void release() {
    if (heldLetters != null) {
      heldLetters = null;
      try {
        broker.putAllBack();
      } catch (IOException e) {
        broker.close(); // then the broker puts them back
      }
    }
  }

  private void forEach(long most, Handler handler) throws IOException {
    fetch(
        most,
        (taken, entry) -> {
          if (handler.removes(entry)) {
            broker.acknowledge(taken);
          }
        });
    broker.putAllBack();
  }

  private void fetch(long most, Visitor visitor) throws IOException {
    int number = 0;
    for (Place place : broker.places()) {
      long left = Long.MAX_VALUE;
      while (left > 0 && number < most) {
        Taken next = broker.next(place);
        if (next == null) {
          break;
        }
        // Messages that are dead-lettered again in the meantime must not be replayed in a loop. The
        // queue's own count is unusable, because the broker answers before it has executed an
        // earlier recover.
        left = Math.min(left - 1, next.left());
        visitor.visit(next, entry(next.letter(), ++number));
      }
    }
  }

  private Entry entry(Letter letter, int number) {
    Map<String, Object> headers = Letter.headers(letter.properties());
    // An undecodable body has its publisher's id, and exists only once.
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

  /** Disconnects. Dead letters that were not removed stay in their queues. */
  @Override
  public void close() {
    broker.close();
  }
}
