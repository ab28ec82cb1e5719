package io.duplog.senders;

import com.google.common.collect.Lists;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.SharedTexts;
import io.duplog.observe.Condition;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The inventory of senders as one bridge knows it. Counts what this bridge sees, and adds that to
 * the records that all bridges share.
 *
 * <p>A sender is handed over once it has waited for {@link #WAIT}, but only {@link #A_TURN} senders
 * a turn. So the store's load has a bound, and what 100,000 senders send is known after some
 * minutes.
 *
 * <p>{@link #counted}, {@link #refused} and the reports may be called from any thread, {@link
 * #runOnce} by one thread at a time, about once a second.
 *
 * @see "docs/decisions/senders.md#sender-records"
 */
public final class SenderInventory {
  static final Duration WAIT = Duration.ofSeconds(5);
  static final int A_TURN = 500;

  /** Shortest pause between two readings of all records. */
  private static final Duration READ_EVERY = Duration.ofSeconds(10);

  /** Milliseconds by which the pause is longer for each sender. */
  private static final int READ_MILLIS_A_SENDER = 1;

  /**
   * Greatest step back of the store's clock that is tolerated; records with times further in the
   * future are mended.
   */
  private static final Duration SET_BACK = Duration.ofMinutes(5);

  private final List<String> streams;
  private final SharedTexts store;
  private final LongSupplier storeMillis;
  private final SilenceWatch silences;
  private final AwayTimes away;
  private final GoneWatch gone;
  private final VolumeWatch volumes;
  private final NumbersWatch numbers = new NumbersWatch();
  private final ConcernWatch concerns = new ConcernWatch();
  private volatile Supplier<SenderList> list = () -> SenderList.NONE;
  private volatile SenderList expected = SenderList.NONE;
  private volatile Set<String> unheard = Set.of();

  private final Map<String, SenderRecord> known = new ConcurrentHashMap<>();
  private final WaitingCounts waiting;

  // Used only by the thread that calls runOnce.
  private Map<String, SenderCounts> underWay = Map.of();

  /**
   * Whether the store may have accepted the counts under way without this bridge getting its
   * answer.
   */
  private boolean unanswered;

  /** Senders that are known here, and of which the store has no text. */
  private final Set<String> forgotten = new HashSet<>();

  private @Nullable Long readMillis;

  /**
   * @param streams names of the streams, in the order in which they are counted
   * @param most most senders to know
   * @param reader reads headers, one at a time
   * @param current says of a stream's name whether the stream has brought everything that it can by
   *     now; nobody is silent on another stream
   * @param storeMillis the store's clock, which all bridges have in common
   */
  public SenderInventory(
      List<String> streams,
      SharedTexts store,
      int most,
      Headers.Reader reader,
      Predicate<String> current,
      LongSupplier storeMillis) {
    this.streams = streams;
    this.store = store;
    this.waiting = new WaitingCounts(streams.size(), most, reader, known.keySet());
    this.silences = new SilenceWatch(streams, current);
    this.away = new AwayTimes(streams, current);
    this.gone = new GoneWatch(away);
    this.volumes = new VolumeWatch(away);
    this.storeMillis = storeMillis;
  }

  /** Sets the source of the administrator's list of senders, which every {@link #runOnce} asks. */
  public void follow(Supplier<SenderList> list) {
    this.list = list;
  }

  /**
   * Called once for each batch.
   *
   * @param stream index of the stream that brought the batch
   * @param kept which messages are delivered; null for all of them
   * @param publishedMillis when the batch was published, by the clock of its node
   */
  public void counted(MessageBatch batch, int stream, @Nullable BitSet kept, long publishedMillis) {
    long now = storeMillis.getAsLong();
    // A clock that is ahead must not hide a silence; no sender has spoken before 1970.
    long published = Math.max(0, Math.min(publishedMillis, now));
    waiting.counted(batch, stream, kept, published, now, expected);
  }

  /**
   * Called when the sink has refused a message for good.
   *
   * @param message index of the message
   */
  public void refused(MessageBatch batch, int message) {
    String sender = batch.sender(message);
    if (sender != null) {
      waiting.refused(sender, storeMillis.getAsLong(), expected);
    }
  }

  /**
   * Hands over the counts that have waited long enough. From time to time, reads the records that
   * all bridges share, and looks for senders that need attention.
   *
   * @throws LedgerUnavailableException if the store can't be asked; what was seen is kept
   */
  public void runOnce() throws LedgerUnavailableException {
    long now = storeMillis.getAsLong();
    expected = list.get();
    // Before anything is read, because the store may have taken it without an answer.
    if (!underWay.isEmpty()) {
      handOver();
    }
    // The absolute value, because a clock that is set back must not prolong the pause.
    long pause = READ_EVERY.toMillis() + (long) READ_MILLIS_A_SENDER * known.size();
    if (readMillis == null || Math.abs(now - readMillis) >= pause) {
      readMillis = now;
      read(now);
      look(now);
    }
    if (underWay.isEmpty()) {
      underWay = waiting.due(now, expected);
      if (!underWay.isEmpty()) {
        handOver();
      }
    }
  }

  /** Looks for senders with concerns, in this order because a watch may need what others found. */
  private void look(long now) {
    away.look(known.values(), now);
    silences.look(known, expected, now);
    gone.look(known, expected, now);
    volumes.look(known, expected, gone.gone().keySet(), now);
    numbers.look(known, expected, now);
    unheard =
        expected
            .expected(now)
            .filter(sender -> !isHeard(sender, now))
            .collect(Collectors.toUnmodifiableSet());
    concerns.look(known.size(), report());
  }

  /**
   * Hands over what was seen, for some seconds at most; the rest is lost.
   *
   * @throws LedgerUnavailableException if the store can't be asked; what was seen last is lost
   */
  public void leave() throws LedgerUnavailableException {
    long end = storeMillis.getAsLong() + WAIT.toMillis();
    while (storeMillis.getAsLong() <= end) {
      if (underWay.isEmpty()) {
        underWay = waiting.due(Long.MAX_VALUE, expected);
      }
      if (underWay.isEmpty()) {
        return;
      }
      handOver();
    }
  }

  /**
   * Adds what is under way to the shared records. After a failure the same texts are sent again, so
   * that counts which the store has taken without an answer are not added twice, unless another
   * bridge has changed the sender's record since.
   */
  private void handOver() throws LedgerUnavailableException {
    replace();
    if (!underWay.isEmpty()) {
      replace(); // with what the first call has told
    }
  }

  private void replace() throws LedgerUnavailableException {
    long now = storeMillis.getAsLong();
    Map<String, SenderRecord> sums = new LinkedHashMap<>();
    List<SharedTexts.Change> changes = new ArrayList<>();
    underWay.forEach(
        (sender, more) -> {
          SenderRecord before = known.get(sender);
          SenderRecord sum =
              (before == null ? SenderRecord.NOTHING : before.upTo(now, SET_BACK.toMillis()))
                  .plus(more, streams, away);
          String text = before == null || forgotten.contains(sender) ? "" : before.text();
          sums.put(sender, sum);
          changes.add(new SharedTexts.Change(sender, text, sum.text()));
        });
    boolean repeated = unanswered;
    unanswered = true;
    Iterator<String> texts = store.replace(changes).iterator();
    unanswered = false;
    Map<String, SenderCounts> changedMeanwhile = new LinkedHashMap<>();
    for (SharedTexts.Change change : changes) {
      String sender = change.name();
      String text = texts.next();
      if (text.equals(change.known()) || (repeated && text.equals(change.next()))) {
        known.put(sender, sums.get(sender));
        forgotten.remove(sender);
        continue;
      }
      changedMeanwhile.put(sender, underWay.get(sender));
      if (text.isEmpty()) {
        forgotten.add(sender); // and still known here, so that all of it is written again
      } else {
        learn(sender, text);
      }
    }
    underWay = changedMeanwhile;
  }

  private boolean isHeard(String sender, long nowMillis) {
    SenderRecord record = known.get(sender);
    return record != null
        && nowMillis - record.lastMillis() <= SenderReport.GIVEN_UP_AFTER.toMillis();
  }

  private void learn(String sender, String text) {
    forgotten.remove(sender);
    SenderRecord record = SenderRecord.parse(text);
    if (record != null) {
      known.put(sender, record);
      return;
    }
    known.remove(sender);
    if (!text.isEmpty()) {
      readMillis = null; // the next reading removes it
    }
  }

  /** Reads all records, writes again what the store has forgotten, and removes what is old. */
  private void read(long nowMillis) throws LedgerUnavailableException {
    Map<String, String> all = store.all();
    all.forEach(this::learn);
    List<SharedTexts.Change> changes = new ArrayList<>();
    all.forEach(
        (sender, text) -> {
          if (!known.containsKey(sender)) {
            changes.add(new SharedTexts.Change(sender, text, "")); // it is no record
          }
        });
    known.forEach(
        (sender, record) -> {
          boolean old =
              record.isOld(nowMillis)
                  || expected.of(sender).isForgotten(record.lastMillis(), nowMillis);
          String text = all.getOrDefault(sender, "");
          if (old || text.isEmpty()) {
            changes.add(new SharedTexts.Change(sender, text, old ? "" : record.text()));
          }
        });
    for (List<SharedTexts.Change> some : Lists.partition(changes, A_TURN)) {
      Iterator<String> texts = store.replace(some).iterator();
      for (SharedTexts.Change change : some) {
        String text = texts.next();
        learn(change.name(), text.equals(change.known()) ? change.next() : text);
      }
    }
    waiting.forgetNewcomers();
  }

  /** Returns the number of senders that are known. */
  public int size() {
    return known.size();
  }

  /** Returns the number of copies, since this bridge started, of senders that had no place. */
  public long unlisted() {
    return waiting.unlisted();
  }

  /** Returns a report on each known or expected sender, as of the last look. */
  public Stream<SenderReport> report() {
    long now = storeMillis.getAsLong();
    SenderList list = expected;
    Set<String> missing = unheard;
    Map<String, SenderReport.Gone> silent = gone.gone();
    Map<String, Volume.Change> changes = volumes.changes();
    return Stream.concat(
            known.entrySet().stream(),
            missing.stream()
                .filter(sender -> !known.containsKey(sender))
                .map(sender -> Map.entry(sender, SenderRecord.NOTHING)))
        .map(
            each -> {
              String sender = each.getKey();
              SenderRecord record = each.getValue();
              return new SenderReport(
                  sender,
                  record,
                  silent.get(sender),
                  changes.get(sender),
                  silences.paths(sender, record),
                  new SenderReport.Look(
                      now,
                      list.of(sender).isMuted(now),
                      missing.contains(sender),
                      numbers.newlyMissing(sender, record)));
            });
  }

  /** Returns what the last look found. */
  public ConcernCounts findings() {
    return concerns.findings();
  }

  /** Returns the condition of all senders together, as of the last look. */
  public Condition condition() {
    return findings().condition();
  }

  /**
   * Returns how many messages of all senders that are not muted nobody has, as the senders' own
   * numbers told at the last look; NaN before the first one.
   */
  public double missingNumbers() {
    return numbers.missing();
  }
}
