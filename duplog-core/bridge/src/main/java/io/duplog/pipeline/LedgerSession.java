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
 * Reports delivered batches to one ledger, and learns from its answers which batches may be
 * acknowledged to RabbitMQ. The settle rule applies to each ledger separately, because a ledger's
 * horizon says nothing about a batch that another ledger has counted.
 *
 * <p>Not thread-safe. Belongs to the settling thread, except for {@link #judge} and {@link
 * #isUnavailable}.
 */
final class LedgerSession {
  private static final Logger log = LoggerFactory.getLogger(LedgerSession.class);

  /**
   * Limit of pending batches to revoke in one call, because the ledger answers no other call in the
   * meantime.
   */
  private static final int MAX_REVOKED_PER_CALL = 8;

  private final Ledger ledger;
  private final ReadBrokers brokers;
  private final long renewNanos;
  private final long holdLimitNanos;

  /** Reports of delivered batches that the ledger has not accepted yet. */
  private final List<Progress.Done> unsentReports = new ArrayList<>();

  /** Ids of this bridge's pending batches that the next call to the ledger revokes. */
  private final List<String> batchIdsToRevoke = new ArrayList<>();

  /**
   * Revocations by number, as long as the ledger remembers them or this bridge holds an older
   * batch.
   */
  private final TreeMap<Long, Revocation> revocations = new TreeMap<>();

  private long lastRevocationNumber;

  /** Whether the ledger has revocations that must be read before anything is settled. */
  private boolean hasUnreadRevocations;

  private @Nullable Epoch epoch;

  /** Horizon that the last call returned, or null if the call failed or a new epoch began. */
  private @Nullable Horizon horizon;

  private long renewAtNanos;
  private volatile boolean isUnavailable;

  /** Whether the ledger answered that the lease has lapsed, for example after it lost its data. */
  private volatile boolean isLeaseLapsed;

  private long unavailableSinceNanos;

  /**
   * Brokers on which this bridge agrees with all others. Batches from other brokers are not
   * counted, because they may be another deployment's.
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
   * Asks the ledger to judge a batch. Does not ask before the ledger has agreed on the batch's
   * broker, in the next {@link #advance}.
   *
   * @param broker the broker that the batch came from, or null if the broker doesn't identify
   *     itself
   */
  Judgement judge(Claim claim, @Nullable StreamBroker broker) throws LedgerUnavailableException {
    Judgement judgement =
        broker == null || agreedBrokers.contains(broker)
            ? ledger.judge(claim)
            : new Judgement.LeaseLapsed();
    if (judgement instanceof Judgement.LeaseLapsed) {
      isLeaseLapsed = true;
    }
    return judgement;
  }

  /** Whether the last {@link #advance} failed. */
  boolean isUnavailable() {
    return isUnavailable;
  }

  /** Whether the ledger is unavailable, and has been so for less than the limit. */
  boolean isBrieflyUnavailable(long limitNanos, long now) {
    return isUnavailable && now - unavailableSinceNanos < limitNanos;
  }

  /**
   * Queues a report that a batch is delivered, which the next {@link #advance} sends to the ledger.
   */
  void report(InFlightBatch batch) {
    Epoch judgedIn = batch.epoch();
    String batchId = batch.claim().batchId();
    unsentReports.add(
        judgedIn == null
            ? Progress.Done.ofUncertain(batchId)
            : new Progress.Done(batchId, judgedIn, batch.number()));
  }

  /**
   * Whether {@link #advance} is due, to renew the lease, to report delivered batches, or to read
   * the rest of the revocations.
   */
  boolean isDue(long now) {
    return isLeaseLapsed
        || hasUnreadRevocations
        || now - renewAtNanos >= 0
        || !unsentReports.isEmpty();
  }

  /**
   * Reports delivered batches, renews the lease if that is due, and reads the horizon.
   *
   * @param held all batches that a ledger was asked about and that have not ended
   */
  void advance(Collection<InFlightBatch> held, long now) {
    boolean renew = now - renewAtNanos >= 0;
    horizon = null;
    List<StreamBroker> read = brokers.toAgreeOn();
    try {
      Horizon next =
          ledger.advance(
              new Progress(
                  List.copyOf(unsentReports),
                  List.copyOf(batchIdsToRevoke),
                  lastRevocationNumber,
                  renew,
                  read));
      agreedBrokers = Set.copyOf(read);
      isUnavailable = false;
      isLeaseLapsed = false;
      unsentReports.clear();
      batchIdsToRevoke.clear();
      boolean complete = learn(next, held);
      if (renew) {
        renewAtNanos = now + renewNanos;
        chooseRevocations(next.ownPending(), held, now);
      }
      horizon = complete ? next : null;
    } catch (LedgerUnavailableException e) {
      markUnavailable(now);
    } catch (RuntimeException e) {
      // One ledger's failure must not prevent the settling of other ledgers' batches.
      if (!isUnavailable) {
        log.error("A ledger failed. It counts as unavailable until it answers.", e);
      }
      markUnavailable(now);
    }
  }

  private void markUnavailable(long now) {
    batchIdsToRevoke.clear();
    if (!isUnavailable) {
      isUnavailable = true;
      unavailableSinceNanos = now;
    }
  }

  /**
   * Updates the epoch and the known revocations from the horizon.
   *
   * @return whether the horizon is complete. False if a new epoch began, because the request named
   *     a revocation of the old epoch.
   */
  private boolean learn(Horizon read, Collection<InFlightBatch> held) {
    if (!read.epoch().equals(epoch)) {
      boolean isFirstEpoch = epoch == null;
      epoch = read.epoch();
      revocations.clear();
      lastRevocationNumber = 0;
      hasUnreadRevocations = false;
      if (!isFirstEpoch) {
        return false;
      }
    }
    for (Revocation revocation : read.revocations()) {
      revocations.put(revocation.number(), revocation);
      lastRevocationNumber = Math.max(lastRevocationNumber, revocation.number());
    }
    hasUnreadRevocations = read.moreRevocations();
    revocations.headMap(Math.min(read.oldestRevocation(), lowestHeld(held)), false).clear();
    return true;
  }

  /**
   * Returns the smallest number that the ledger gave to a held batch, or 0 while one is unjudged.
   */
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
   * Chooses this bridge's pending batches to revoke, so that other bridges stop waiting for them.
   * Some batches are not held here, because their judgement was executed after this bridge had
   * stopped waiting for the answer. Others have waited too long for the sink.
   */
  private void chooseRevocations(
      List<String> ownPending, Collection<InFlightBatch> held, long now) {
    if (ownPending.isEmpty()) {
      return;
    }
    Set<String> claimedBatchIds = new HashSet<>();
    for (InFlightBatch batch : held) {
      if (batch.mayBePendingAt(this) && !batch.isOverdue(now, holdLimitNanos)) {
        claimedBatchIds.add(batch.claim().batchId());
      }
    }
    for (String batchId : ownPending) {
      if (!claimedBatchIds.contains(batchId) && batchIdsToRevoke.size() < MAX_REVOKED_PER_CALL) {
        batchIdsToRevoke.add(batchId);
        renewAtNanos = now; // the next call lists them again, to revoke the rest
      }
    }
  }

  /** Applies {@link SettleRule} to a batch, with the horizon and revocations of the last call. */
  SettleRule.Decision decide(InFlightBatch batch) {
    return SettleRule.decide(batch, horizon, revocations.tailMap(batch.number(), false).values());
  }

  /** Returns the whole state as text, by which the tests' explorer recognises equal states. */
  String fingerprint() {
    return unsentReports.toString()
        + batchIdsToRevoke
        + revocations.values()
        + lastRevocationNumber
        + hasUnreadRevocations
        + epoch
        + isUnavailable
        + isLeaseLapsed
        + Settler.sorted(agreedBrokers);
  }
}
