package io.duplog.pipeline;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Revocation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a pipeline knows of one of its ledgers, and owes to it. The settle rule holds in each ledger
 * by itself: what one says of a batch is nothing to a batch that another has counted.
 *
 * <p>{@link #judge} and {@link #isAway} are for any thread, the rest belongs to the settling one.
 */
final class LedgerSession {
  private static final Logger log = LoggerFactory.getLogger(LedgerSession.class);

  /** Each costs the ledger a moment for every digest, in which it answers nobody. */
  private static final int REVOKE_AT_ONCE = 8;

  private final Ledger ledger;
  private final long renewNanos;
  private final long holdLimitNanos;

  /** Reports that the ledger has not taken yet. */
  private final List<Progress.Done> owed = new ArrayList<>();

  /** Own pending batches to be given up with the next call. */
  private final List<String> toRevoke = new ArrayList<>();

  /** By their numbers. All that the ledger remembers, since old batches may come again. */
  private final TreeMap<Long, Revocation> revocations = new TreeMap<>();

  private long revocationsSeen;
  private @Nullable Epoch epoch;

  /** What the last call has brought; null where it failed, or an epoch began. */
  private @Nullable Horizon horizon;

  private long renewAtNanos;
  private volatile boolean away;
  private long awaySinceNanos;

  private LedgerSession(Ledger ledger, long leaseNanos, long holdLimitNanos, long nowNanos) {
    this.ledger = ledger;
    this.renewNanos = leaseNanos / 4;
    this.holdLimitNanos = holdLimitNanos;
    this.renewAtNanos = nowNanos;
  }

  /** A session for each ledger, in their order. */
  static List<LedgerSession> of(
      List<Ledger> ledgers, PipelineSettings settings, LongSupplier nanoClock) {
    long now = nanoClock.getAsLong();
    long leaseNanos = settings.lease().toNanos();
    long holdLimitNanos = settings.holdLimit().toNanos();
    return ledgers.stream()
        .map(ledger -> new LedgerSession(ledger, leaseNanos, holdLimitNanos, now))
        .toList();
  }

  Judgement judge(Claim claim) throws LedgerUnavailableException {
    return ledger.judge(claim);
  }

  /** Whether the ledger can't be told anything at present. */
  boolean isAway() {
    return away;
  }

  /** Whether it is away, and has been for less than this. */
  boolean isBrieflyAway(long limitNanos, long now) {
    return away && now - awaySinceNanos < limitNanos;
  }

  /** A batch that the ledger was asked about is delivered. */
  void owe(InFlightBatch batch) {
    Epoch judgedIn = batch.epoch();
    String batchId = batch.claim().batchId();
    owed.add(
        judgedIn == null
            ? Progress.Done.ofUncertain(batchId)
            : new Progress.Done(batchId, judgedIn, batch.number()));
  }

  /** Whether the lease is to be renewed, or a report is owed. */
  boolean isDue(long now) {
    return now - renewAtNanos >= 0 || !owed.isEmpty();
  }

  /**
   * Reports what is owed, and reads the horizon.
   *
   * @param held all batches that were shown to a ledger and have not ended
   */
  void advance(Collection<InFlightBatch> held, long now) {
    boolean renew = now - renewAtNanos >= 0;
    horizon = null;
    try {
      Horizon read =
          ledger.advance(
              new Progress(List.copyOf(owed), List.copyOf(toRevoke), revocationsSeen, renew));
      away = false;
      owed.clear();
      toRevoke.clear();
      boolean complete = learn(read, held);
      if (renew) {
        renewAtNanos = now + renewNanos;
        giveUp(read.ownPending(), held, now);
      }
      horizon = complete ? read : null;
    } catch (LedgerUnavailableException e) {
      goAway(now);
    } catch (RuntimeException e) {
      // One ledger's fault must not keep the others' batches from being settled.
      if (!away) {
        log.error("a ledger failed: it counts as unavailable until it answers", e);
      }
      goAway(now);
    }
  }

  private void goAway(long now) {
    toRevoke.clear();
    if (!away) {
      away = true;
      awaySinceNanos = now;
    }
  }

  /**
   * Remembers what the horizon says.
   *
   * @return whether it is complete: not so where a new epoch began, in which what was asked for are
   *     the revocations after a number of the old one
   */
  private boolean learn(Horizon read, Collection<InFlightBatch> held) {
    if (!read.epoch().equals(epoch)) {
      boolean first = epoch == null;
      epoch = read.epoch();
      revocations.clear();
      revocationsSeen = 0;
      if (!first) {
        return false;
      }
    }
    for (Revocation revocation : read.revocations()) {
      revocations.put(revocation.number(), revocation);
      revocationsSeen = Math.max(revocationsSeen, revocation.number());
    }
    revocations.headMap(Math.min(read.oldestRevocation(), lowestHeld(held)), false).clear();
    return true;
  }

  /** The smallest number among the batches held here, 0 while one of them has none yet. */
  private long lowestHeld(Collection<InFlightBatch> held) {
    long lowest = Long.MAX_VALUE;
    for (InFlightBatch batch : held) {
      if (batch.phase() == InFlightBatch.Phase.UNJUDGED) {
        return 0;
      }
      if (!batch.bypassed() && batch.session() == this) {
        lowest = Math.min(lowest, batch.number());
      }
    }
    return lowest;
  }

  /**
   * Finds own batches that others should not wait for any longer: those pending without a holder
   * here, because a judgement was executed after its answer had been given up, and those that the
   * sink has not accepted for too long.
   */
  private void giveUp(List<String> ownPending, Collection<InFlightBatch> held, long now) {
    if (ownPending.isEmpty()) {
      return;
    }
    Set<String> claimed = new HashSet<>();
    for (InFlightBatch batch : held) {
      if (batch.mayBePendingAt(this) && !batch.isOverdue(now, holdLimitNanos)) {
        claimed.add(batch.claim().batchId());
      }
    }
    for (String batchId : ownPending) {
      if (!claimed.contains(batchId) && toRevoke.size() < REVOKE_AT_ONCE) {
        toRevoke.add(batchId);
        renewAtNanos = now; // with the next call, which brings the rest
      }
    }
  }

  /** What may happen to a batch that the ledger has counted, as of the last call. */
  SettleRule.Decision decide(InFlightBatch batch) {
    return SettleRule.decide(batch, horizon, revocations.values());
  }

  /** The state of everything, for the explorer: equal text, equal future. */
  String fingerprint() {
    return "" + owed + toRevoke + revocations.values() + revocationsSeen + epoch + away;
  }
}
