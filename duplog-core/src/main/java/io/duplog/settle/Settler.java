package io.duplog.settle;

import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Revocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every batch that this bridge holds from its judgement to its settlement.
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
    void deliver(Holding holding, BitSet copies);

    /** The ledger has counted a batch: now, or earlier where it tells of no sightings. */
    default void counted(Holding holding, Judgement.Counted counted) {}

    /** The batch can't be judged now. {@link Settler#judge} is called again after a pause. */
    void judgeLater(Holding holding);
  }

  private static final Logger log = LoggerFactory.getLogger(Settler.class);

  /** Each costs the ledger a moment for every digest, in which it answers nobody. */
  private static final int REVOKE_AT_ONCE = 8;

  private final Ledger ledger;
  private final Surroundings surroundings;
  private final long renewNanos;
  private final long holdLimitNanos;
  private final long releaseAfterNanos;
  private final boolean observing;
  private final LongSupplier nanoClock;

  /** Batches that were shown to the ledger and have not ended. */
  private final Set<Holding> judged = ConcurrentHashMap.newKeySet();

  private final Queue<Holding> deliveries = new ConcurrentLinkedQueue<>();
  private final Queue<Holding> withdrawals = new ConcurrentLinkedQueue<>();

  // The rest belongs to the settling thread.

  private final Set<Holding> waiting = new LinkedHashSet<>();

  /** Reports that the ledger has not taken yet. */
  private final List<Progress.Done> owed = new ArrayList<>();

  /** Own pending batches to be given up with the next call. */
  private final List<String> toRevoke = new ArrayList<>();

  /** By their numbers. All that the ledger remembers, since old batches may come again. */
  private final TreeMap<Long, Revocation> revocations = new TreeMap<>();

  private long revocationsSeen;
  private @Nullable String epoch;
  private long renewAtNanos;
  private volatile boolean unavailable;
  private long unavailableSinceNanos;

  /**
   * @param lease how long the ledger takes this bridge for alive without hearing from it
   * @param holdLimit after this long without delivery, a batch's claim on what others dropped for
   *     it is given up, so that they can deliver it
   * @param releaseAfter how long the ledger may be unavailable before dropped copies, whose fate
   *     only it knows, are delivered after all
   * @param observing whether dropped copies are delivered too, once the kept ones of their batch
   *     are
   * @param nanoClock {@code System::nanoTime}, or a test's
   */
  public Settler(
      Ledger ledger,
      Surroundings surroundings,
      Duration lease,
      Duration holdLimit,
      Duration releaseAfter,
      boolean observing,
      LongSupplier nanoClock) {
    this.ledger = ledger;
    this.surroundings = surroundings;
    this.renewNanos = lease.toNanos() / 4;
    this.holdLimitNanos = holdLimit.toNanos();
    this.releaseAfterNanos = releaseAfter.toNanos();
    this.observing = observing;
    this.nanoClock = nanoClock;
    this.renewAtNanos = nanoClock.getAsLong();
  }

  /** Asks the ledger about a batch and sends on what is kept. Any thread. */
  public void judge(Holding holding) {
    if (holding.origin().isLost()) {
      holding.forget();
      return;
    }
    judged.add(holding);
    BitSet copies = holding.countable() ? ask(holding) : passThrough(holding, false);
    if (copies == null) {
      judged.remove(holding);
      holding.parked();
      surroundings.judgeLater(holding);
      return;
    }
    if (copies.isEmpty()) {
      delivered(holding);
    } else {
      surroundings.deliver(holding, copies);
    }
  }

  /** The copies to deliver; null where the batch can't be judged now. */
  private @Nullable BitSet ask(Holding holding) {
    try {
      Judgement judgement = ledger.judge(holding.claim());
      if (judgement instanceof Judgement.Counted counted) {
        surroundings.counted(holding, counted);
        return holding.counted(counted, nanoClock.getAsLong());
      }
      if (judgement instanceof Judgement.LeaseLapsed && unavailable) {
        // The lease can't be renewed either, for whatever reason: nobody knows for how long.
        return passThrough(holding, false);
      }
      return null;
    } catch (LedgerUnavailableException e) {
      return passThrough(holding, e.mayHaveExecuted());
    } catch (RuntimeException e) {
      log.error("judging batch {} failed: it passes through", holding.claim().batchId(), e);
      return passThrough(holding, true);
    }
  }

  private BitSet passThrough(Holding holding, boolean mayBeCounted) {
    return holding.passThrough(mayBeCounted, nanoClock.getAsLong());
  }

  /** The sink has accepted the copies of a batch that it was given last. Any thread. */
  public void delivered(Holding holding) {
    deliveries.add(holding);
  }

  /**
   * The sink has given up the copies of a batch that it was given last, and the batch's channel is
   * closed, or will be soon: so it comes again, to any bridge. Any thread.
   */
  public void withdrawn(Holding holding) {
    withdrawals.add(holding);
  }

  /** Whether the sink has had a batch for longer than the hold limit. Any thread. */
  public boolean isOverdue() {
    long now = nanoClock.getAsLong();
    return judged.stream()
        .anyMatch(
            holding -> holding.phase() == Holding.Phase.DELIVERING && isOverdue(holding, now));
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
    for (Holding next = deliveries.poll(); next != null; next = deliveries.poll()) {
      next.delivered();
      waiting.add(next);
      if (next.reportDue()) {
        next.reported();
        String judgedIn = next.epoch();
        owed.add(
            judgedIn == null
                ? Progress.Done.ofUncertain(next.claim().batchId())
                : new Progress.Done(next.claim().batchId(), judgedIn, next.number()));
      }
    }
    for (Holding next = withdrawals.poll(); next != null; next = withdrawals.poll()) {
      // Without a holder its record is found pending, and revoked, when the lease is renewed next.
      judged.remove(next);
      next.forget();
    }
    long now = nanoClock.getAsLong();
    boolean renew = now - renewAtNanos >= 0;
    if (renew || !owed.isEmpty() || !waiting.isEmpty()) {
      settle(advance(renew, now), now);
    }
    return !waiting.isEmpty();
  }

  private @Nullable Horizon advance(boolean renew, long now) {
    try {
      Horizon horizon =
          ledger.advance(
              new Progress(List.copyOf(owed), List.copyOf(toRevoke), revocationsSeen, renew));
      unavailable = false;
      owed.clear();
      toRevoke.clear();
      boolean complete = learn(horizon);
      if (renew) {
        renewAtNanos = now + renewNanos;
        giveUp(horizon.ownPending(), now);
      }
      return complete ? horizon : null;
    } catch (LedgerUnavailableException e) {
      toRevoke.clear();
      if (!unavailable) {
        unavailable = true;
        unavailableSinceNanos = now;
      }
      return null;
    }
  }

  /**
   * Remembers what the horizon says.
   *
   * @return whether it is complete: not so where a new epoch began, in which what was asked for are
   *     the revocations after a number of the old one
   */
  private boolean learn(Horizon horizon) {
    if (!horizon.epoch().equals(epoch)) {
      boolean first = epoch == null;
      epoch = horizon.epoch();
      revocations.clear();
      revocationsSeen = 0;
      if (!first) {
        return false;
      }
    }
    for (Revocation revocation : horizon.revocations()) {
      revocations.put(revocation.number(), revocation);
      revocationsSeen = Math.max(revocationsSeen, revocation.number());
    }
    revocations.headMap(Math.min(horizon.oldestRevocation(), lowestHeld()), false).clear();
    return true;
  }

  /** The smallest number among the batches held here, 0 while one of them has none yet. */
  private long lowestHeld() {
    long lowest = Long.MAX_VALUE;
    for (Holding holding : judged) {
      if (holding.phase() == Holding.Phase.UNJUDGED) {
        return 0;
      }
      if (!holding.bypassed()) {
        lowest = Math.min(lowest, holding.number());
      }
    }
    return lowest;
  }

  /**
   * Finds own batches that others should not wait for any longer: those pending without a holder
   * here, because a judgement was executed after its answer had been given up, and those that the
   * sink has not accepted for too long.
   */
  private void giveUp(List<String> ownPending, long now) {
    if (ownPending.isEmpty()) {
      return;
    }
    Set<String> claimed = new HashSet<>();
    for (Holding holding : judged) {
      if (holding.mayBePending() && !isOverdue(holding, now)) {
        claimed.add(holding.claim().batchId());
      }
    }
    for (String batchId : ownPending) {
      if (!claimed.contains(batchId) && toRevoke.size() < REVOKE_AT_ONCE) {
        toRevoke.add(batchId);
        renewAtNanos = now; // with the next call, which brings the rest
      }
    }
  }

  private boolean isOverdue(Holding holding, long now) {
    return holding.phase() != Holding.Phase.UNJUDGED
        && now - holding.judgedNanos() > holdLimitNanos;
  }

  private void settle(@Nullable Horizon horizon, long now) {
    // A pause of the ledger's is no reason for duplicates yet: only what dropped nothing settles.
    boolean tooEarly = unavailable && now - unavailableSinceNanos < releaseAfterNanos;
    List<Runnable> releases = new ArrayList<>();
    Iterator<Holding> each = waiting.iterator();
    while (each.hasNext()) {
      Holding holding = each.next();
      if (holding.origin().isLost()) {
        each.remove();
        judged.remove(holding);
        holding.forget();
        continue;
      }
      if (tooEarly && !observing && !holding.dropped().isEmpty()) {
        continue;
      }
      SettleRule.Decision decision =
          observing
              ? SettleRule.observe(holding)
              : SettleRule.decide(holding, horizon, revocations.values());
      if (decision instanceof SettleRule.Decision.Settle) {
        each.remove();
        judged.remove(holding);
        holding.settle();
      } else if (decision instanceof SettleRule.Decision.Release release) {
        each.remove();
        holding.release(release.copies(), now);
        releases.add(() -> surroundings.deliver(holding, release.copies()));
      }
    }
    releases.forEach(Runnable::run);
  }

  /** The state of everything, for the explorer: equal text, equal future. */
  String fingerprint() {
    List<String> texts = new ArrayList<>();
    judged.forEach(
        holding ->
            texts.add(holding + (holding.mayBePending() ? " since " + holding.judgedNanos() : "")));
    texts.sort(null);
    List<String> waits = new ArrayList<>();
    waiting.forEach(holding -> waits.add(holding.toString()));
    waits.sort(null);
    return texts
        + ""
        + waits
        + deliveries
        + withdrawals
        + owed
        + toRevoke
        + revocations.values()
        + revocationsSeen
        + epoch
        + unavailable;
  }
}
