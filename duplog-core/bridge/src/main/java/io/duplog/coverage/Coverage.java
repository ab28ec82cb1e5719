package io.duplog.coverage;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.Tallies;
import io.duplog.observe.Condition;
import io.duplog.wire.MessageBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out how many messages each stream missed, from the copies that all bridges have counted.
 * Counts the messages that this bridge judges, adds the counts to those of the other bridges, and
 * settles finished periods. Reports on the periods that any bridge has settled.
 *
 * <p>If the ledger has several parts, each message is counted and settled in its own part, and the
 * reports add the parts up. While a part is unavailable, the reports cover only the messages of the
 * other parts, and say so.
 *
 * <p>{@link #counted}, {@link #uncounted} and {@link #report} may be called from any thread. {@link
 * #runOnce} is called from one thread at a time, about once a second.
 *
 * @see "docs/decisions/coverage.md#coverage-by-first-sight"
 */
public final class Coverage {
  private static final Logger log = LoggerFactory.getLogger(Coverage.class);
  private static final Duration MISMATCH_RANGE = Duration.ofMinutes(10);
  private static final long COMPARISON_PAUSE_MILLIS = 10_000;

  /**
   * Milliseconds after which {@link #runOnce} starts to read no further part. The next run reads
   * the rest.
   */
  private static final long MAX_READ_MILLIS = 1_000;

  private final List<String> streams;
  private final Periods periods;
  private final List<PartCoverage> parts;
  private final LongSupplier wallMillis;
  private final MismatchWatch mismatchWatch;
  private final Reports reports;

  // Used only by the thread that calls runOnce.
  private History history;

  /**
   * Parts of the ledger whose settled periods have not been read yet. Reports change when all have
   * been read.
   */
  private final Set<PartCoverage> unreadParts = new LinkedHashSet<>();

  private long comparisonMillis;

  /** The store's clock minus this host's, in milliseconds, or 0 before the store's first answer. */
  private volatile long storeAheadMillis;

  private volatile Reports.Basis basis;

  /**
   * @param streams names of the streams, in the order in which they are counted
   * @param period length of a period, the same for all bridges
   * @param maxSenders maximum number of senders with counts of their own in a period
   * @param bySender whether all streams see the same address for the same sender
   * @param parts the counts that bridges share, for each part of the ledger
   * @param wallMillis {@code System::currentTimeMillis}, or a test's clock
   */
  public Coverage(
      List<String> streams,
      Duration window,
      Duration period,
      int maxSenders,
      boolean bySender,
      List<Tallies> parts,
      LongSupplier wallMillis) {
    this.streams = streams;
    this.periods = new Periods(window.toMillis(), period.toMillis());
    this.parts =
        IntStream.range(0, parts.size())
            .mapToObj(
                part ->
                    new PartCoverage(
                        part,
                        periods,
                        maxSenders,
                        parts.get(part),
                        new Contribution(
                            streams, periods, maxSenders, bySender, parts.get(part), wallMillis)))
            .toList();
    this.wallMillis = wallMillis;
    this.mismatchWatch = new MismatchWatch(streams);
    this.reports = new Reports(streams, periods, maxSenders);
    this.history = History.empty(streams.size(), parts.size());
    this.basis = basis();
  }

  /** Returns the length of a period for this window, which is the same for all bridges. */
  public static Duration period(Duration window) {
    return Duration.ofMillis(new Periods(window).lengthMillis());
  }

  /**
   * Called when a part of the ledger has counted a batch of a stream. A batch that was already
   * counted is ignored.
   */
  public void counted(int part, MessageBatch batch, int stream, Judgement.Counted counted) {
    Sightings sightings = counted.sightings();
    if (sightings != null) {
      parts.get(part).contribution().counted(batch, stream, counted, sightings);
      mismatchWatch.samples().offer(batch, stream, counted.kept());
    }
  }

  /**
   * Called when a part of the ledger has not counted messages, which therefore can't be compared.
   */
  public void uncounted(int part, long messages) {
    parts.get(part).contribution().uncounted(messages);
  }

  /**
   * Writes the counts, settles finished periods, and reads the periods that other bridges have
   * settled. A part that is unavailable, or whose answer is invalid, does not affect the other
   * parts.
   *
   * @throws LedgerUnavailableException if no part is available; the counts are kept
   */
  public void runOnce() throws LedgerUnavailableException {
    List<PartCoverage> answered = new ArrayList<>();
    forEach(
        parts,
        part -> {
          part.exchange();
          answered.add(part);
        });
    if (!answered.isEmpty()) {
      storeAheadMillis = answered.get(0).contribution().storeAheadMillis();
    }
    if (parts.stream().anyMatch(PartCoverage::isStale)) {
      // One part can't be removed from the sums, so all available parts are read again.
      history = history.cleared();
      parts.forEach(PartCoverage::forget);
      unreadParts.clear();
    }
    learn(answered);
    long now = parts.stream().mapToLong(part -> part.contribution().storeMillis()).max().orElse(0);
    if (Math.abs(now - comparisonMillis) >= COMPARISON_PAUSE_MILLIS) {
      comparisonMillis = now;
      compareStreams(now);
    }
  }

  /**
   * Reads the settled periods of at least one part, and of further parts for about a second. The
   * remaining parts are read in the next runs, because other bridges consider a bridge lost if it
   * writes nothing for the length of a lease. Reports change only when all parts have been read, so
   * that no figure mixes old and new data.
   */
  private void learn(List<PartCoverage> answered) throws LedgerUnavailableException {
    unreadParts.retainAll(answered);
    if (unreadParts.isEmpty()) {
      unreadParts.addAll(answered);
    }
    long begin = wallMillis.getAsLong();
    try {
      forEach(
          List.copyOf(unreadParts),
          part -> {
            // The absolute value, because a clock that is set back must not prolong the reading.
            if (Math.abs(wallMillis.getAsLong() - begin) < MAX_READ_MILLIS) {
              unreadParts.remove(part);
              history = part.learn(history);
            }
          });
    } finally {
      if (unreadParts.isEmpty()) {
        basis = basis();
      }
    }
  }

  private interface Step {
    void take(PartCoverage part) throws LedgerUnavailableException;
  }

  /**
   * Takes a step for each part. Throws if the step failed for every part and at least one part is
   * unavailable.
   */
  private static void forEach(List<PartCoverage> parts, Step step)
      throws LedgerUnavailableException {
    @Nullable LedgerUnavailableException failure = null;
    int failed = 0;
    for (PartCoverage part : parts) {
      try {
        step.take(part);
      } catch (LedgerUnavailableException e) {
        failure = e;
        failed++;
      } catch (RuntimeException e) {
        part.warn(e);
        failed++;
      }
    }
    if (failure != null) {
      if (failed == parts.size()) {
        throw failure;
      }
      log.debug("{} of {} parts take no counts at the moment", failed, parts.size(), failure);
    }
  }

  private Reports.Basis basis() {
    List<@Nullable Stretch> stretches = new ArrayList<>();
    parts.forEach(part -> stretches.add(part.stretch()));
    return new Reports.Basis(history, stretches);
  }

  /**
   * Writes the last counts, and tells the store that they are the last.
   *
   * @throws LedgerUnavailableException if no part is available; the last counts are lost
   */
  public void leave() throws LedgerUnavailableException {
    forEach(parts, PartCoverage::leave);
  }

  /** Finds pairs of streams that share almost no messages in the recently settled periods. */
  private void compareStreams(long nowMillis) {
    long range = Math.max(MISMATCH_RANGE.toMillis(), 2 * periods.lengthMillis());
    long from = periods.at(nowMillis - range - periods.windowMillis());
    List<Summary> recent =
        basis.history().all().periods().stream().filter(each -> each.number() >= from).toList();
    mismatchWatch.update(Summary.sum(0, streams.size(), recent, 0));
  }

  /**
   * Returns the pairs of streams that share almost no messages, although many arrive on both. May
   * be called from any thread.
   */
  public List<Mismatch> mismatches() {
    return mismatchWatch.mismatches();
  }

  /** Returns the condition of the comparison of streams. May be called from any thread. */
  Condition comparison() {
    return mismatchWatch.condition();
  }

  /**
   * Returns the number of messages that were settled since this bridge started. May be called from
   * any thread.
   */
  public long messages() {
    return basis.history().sinceStart().messages();
  }

  /**
   * Returns the number of {@link #messages} that a stream missed. May be called from any thread.
   */
  public long missed(int stream) {
    return basis.history().sinceStart().missed(stream);
  }

  /**
   * Returns the number of messages since this bridge started that were not compared. Misses may be
   * overstated by as many. May be called from any thread.
   */
  public long notCompared() {
    return basis.history().sinceStart().doubtful();
  }

  /**
   * Reports the messages that the streams missed recently. All bridges report the same, except for
   * about a second after a period was settled.
   *
   * @param range length of the reported time, at most a day; it consists of whole periods and ends
   *     with the last settled period
   */
  public CoverageReport report(Duration range) {
    return report(range, CoverageReport.Named.TOP_SENDERS);
  }

  /** Returns the same report with other senders named. */
  CoverageReport report(Duration range, CoverageReport.Named named) {
    return reports.of(basis, range, named, wallMillis.getAsLong());
  }

  /**
   * Returns the milliseconds by which the store's clock is ahead of this host's, or 0 before the
   * store's first answer. May be called from any thread.
   */
  public long storeAheadMillis() {
    return storeAheadMillis;
  }

  /**
   * Returns the time by the store's clock, which all bridges share, or by this host's clock before
   * the store's first answer. May be called from any thread.
   */
  public Instant storeTime() {
    return Instant.ofEpochMilli(wallMillis.getAsLong() + storeAheadMillis);
  }

  /**
   * Reports the messages that the streams missed in an hour of the last day, from the periods that
   * begin in it.
   *
   * @param hour the beginning of the hour
   * @return the report, or null if the hour is not completely settled, if nothing is known about
   *     it, or if no period begins in it
   */
  public @Nullable CoverageReport reportOf(Instant hour) {
    return reports.ofHour(basis, hour.toEpochMilli(), wallMillis.getAsLong());
  }
}
