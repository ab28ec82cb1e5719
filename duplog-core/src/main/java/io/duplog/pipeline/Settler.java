package io.duplog.pipeline;

import java.util.ArrayList;
import java.util.BitSet;
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
 * Knows every batch from its judgement to its end, and settles it when the {@link SettleRule} lets
 * it. What {@link Pipeline#runOnce} calls belongs to the settling thread, the rest is for any.
 */
final class Settler {
  private final List<LedgerSession> parts;
  private final List<LedgerSession> fallbacks;
  private final long holdLimitNanos;
  private final long releaseAfterNanos;
  private final boolean deliverDropped;
  private final LongSupplier nanoClock;

  /** Batches that a ledger is being asked about, or was, and have not ended. */
  private final Set<InFlightBatch> held = ConcurrentHashMap.newKeySet();

  private final Queue<InFlightBatch> deliveries = new ConcurrentLinkedQueue<>();
  private final Queue<InFlightBatch> withdrawals = new ConcurrentLinkedQueue<>();

  /** Accepted by the sink, or wholly dropped, and not settled. The settling thread's own. */
  private final Set<InFlightBatch> waiting = new LinkedHashSet<>();

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

  /** A batch is about to be shown to a ledger. */
  void add(InFlightBatch batch) {
    held.add(batch);
  }

  /** No ledger has counted it, and none is being asked. */
  void remove(InFlightBatch batch) {
    held.remove(batch);
  }

  /** The sink has done with the copies of a batch that it was given last, or was given none. */
  void delivered(InFlightBatch batch) {
    deliveries.add(batch);
  }

  /**
   * The sink has given up the copies of a batch that it was given last, and the batch's channel is
   * closed, or will be soon: so it comes again, to any bridge.
   */
  void withdrawn(InFlightBatch batch) {
    withdrawals.add(batch);
  }

  boolean isOverdue() {
    long now = nanoClock.getAsLong();
    return held.stream()
        .anyMatch(
            batch ->
                batch.phase() == InFlightBatch.Phase.DELIVERING
                    && batch.isOverdue(now, holdLimitNanos));
  }

  int held() {
    return held.size();
  }

  /** Takes what the sink has accepted or given up since the last call. */
  void takeAnswers() {
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
      held.remove(next);
      next.forget();
    }
  }

  /** Reports what was delivered, renews the leases, and reads each ledger's horizon. */
  void advanceLedgers() {
    long now = nanoClock.getAsLong();
    parts.forEach(part -> advance(part, now));
    fallbacks.forEach(fallback -> advance(fallback, now));
  }

  private void advance(LedgerSession session, long now) {
    if (session.isDue(now) || waiting.stream().anyMatch(next -> next.session() == session)) {
      session.advance(held, now);
    }
  }

  private static LedgerSession sessionOf(InFlightBatch batch) {
    return Objects.requireNonNull(batch.session(), "a batch that was judged");
  }

  /**
   * Settles each batch that waits for nothing any more.
   *
   * @return dropped copies that are to be delivered now, by their batch
   */
  Map<InFlightBatch, BitSet> settleOrRelease() {
    long now = nanoClock.getAsLong();
    Map<InFlightBatch, BitSet> releases = new LinkedHashMap<>();
    Iterator<InFlightBatch> each = waiting.iterator();
    while (each.hasNext()) {
      InFlightBatch batch = each.next();
      if (batch.isLost()) {
        each.remove();
        held.remove(batch);
        batch.forget();
        continue;
      }
      LedgerSession session = sessionOf(batch);
      if (session.isBrieflyAway(releaseAfterNanos, now)
          && !deliverDropped
          && !batch.dropped().isEmpty()) {
        continue; // a pause of the ledger's is no reason for duplicates yet
      }
      SettleRule.Decision decision =
          deliverDropped ? SettleRule.deliverDropped(batch) : session.decide(batch);
      if (decision instanceof SettleRule.Decision.Settle) {
        each.remove();
        held.remove(batch);
        batch.settle();
      } else if (decision instanceof SettleRule.Decision.Release release) {
        each.remove();
        batch.release(release.copies(), now);
        releases.put(batch, release.copies());
      }
    }
    return releases;
  }

  /** Whether batches wait for others. */
  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** The state of everything, for the explorer: equal text, equal future. */
  String fingerprint() {
    List<String> texts = new ArrayList<>();
    held.forEach(
        batch -> texts.add(batch + (batch.mayBePending() ? " since " + batch.judgedNanos() : "")));
    texts.sort(null);
    List<String> waits = new ArrayList<>();
    waiting.forEach(batch -> waits.add(batch.toString()));
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
