package io.duplog.pipeline;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Revocation;
import io.duplog.wire.StreamBroker;
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
 * What one ledger of a pipeline has answered, and what still has to be reported to that ledger. The
 * settle rule applies to each ledger separately, because a ledger's horizon says nothing about a
 * batch that another one has counted.
 *
 * <p>{@link #judge} and {@link #isAway} may be called from any thread, the rest only from the
 * settling thread.
 */
final class LedgerSession {
  private static final Logger log = LoggerFactory.getLogger(LedgerSession.class);

  /**
   * Most pending batches to revoke in one call, because the ledger answers no other call meanwhile.
   */
  private static final int REVOKE_AT_ONCE = 8;

  private final Ledger ledger;
  private final ReadBrokers brokers;
  private final long renewNanos;
  private final long holdLimitNanos;

  /** Reports of delivered batches that the ledger has not accepted yet. */
  private final List<Progress.Done> owedReports = new ArrayList<>();

  /** Ids of this bridge's pending batches that the next call to the ledger revokes. */
  private final List<String> toRevoke = new ArrayList<>();

  /**
   * Revocations by number, as long as the ledger remembers them or a batch in this bridge is older.
   */
  private final TreeMap<Long, Revocation> revocations = new TreeMap<>();

  private long revocationsSeen;

  /** Whether the ledger has revocations that have to be asked for before anything is settled. */
  private boolean unread;

  private @Nullable Epoch epoch;

  /** Horizon that the last call returned; null if the call failed, or if a new epoch began. */
  private @Nullable Horizon horizon;

  private long renewAtNanos;
  private volatile boolean away;

  /** Whether the ledger answered that the lease has lapsed, for example after it lost its data. */
  private volatile boolean lapsed;

  private long awaySinceNanos;

  /**
   * Brokers on which this bridge agrees with all others. What comes from another one is not
   * counted, because it may be another deployment's.
   */
  private volatile Set<StreamBroker> agreedBrokers = Set.of();

  private LedgerSession(
      Ledger ledger, ReadBrokers brokers, PipelineSettings settings, long nowNanos) {
    this.ledger = ledger;
    this.brokers = brokers;
    this.renewNanos = settings.lease().toNanos() / 4;
    this.holdLimitNanos = settings.holdLimit().toNanos();
    this.renewAtNanos = nowNanos;
  }

  /** Creates a session for each ledger, in the ledgers' order. */
  static List<LedgerSession> of(
      List<Ledger> ledgers,
      ReadBrokers brokers,
      PipelineSettings settings,
      LongSupplier nanoClock) {
    long now = nanoClock.getAsLong();
    return ledgers.stream()
        .map(ledger -> new LedgerSession(ledger, brokers, settings, now))
        .toList();
  }

  /**
   * Asks the ledger to judge a batch. The ledger is not asked before it has agreed on the batch's
   * broker, which the next {@link #advance} brings about.
   *
   * @param broker the broker that the batch came from; null if it doesn't identify itself
   */
  Judgement judge(Claim claim, @Nullable StreamBroker broker) throws LedgerUnavailableException {
    Judgement judgement =
        broker == null || agreedBrokers.contains(broker)
            ? ledger.judge(claim)
            : new Judgement.LeaseLapsed();
    if (judgement instanceof Judgement.LeaseLapsed) {
      lapsed = true;
    }
    return judgement;
  }

  /** Whether the last {@link #advance} failed. */
  boolean isAway() {
    return away;
  }

  /** Whether the ledger is unavailable, and has been so for less than the limit. */
  boolean isBrieflyAway(long limitNanos, long now) {
    return away && now - awaySinceNanos < limitNanos;
  }

  /**
   * Queues a report that a batch is delivered, which the next {@link #advance} sends to the ledger.
   */
  void owe(InFlightBatch batch) {
    Epoch judgedIn = batch.epoch();
    String batchId = batch.claim().batchId();
    owedReports.add(
        judgedIn == null
            ? Progress.Done.ofUncertain(batchId)
            : new Progress.Done(batchId, judgedIn, batch.number()));
  }

  /**
   * Whether {@link #advance} is due, to renew the lease, to report delivered batches, or to read
   * the rest of the revocations.
   */
  boolean isDue(long now) {
    return lapsed || unread || now - renewAtNanos >= 0 || !owedReports.isEmpty();
  }

  /**
   * Reports delivered batches, renews the lease if that is due, and reads the horizon.
   *
   * @param held all batches that were shown to a ledger and have not ended
   */
  void advance(Collection<InFlightBatch> held, long now) {
    boolean renew = now - renewAtNanos >= 0;
    horizon = null;
    List<StreamBroker> read = brokers.toAgreeOn();
    try {
      Horizon next =
          ledger.advance(
              new Progress(
                  List.copyOf(owedReports), List.copyOf(toRevoke), revocationsSeen, renew, read));
      agreedBrokers = Set.copyOf(read);
      away = false;
      lapsed = false;
      owedReports.clear();
      toRevoke.clear();
      boolean complete = learn(next, held);
      if (renew) {
        renewAtNanos = now + renewNanos;
        giveUp(next.ownPending(), held, now);
      }
      horizon = complete ? next : null;
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
   * Updates the epoch and the known revocations from the horizon.
   *
   * @return whether the horizon is complete; false if a new epoch began, because its revocations
   *     were asked for after a number of the old epoch
   */
  private boolean learn(Horizon read, Collection<InFlightBatch> held) {
    if (!read.epoch().equals(epoch)) {
      boolean first = epoch == null;
      epoch = read.epoch();
      revocations.clear();
      revocationsSeen = 0;
      unread = false;
      if (!first) {
        return false;
      }
    }
    for (Revocation revocation : read.revocations()) {
      revocations.put(revocation.number(), revocation);
      revocationsSeen = Math.max(revocationsSeen, revocation.number());
    }
    unread = read.moreRevocations();
    revocations.headMap(Math.min(read.oldestRevocation(), lowestHeld(held)), false).clear();
    return true;
  }

  /** Returns the smallest number that the ledger gave to a held batch; 0 while one is unjudged. */
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
   * Chooses this bridge's pending batches to revoke, so that other bridges do not wait for them any
   * longer. Some are pending without a holder here, because a judgement was executed after this
   * bridge had stopped waiting for its answer. Others have not been accepted by the sink for too
   * long.
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
        renewAtNanos = now; // the next call lists them again, to give up the rest
      }
    }
  }

  /** Applies {@link SettleRule} to a batch, with the horizon and revocations of the last call. */
  SettleRule.Decision decide(InFlightBatch batch) {
    return SettleRule.decide(batch, horizon, revocations.tailMap(batch.number(), false).values());
  }

  /**
   * Returns the whole state as text, by which the explorer in the tests recognises equal states.
   */
  String fingerprint() {
    return ""
        + owedReports
        + toRevoke
        + revocations.values()
        + revocationsSeen
        + unread
        + epoch
        + away
        + lapsed
        + StreamBroker.text(agreedBrokers);
  }
}
