package io.duplog.pipeline;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every batch that this bridge holds from its judgement to its settlement.
 *
 * <p>A batch has a ledger of its own part, where the store has several, and fallbacks that all
 * parts share. It is shown to the first of these that is available, and to the next only if that
 * one surely has not counted it. So each verdict that is obeyed comes from the one ledger that
 * knows the copy, and what is delivered is the sum of what each ledger by itself owes the sink:
 * never less than what any stream brought, since a sum of maxima is no smaller than the maximum of
 * sums. For the same reason a delivery is reported to one ledger only.
 *
 * <p>{@link #judge} and {@link #delivered} may be called by any thread. Everything else happens in
 * {@link #runOnce}, which one thread calls in a loop and a test step by step.
 */
public final class Settler {

  /** What surrounds the settler. Each method may be called by any thread. */
  public interface Surroundings {
    /**
     * Copies of a batch are to be delivered. Afterwards {@link Settler#delivered} is called, once.
     */
    void deliver(InFlightBatch inFlight, BitSet copies);

    /** Its part's ledger has counted a batch: now, or earlier where it tells of no sightings. */
    default void counted(InFlightBatch inFlight, Judgement.Counted counted) {}

    /**
     * A ledger that is asked while others are not available has counted a batch, which these know
     * nothing of.
     *
     * @param fallback its place among the fallbacks, from 0
     */
    default void countedApart(InFlightBatch inFlight, int fallback) {}

    /** The batch can't be judged now. {@link Settler#judge} is called again after a pause. */
    void judgeLater(InFlightBatch inFlight);
  }

  private static final Logger log = LoggerFactory.getLogger(Settler.class);

  /** Each part's, in the order of their numbers. */
  private final List<LedgerSession> parts;

  /** In the order in which their ledgers are asked while a part's is not available. */
  private final List<LedgerSession> fallbacks;

  private final Surroundings surroundings;
  private final long holdLimitNanos;
  private final long releaseAfterNanos;
  private final boolean observing;
  private final LongSupplier nanoClock;

  /** Batches that were shown to a ledger and have not ended. */
  private final Set<InFlightBatch> judged = ConcurrentHashMap.newKeySet();

  private final Queue<InFlightBatch> deliveries = new ConcurrentLinkedQueue<>();
  private final Queue<InFlightBatch> withdrawals = new ConcurrentLinkedQueue<>();

  // The rest belongs to the settling thread.

  private final Set<InFlightBatch> waiting = new LinkedHashSet<>();

  /**
   * One ledger for all batches, and what is asked while it is away.
   *
   * @param ledgers in the order in which they are asked, at least one
   */
  public Settler(
      List<Ledger> ledgers,
      Surroundings surroundings,
      Duration lease,
      Duration holdLimit,
      Duration releaseAfter,
      boolean observing,
      LongSupplier nanoClock) {
    this(
        ledgers.subList(0, 1),
        ledgers.subList(1, ledgers.size()),
        surroundings,
        lease,
        holdLimit,
        releaseAfter,
        observing,
        nanoClock);
  }

  /**
   * @param parts a ledger for each part, at least one
   * @param fallbacks in the order in which they are asked while a part's ledger is not available
   * @param lease how long a ledger takes this bridge for alive without hearing from it
   * @param holdLimit after this long without delivery, a batch's claim on what others dropped for
   *     it is given up, so that they can deliver it
   * @param releaseAfter how long a ledger may be unavailable before dropped copies, whose fate only
   *     it knows, are delivered after all
   * @param observing whether dropped copies are delivered too, once the kept ones of their batch
   *     are
   * @param nanoClock {@code System::nanoTime}, or a test's
   */
  public Settler(
      List<Ledger> parts,
      List<Ledger> fallbacks,
      Surroundings surroundings,
      Duration lease,
      Duration holdLimit,
      Duration releaseAfter,
      boolean observing,
      LongSupplier nanoClock) {
    this.surroundings = surroundings;
    this.holdLimitNanos = holdLimit.toNanos();
    this.releaseAfterNanos = releaseAfter.toNanos();
    this.observing = observing;
    this.nanoClock = nanoClock;
    this.parts = sessions(parts, lease);
    this.fallbacks = sessions(fallbacks, lease);
  }

  private List<LedgerSession> sessions(List<Ledger> ledgers, Duration lease) {
    long now = nanoClock.getAsLong();
    return ledgers.stream()
        .map(ledger -> new LedgerSession(ledger, lease.toNanos(), holdLimitNanos, now))
        .toList();
  }

  /** Asks about a batch and sends on what is kept. Any thread. */
  public void judge(InFlightBatch inFlight) {
    if (inFlight.origin().isLost()) {
      inFlight.forget();
      return;
    }
    judged.add(inFlight);
    BitSet copies =
        inFlight.countable() ? ask(inFlight) : passThrough(inFlight, partOf(inFlight), false);
    if (copies == null) {
      judged.remove(inFlight);
      inFlight.parked();
      surroundings.judgeLater(inFlight);
      return;
    }
    if (copies.isEmpty()) {
      delivered(inFlight);
    } else {
      surroundings.deliver(inFlight, copies);
    }
  }

  /** The copies to deliver; null where the batch can't be judged now. */
  private @Nullable BitSet ask(InFlightBatch inFlight) {
    for (int place = -1; place < fallbacks.size(); place++) {
      LedgerSession session = place < 0 ? partOf(inFlight) : fallbacks.get(place);
      try {
        Judgement judgement = session.judge(inFlight.claim());
        if (judgement instanceof Judgement.Counted counted) {
          tell(place, inFlight, counted);
          return inFlight.counted(session, counted, nanoClock.getAsLong());
        }
        if (judgement instanceof Judgement.HeldElsewhere || !session.isAway()) {
          return null;
        }
        // The lease can't be renewed either, for whatever reason: nobody knows for how long.
      } catch (LedgerUnavailableException e) {
        if (e.mayHaveExecuted()) {
          return passThrough(inFlight, session, true);
        }
      } catch (RuntimeException e) {
        log.error("judging batch {} failed: it passes through", inFlight.claim().batchId(), e);
        return passThrough(inFlight, session, true);
      }
    }
    return passThrough(inFlight, partOf(inFlight), false);
  }

  private LedgerSession partOf(InFlightBatch inFlight) {
    return parts.get(inFlight.part());
  }

  /**
   * @param fallback its place among them; -1 for the part's own ledger
   */
  private void tell(int fallback, InFlightBatch inFlight, Judgement.Counted counted) {
    if (fallback < 0) {
      surroundings.counted(inFlight, counted);
    } else {
      surroundings.countedApart(inFlight, fallback);
    }
  }

  private BitSet passThrough(InFlightBatch inFlight, LedgerSession asked, boolean mayBeCounted) {
    return inFlight.passThrough(asked, mayBeCounted, nanoClock.getAsLong());
  }

  /** The sink has accepted the copies of a batch that it was given last. Any thread. */
  public void delivered(InFlightBatch inFlight) {
    deliveries.add(inFlight);
  }

  /**
   * The sink has given up the copies of a batch that it was given last, and the batch's channel is
   * closed, or will be soon: so it comes again, to any bridge. Any thread.
   */
  public void withdrawn(InFlightBatch inFlight) {
    withdrawals.add(inFlight);
  }

  /** Whether the sink has had a batch for longer than the hold limit. Any thread. */
  public boolean isOverdue() {
    long now = nanoClock.getAsLong();
    return judged.stream()
        .anyMatch(
            inFlight ->
                inFlight.phase() == InFlightBatch.Phase.DELIVERING
                    && inFlight.isOverdue(now, holdLimitNanos));
  }

  /** How many batches are judged and not ended. Any thread. */
  public int held() {
    return judged.size();
  }

  /**
   * Reports what was delivered, renews the lease, and settles what may be settled.
   *
   * @return whether batches wait for others, so that it is worth asking again soon
   */
  public boolean runOnce() {
    for (InFlightBatch next = deliveries.poll(); next != null; next = deliveries.poll()) {
      next.delivered();
      waiting.add(next);
      if (next.reportDue()) {
        next.reported();
        sessionOf(next).owe(next);
      }
    }
    for (InFlightBatch next = withdrawals.poll(); next != null; next = withdrawals.poll()) {
      // Without a holder its record is found pending, and revoked, when the lease is renewed next.
      judged.remove(next);
      next.forget();
    }
    long now = nanoClock.getAsLong();
    parts.forEach(part -> advance(part, now));
    fallbacks.forEach(fallback -> advance(fallback, now));
    settle(now);
    return !waiting.isEmpty();
  }

  private void advance(LedgerSession session, long now) {
    if (session.isDue(now) || waiting.stream().anyMatch(next -> next.session() == session)) {
      session.advance(judged, now);
    }
  }

  private static LedgerSession sessionOf(InFlightBatch inFlight) {
    return Objects.requireNonNull(inFlight.session(), "a batch that was judged");
  }

  private void settle(long now) {
    List<Runnable> releases = new ArrayList<>();
    Iterator<InFlightBatch> each = waiting.iterator();
    while (each.hasNext()) {
      InFlightBatch inFlight = each.next();
      if (inFlight.origin().isLost()) {
        each.remove();
        judged.remove(inFlight);
        inFlight.forget();
        continue;
      }
      LedgerSession session = sessionOf(inFlight);
      if (session.isBrieflyAway(releaseAfterNanos, now)
          && !observing
          && !inFlight.dropped().isEmpty()) {
        continue; // a pause of the ledger's is no reason for duplicates yet
      }
      SettleRule.Decision decision =
          observing ? SettleRule.observe(inFlight) : session.decide(inFlight);
      if (decision instanceof SettleRule.Decision.Settle) {
        each.remove();
        judged.remove(inFlight);
        inFlight.settle();
      } else if (decision instanceof SettleRule.Decision.Release release) {
        each.remove();
        inFlight.release(release.copies(), now);
        releases.add(() -> surroundings.deliver(inFlight, release.copies()));
      }
    }
    releases.forEach(Runnable::run);
  }

  /** The state of everything, for the explorer: equal text, equal future. */
  String fingerprint() {
    List<String> texts = new ArrayList<>();
    judged.forEach(
        inFlight ->
            texts.add(
                inFlight + (inFlight.mayBePending() ? " since " + inFlight.judgedNanos() : "")));
    texts.sort(null);
    List<String> waits = new ArrayList<>();
    waiting.forEach(inFlight -> waits.add(inFlight.toString()));
    waits.sort(null);
    return texts
        + ""
        + waits
        + deliveries
        + withdrawals
        + parts.stream().map(LedgerSession::fingerprint).toList()
        + fallbacks.stream().map(LedgerSession::fingerprint).toList();
  }
}
