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
 * Coverage as one bridge knows it. Counts what this bridge judges, writes that beside what the
 * other bridges wrote, settles periods that are over, and reports on what any bridge has settled.
 *
 * <p>If the ledger has several parts, each message is counted and settled in its own part, and the
 * reports add the parts up. While a part is away, the reports are about the messages of the other
 * parts, and say so.
 *
 * <p>{@link #counted}, {@link #passed} and {@link #report} may be called from any thread, {@link
 * #runOnce} by one thread at a time, about once a second.
 *
 * @see "docs/decisions/coverage.md#coverage-by-first-sight"
 */
public final class Coverage {
  private static final Logger log = LoggerFactory.getLogger(Coverage.class);
  private static final Duration MISMATCH_RANGE = Duration.ofMinutes(10);
  private static final long COMPARE_MILLIS = 10_000;

  /**
   * Milliseconds after which {@link #runOnce} begins no other part; the next run reads the rest.
   */
  private static final long READING_MILLIS = 1_000;

  private final List<String> streams;
  private final Periods periods;
  private final List<PartCoverage> parts;
  private final LongSupplier wallMillis;
  private final MismatchWatch mismatch;
  private final Reports reports;

  // Used only by the thread that calls runOnce.
  private History history;

  /**
   * Parts of the ledger whose finished periods have not been read yet; reports change when all were
   * read.
   */
  private final Set<PartCoverage> unreadParts = new LinkedHashSet<>();

  private long comparisonMillis;

  /** The store's clock minus this host's, in milliseconds; 0 before the store's first answer. */
  private volatile long storeAhead;

  private volatile Reports.Basis basis;

  /**
   * @param streams names of the streams, in the order in which they are counted
   * @param period length of a period, the same for all bridges
   * @param senders most senders to tell apart in a period
   * @param bySender whether all streams see the same address for the same sender
   * @param parts the counts that bridges share, for each part of the ledger
   * @param wallMillis {@code System::currentTimeMillis}, or a test's clock
   */
  public Coverage(
      List<String> streams,
      Duration window,
      Duration period,
      int senders,
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
                        senders,
                        parts.get(part),
                        new Contribution(
                            streams, periods, senders, bySender, parts.get(part), wallMillis)))
            .toList();
    this.wallMillis = wallMillis;
    this.mismatch = new MismatchWatch(streams);
    this.reports = new Reports(streams, periods, senders);
    this.history = History.empty(streams.size(), parts.size());
    this.basis = basis();
  }

  /** Returns the length of a period of all bridges with this window. */
  public static Duration period(Duration window) {
    return Duration.ofMillis(new Periods(window).lengthMillis());
  }

  /**
   * Called when a part of the ledger has counted a batch of a stream. A batch that it had counted
   * before is ignored.
   */
  public void counted(int part, MessageBatch batch, int stream, Judgement.Counted counted) {
    Sightings sightings = counted.sightings();
    if (sightings != null) {
      parts.get(part).contribution().counted(batch, stream, counted, sightings);
      mismatch.samples().offer(batch, stream, counted.kept());
    }
  }

  /** Called when a part of the ledger has not counted messages, so that they can't be compared. */
  public void passed(int part, long messages) {
    parts.get(part).contribution().passed(messages);
  }

  /**
   * Writes what was counted, settles what is over, and learns what others have settled. A part that
   * can't be asked, or whose answer makes no sense, does not affect the other parts.
   *
   * @throws LedgerUnavailableException if no part can be asked; what was counted is kept
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
      storeAhead = answered.get(0).contribution().storeAhead();
    }
    if (parts.stream().anyMatch(PartCoverage::isStale)) {
      // A sum can't be rid of one part, so all parts that can be asked are read again.
      history = history.cleared();
      parts.forEach(PartCoverage::forget);
      unreadParts.clear();
    }
    learn(answered);
    long now = parts.stream().mapToLong(part -> part.contribution().storeMillis()).max().orElse(0);
    if (Math.abs(now - comparisonMillis) >= COMPARE_MILLIS) {
      comparisonMillis = now;
      compareStreams(now);
    }
  }

  /**
   * Reads what was settled, of at least one part, and of others for about a second. The other parts
   * are read in the turns that follow, because the other bridges take a bridge for lost that writes
   * nothing for a lease. Reports change only when all parts are read, so that no figure is a
   * mixture.
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
            if (Math.abs(wallMillis.getAsLong() - begin) < READING_MILLIS) {
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
   * Takes a step for each part; throws if no part could take it and at least one can't be asked.
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
        part.failed(e);
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
   * Writes what was counted last, and tells the store that nothing will follow.
   *
   * @throws LedgerUnavailableException if no part can be asked; what was counted is lost
   */
  public void leave() throws LedgerUnavailableException {
    forEach(parts, PartCoverage::leave);
  }

  /** Looks for pairs of streams that share almost no messages in the recently settled periods. */
  private void compareStreams(long nowMillis) {
    long range = Math.max(MISMATCH_RANGE.toMillis(), 2 * periods.lengthMillis());
    long from = periods.at(nowMillis - range - periods.windowMillis());
    List<Summary> recent =
        basis.history().all().periods().stream().filter(each -> each.number() >= from).toList();
    mismatch.look(Summary.sum(0, streams.size(), recent, 0));
  }

  /**
   * Returns the pairs of streams that share almost no messages though both bring many. May be
   * called from any thread.
   */
  public List<Mismatch> mismatches() {
    return mismatch.current();
  }

  /** Returns the condition of the comparison. May be called from any thread. */
  public Condition comparison() {
    return mismatch.condition();
  }

  /**
   * Returns the number of messages that were settled since this bridge started. May be called from
   * any thread.
   */
  public long messages() {
    return basis.history().sinceStart().messages();
  }

  /** Returns how many of the {@link #messages} a stream missed. May be called from any thread. */
  public long missed(int stream) {
    return basis.history().sinceStart().missed(stream);
  }

  /**
   * Returns how many messages since this bridge started were not compared. Misses may be overstated
   * by as many. May be called from any thread.
   */
  public long notCompared() {
    return basis.history().sinceStart().doubtful();
  }

  /**
   * Reports what the streams missed lately. All bridges report the same, except for the second or
   * so in which one of them learns of newly settled periods.
   *
   * @param since length of the reported time in whole periods, which ends where the settled periods
   *     end; a day at most
   */
  public CoverageReport report(Duration since) {
    return report(since, CoverageReport.Named.FOREMOST);
  }

  /** Reports the same, with other senders named. */
  CoverageReport report(Duration since, CoverageReport.Named named) {
    return reports.of(basis, since, named, wallMillis.getAsLong());
  }

  /**
   * Returns by how many milliseconds the store's clock is ahead of this host's; 0 until the store's
   * first answer. May be called from any thread.
   */
  public long storeAheadMillis() {
    return storeAhead;
  }

  /**
   * Returns the time of the store's clock, so that no bridge's clock decides alone; this host's
   * until the store's first answer. May be called from any thread.
   */
  public Instant storeTime() {
    return Instant.ofEpochMilli(wallMillis.getAsLong() + storeAhead);
  }

  /**
   * Reports what the streams missed in an hour of the last day, by the periods that begin in it.
   *
   * @param hour its beginning
   * @return null if not all of the hour is settled, nothing is known of it, or no period begins in
   *     it
   */
  public @Nullable CoverageReport reportOf(Instant hour) {
    return reports.ofHour(basis, hour.toEpochMilli(), wallMillis.getAsLong());
  }
}
