package io.duplog.pipeline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Holds every batch from its judgement on, and acknowledges it to RabbitMQ when the {@link
 * SettleRule} allows that. Thread-safe, except for the methods that {@link Pipeline#runOnce} calls,
 * which belong to the settling thread.
 */
final class Settler {
  private final List<LedgerSession> parts;
  private final List<LedgerSession> fallbacks;
  private final long holdLimitNanos;
  private final long releaseAfterNanos;
  private final boolean deliverDropped;
  private final LongSupplier nanoClock;

  /** Batches that a ledger was asked about, and that are neither settled nor forgotten. */
  private final Set<InFlightBatch> heldBatches = ConcurrentHashMap.newKeySet();

  private final Queue<InFlightBatch> deliveries = new ConcurrentLinkedQueue<>();
  private final Queue<InFlightBatch> withdrawals = new ConcurrentLinkedQueue<>();

  /**
   * Unsettled batches that the sink has accepted, or whose copies are all dropped. Belongs to the
   * settling thread.
   */
  private final Set<InFlightBatch> unsettledBatches = new LinkedHashSet<>();

  Settler(
      List<LedgerSession> parts,
      List<LedgerSession> fallbacks,
      PipelineSettings settings,
      LongSupplier nanoClock) {
    this.parts = parts;
    this.fallbacks = fallbacks;
    this.holdLimitNanos = settings.holdLimit().toNanos();
    this.releaseAfterNanos = settings.releaseAfter().toNanos();
    this.deliverDropped = settings.deliverDropped();
    this.nanoClock = nanoClock;
  }

  /** Adds a batch that is about to be judged. */
  void add(InFlightBatch batch) {
    heldBatches.add(batch);
  }

  /** Removes a batch whose judgement is postponed. */
  void remove(InFlightBatch batch) {
    heldBatches.remove(batch);
  }

  /**
   * Called when the sink has accepted or rejected all copies of its last request for a batch, or if
   * there is nothing to deliver.
   */
  void delivered(InFlightBatch batch) {
    deliveries.add(batch);
  }

  /**
   * Called when the sink has given up its last request for a batch. The batch's channel is closed,
   * or will be soon, so that the broker redelivers the batch to any bridge.
   */
  void withdrawn(InFlightBatch batch) {
    withdrawals.add(batch);
  }

  boolean isOverdue() {
    long now = nanoClock.getAsLong();
    return heldBatches.stream()
        .anyMatch(
            batch ->
                batch.phase() == InFlightBatch.Phase.DELIVERING
                    && batch.isOverdue(now, holdLimitNanos));
  }

  int held() {
    return heldBatches.size();
  }

  /** Processes the requests that the sink has completed or given up since the last call. */
  void takeSinkResults() {
    for (InFlightBatch next = deliveries.poll(); next != null; next = deliveries.poll()) {
      next.delivered();
      unsettledBatches.add(next);
      if (next.isReportDue()) {
        next.reported();
        sessionOf(next).report(next);
      }
    }
    for (InFlightBatch next = withdrawals.poll(); next != null; next = withdrawals.poll()) {
      // Its record is then pending without a holder, and is revoked at the next renewal of the
      // lease.
      heldBatches.remove(next);
      next.forget();
    }
  }

  /**
   * Reports delivered batches to each ledger, renews the leases that are due, and reads the
   * horizons.
   */
  void advanceLedgers() {
    long now = nanoClock.getAsLong();
    parts.forEach(part -> advance(part, now));
    fallbacks.forEach(fallback -> advance(fallback, now));
  }

  private void advance(LedgerSession session, long now) {
    if (session.isDue(now)
        || unsettledBatches.stream().anyMatch(next -> next.session() == session)) {
      session.advance(heldBatches, now);
    }
  }

  private static LedgerSession sessionOf(InFlightBatch batch) {
    return Objects.requireNonNull(batch.session(), "a batch that was judged");
  }

  /**
   * Settles each waiting batch that needs nothing more.
   *
   * @return the dropped copies to deliver now, by batch
   */
  Map<InFlightBatch, BitSet> settleOrRelease() {
    long now = nanoClock.getAsLong();
    Map<InFlightBatch, BitSet> releases = new LinkedHashMap<>();
    Iterator<InFlightBatch> each = unsettledBatches.iterator();
    while (each.hasNext()) {
      InFlightBatch batch = each.next();
      if (batch.isLost()) {
        each.remove();
        heldBatches.remove(batch);
        batch.forget();
        continue;
      }
      LedgerSession session = sessionOf(batch);
      if (session.isBrieflyUnavailable(releaseAfterNanos, now)
          && !deliverDropped
          && !batch.dropped().isEmpty()) {
        continue; // a short outage of the ledger is no reason for duplicates
      }
      SettleRule.Decision decision =
          deliverDropped ? SettleRule.deliverDropped(batch) : session.decide(batch);
      if (decision instanceof SettleRule.Decision.Settle) {
        each.remove();
        heldBatches.remove(batch);
        batch.settle();
      } else if (decision instanceof SettleRule.Decision.Release release) {
        each.remove();
        batch.release(release.copies(), now);
        releases.put(batch, release.copies());
      }
    }
    return releases;
  }

  /** Whether any delivered batch waits to be settled. */
  boolean isWaiting() {
    return !unsettledBatches.isEmpty();
  }

  /** Returns the whole state as text, by which the tests' explorer recognises equal states. */
  String fingerprint() {
    List<String> texts = new ArrayList<>();
    for (InFlightBatch batch : heldBatches) {
      texts.add(batch.mayBePending() ? batch + " since " + batch.judgedNanos() : batch.toString());
    }
    StringBuilder state = new StringBuilder();
    state.append(sorted(texts)).append(sorted(unsettledBatches));
    state.append(deliveries).append(withdrawals);
    parts.forEach(session -> state.append(session.fingerprint()).append(','));
    fallbacks.forEach(session -> state.append(session.fingerprint()).append(';'));
    return state.toString();
  }

  /** Returns the elements' texts in an order that the elements' own order does not change. */
  static List<String> sorted(Collection<?> elements) {
    List<String> texts = new ArrayList<>(elements.size());
    elements.forEach(element -> texts.add(element.toString()));
    texts.sort(null);
    return texts;
  }
}
