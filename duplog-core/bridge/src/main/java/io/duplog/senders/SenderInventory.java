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
 * Records who sends how much on which path, together with all other bridges, so that silent senders
 * are noticed. Counts the messages that this bridge receives, and adds the counts to the records
 * that all bridges share.
 *
 * <p>A sender's counts are shared after {@link #SHARE_DELAY}, for at most {@link
 * #MAX_SENDERS_PER_RUN} senders per run. This limits the load on the store: the counts of 100,000
 * senders are shared within some minutes.
 *
 * <p>{@link #counted}, {@link #refused} and the reports may be called from any thread. {@link
 * #runOnce} is called from one thread at a time, about once a second.
 *
 * @see "docs/decisions/senders.md#sender-records"
 */
public final class SenderInventory {
  static final Duration SHARE_DELAY = Duration.ofSeconds(5);
  static final int MAX_SENDERS_PER_RUN = 500;

  /** Minimum pause between two reads of all records. */
  private static final Duration MIN_READ_PAUSE = Duration.ofSeconds(10);

  /** Milliseconds that are added to the pause for each sender. */
  private static final int READ_MILLIS_PER_SENDER = 1;

  /**
   * Maximum tolerated step back of the store's clock. Records with times further in the future are
   * corrected.
   */
  private static final Duration MAX_CLOCK_STEP = Duration.ofMinutes(5);

  private final List<String> streams;
  private final SharedTexts store;
  private final LongSupplier storeMillis;
  private final SilenceWatch silenceWatch;
  private final StreamOutages outages;
  private final GoneWatch goneWatch;
  private final VolumeWatch volumeWatch;
  private final NumbersWatch numbersWatch = new NumbersWatch();
  private final ConcernWatch concernWatch = new ConcernWatch();
  private volatile Supplier<SenderList> listSource = () -> SenderList.NONE;
  private volatile SenderList list = SenderList.NONE;
  private volatile Set<String> unheardSenders = Set.of();

  private final Map<String, SenderRecord> records = new ConcurrentHashMap<>();
  private final WaitingCounts waitingCounts;

  // Used only by the thread that calls runOnce.
  private Map<String, SenderCounts> countsToShare = Map.of();

  /** Whether the store may have accepted the counts although this bridge got no answer. */
  private boolean isAnswerMissing;

  /** Senders that this bridge knows and that the store has lost. */
  private final Set<String> lostSenders = new HashSet<>();

  private @Nullable Long lastReadMillis;

  /**
   * @param streams names of the streams, in the order in which they are counted
   * @param maxSenders maximum number of senders in the inventory
   * @param reader reads headers, one at a time
   * @param isUpToDate tells by a stream's name whether the stream has delivered everything that it
   *     can deliver by now; no sender counts as silent on another stream
   * @param storeMillis the store's clock, which all bridges have in common
   */
  public SenderInventory(
      List<String> streams,
      SharedTexts store,
      int maxSenders,
      Headers.Reader reader,
      Predicate<String> isUpToDate,
      LongSupplier storeMillis) {
    this.streams = streams;
    this.store = store;
    this.waitingCounts = new WaitingCounts(streams.size(), maxSenders, reader, records.keySet());
    this.silenceWatch = new SilenceWatch(streams, isUpToDate);
    this.outages = new StreamOutages(streams, isUpToDate);
    this.goneWatch = new GoneWatch(outages);
    this.volumeWatch = new VolumeWatch(outages);
    this.storeMillis = storeMillis;
  }

  /**
   * Sets the source of the administrator's list of senders. Each {@link #runOnce} gets the list
   * from it.
   */
  public void useList(Supplier<SenderList> source) {
    this.listSource = source;
  }

  /**
   * Called once for each batch.
   *
   * @param stream index of the stream on which the batch arrived
   * @param delivered indexes of the delivered messages, or null if all are delivered
   * @param publishedMillis when the batch was published, by the clock of its node
   */
  public void counted(
      MessageBatch batch, int stream, @Nullable BitSet delivered, long publishedMillis) {
    long now = storeMillis.getAsLong();
    // A clock that is ahead must not hide a silence. No message is older than 1970.
    long published = Math.max(0, Math.min(publishedMillis, now));
    waitingCounts.count(batch, stream, delivered, published, now, list);
  }

  /**
   * Called when the sink has permanently refused a message.
   *
   * @param message index of the message
   */
  public void refused(MessageBatch batch, int message) {
    String sender = batch.sender(message);
    if (sender != null) {
      waitingCounts.countRefusal(sender, storeMillis.getAsLong(), list);
    }
  }

  /**
   * Shares the counts that are due. From time to time, reads the records that all bridges share and
   * finds the senders with concerns.
   *
   * @throws LedgerUnavailableException if the store is unavailable; the counts are kept
   */
  public void runOnce() throws LedgerUnavailableException {
    long now = storeMillis.getAsLong();
    list = listSource.get();
    // Before anything is read, because the store may have accepted these counts without an answer.
    if (!countsToShare.isEmpty()) {
      share();
    }
    // The absolute value, because a clock that is set back must not prolong the pause.
    long pause = MIN_READ_PAUSE.toMillis() + (long) READ_MILLIS_PER_SENDER * records.size();
    if (lastReadMillis == null || Math.abs(now - lastReadMillis) >= pause) {
      lastReadMillis = now;
      read(now);
      findConcerns(now);
    }
    if (countsToShare.isEmpty()) {
      countsToShare = waitingCounts.takeDue(now, list);
      if (!countsToShare.isEmpty()) {
        share();
      }
    }
  }

  /**
   * Finds the senders with concerns. The order matters, because some watches need the results of
   * others.
   */
  private void findConcerns(long now) {
    outages.update(records.values(), now);
    silenceWatch.update(records, list, now);
    goneWatch.update(records, list, now);
    volumeWatch.update(records, list, goneWatch.goneSenders().keySet(), now);
    numbersWatch.update(records, list, now);
    unheardSenders =
        list.expectedSenders(now)
            .filter(sender -> !isHeard(sender, now))
            .collect(Collectors.toUnmodifiableSet());
    concernWatch.update(records.size(), report());
  }

  /**
   * Shares all counts, for some seconds at most. The rest of the counts is lost.
   *
   * @throws LedgerUnavailableException if the store is unavailable; the latest counts are lost
   */
  public void leave() throws LedgerUnavailableException {
    long end = storeMillis.getAsLong() + SHARE_DELAY.toMillis();
    while (storeMillis.getAsLong() <= end) {
      if (countsToShare.isEmpty()) {
        countsToShare = waitingCounts.takeDue(Long.MAX_VALUE, list);
      }
      if (countsToShare.isEmpty()) {
        return;
      }
      share();
    }
  }

  /**
   * Adds the counts to the shared records. After a failure, the same texts are sent again. So
   * counts that the store has accepted without an answer are not added twice, unless another bridge
   * has changed the sender's record since.
   */
  private void share() throws LedgerUnavailableException {
    exchange();
    if (!countsToShare.isEmpty()) {
      exchange(); // with the records that the first call has learned
    }
  }

  private void exchange() throws LedgerUnavailableException {
    long now = storeMillis.getAsLong();
    Map<String, SenderRecord> sums = new LinkedHashMap<>();
    List<SharedTexts.Change> changes = new ArrayList<>();
    countsToShare.forEach(
        (sender, more) -> {
          SenderRecord before = records.get(sender);
          SenderRecord sum =
              (before == null
                      ? SenderRecord.EMPTY
                      : before.withoutFutureTimes(now, MAX_CLOCK_STEP.toMillis()))
                  .plus(more, streams, outages);
          String text = before == null || lostSenders.contains(sender) ? "" : before.text();
          sums.put(sender, sum);
          changes.add(new SharedTexts.Change(sender, text, sum.text()));
        });
    boolean isRepeated = isAnswerMissing;
    isAnswerMissing = true;
    Iterator<String> texts = store.replace(changes).iterator();
    isAnswerMissing = false;
    Map<String, SenderCounts> changedMeanwhile = new LinkedHashMap<>();
    for (SharedTexts.Change change : changes) {
      String sender = change.name();
      String text = texts.next();
      if (text.equals(change.known()) || (isRepeated && text.equals(change.next()))) {
        records.put(sender, sums.get(sender));
        lostSenders.remove(sender);
        continue;
      }
      changedMeanwhile.put(sender, countsToShare.get(sender));
      if (text.isEmpty()) {
        lostSenders.add(sender); // but keep the record here, so that it is written again
      } else {
        learn(sender, text);
      }
    }
    countsToShare = changedMeanwhile;
  }

  private boolean isHeard(String sender, long nowMillis) {
    SenderRecord record = records.get(sender);
    return record != null
        && nowMillis - record.lastMillis() <= SenderReport.GIVEN_UP_AFTER.toMillis();
  }

  private void learn(String sender, String text) {
    lostSenders.remove(sender);
    SenderRecord record = SenderRecord.parse(text);
    if (record != null) {
      records.put(sender, record);
      return;
    }
    records.remove(sender);
    if (!text.isEmpty()) {
      lastReadMillis = null; // the next read removes it
    }
  }

  /** Reads all records, restores those that the store has lost, and removes expired ones. */
  private void read(long nowMillis) throws LedgerUnavailableException {
    Map<String, String> all = store.all();
    all.forEach(this::learn);
    List<SharedTexts.Change> changes = new ArrayList<>();
    all.forEach(
        (sender, text) -> {
          if (!records.containsKey(sender)) {
            changes.add(new SharedTexts.Change(sender, text, "")); // it is not a record
          }
        });
    records.forEach(
        (sender, record) -> {
          boolean isExpired =
              record.isExpired(nowMillis)
                  || list.of(sender).isForgotten(record.lastMillis(), nowMillis);
          String text = all.getOrDefault(sender, "");
          if (isExpired || text.isEmpty()) {
            changes.add(new SharedTexts.Change(sender, text, isExpired ? "" : record.text()));
          }
        });
    for (List<SharedTexts.Change> some : Lists.partition(changes, MAX_SENDERS_PER_RUN)) {
      Iterator<String> texts = store.replace(some).iterator();
      for (SharedTexts.Change change : some) {
        String text = texts.next();
        learn(change.name(), text.equals(change.known()) ? change.next() : text);
      }
    }
    waitingCounts.updateNewSenders();
  }

  /** Returns the number of senders in the inventory. */
  public int size() {
    return records.size();
  }

  /**
   * Returns the number of copies since this bridge started from senders for which the inventory had
   * no room.
   */
  public long unlistedCopies() {
    return waitingCounts.unlistedCopies();
  }

  /** Returns a report on each known or expected sender, as of the last update. */
  public Stream<SenderReport> report() {
    long now = storeMillis.getAsLong();
    SenderList list = this.list;
    Set<String> unheard = unheardSenders;
    Map<String, SenderReport.Gone> goneSenders = goneWatch.goneSenders();
    Map<String, Volume.Change> changes = volumeWatch.changes();
    return Stream.concat(
            records.entrySet().stream(),
            unheard.stream()
                .filter(sender -> !records.containsKey(sender))
                .map(sender -> Map.entry(sender, SenderRecord.EMPTY)))
        .map(
            each -> {
              String sender = each.getKey();
              SenderRecord record = each.getValue();
              return new SenderReport(
                  sender,
                  record,
                  goneSenders.get(sender),
                  changes.get(sender),
                  silenceWatch.paths(sender, record),
                  new SenderReport.Assessment(
                      now,
                      list.of(sender).isMuted(now),
                      unheard.contains(sender),
                      numbersWatch.newlyMissing(sender, record)));
            });
  }

  /** Returns the numbers of senders with each concern, as of the last update. */
  public ConcernCounts concernCounts() {
    return concernWatch.counts();
  }

  /** Returns the condition of all senders together, as of the last update. */
  public Condition condition() {
    return concernCounts().condition();
  }

  /**
   * Returns the number of messages that arrived on no stream according to the senders' own numbers,
   * without muted senders, as of the last update. Returns NaN before the first update.
   */
  public double missingNumbers() {
    return numbersWatch.totalMissing();
  }
}
