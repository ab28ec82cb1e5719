package io.duplog.pipeline;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/**
 * Knows every batch from its judgement to its end, and settles it when the {@link SettleRule} lets
 * it. {@link #runOnce} and what it calls belong to the settling thread, the rest is for any.
 */
final class Settler {
  private final List<LedgerSession> parts;
  private final List<LedgerSession> fallbacks;
  private final Pipeline pipeline;
  private final long holdLimitNanos;
  private final long releaseAfterNanos;
  private final boolean observing;
  private final LongSupplier nanoClock;

  /** Batches that were shown to a ledger and have not ended. */
  private final Set<InFlightBatch> judged = ConcurrentHashMap.newKeySet();

  private final Queue<InFlightBatch> deliveries = new ConcurrentLinkedQueue<>();
  private final Queue<InFlightBatch> withdrawals = new ConcurrentLinkedQueue<>();

  /** Accepted by the sink, and not settled yet. The settling thread's own. */
  private final Set<InFlightBatch> waiting = new LinkedHashSet<>();

  Settler(
      List<LedgerSession> parts,
      List<LedgerSession> fallbacks,
      PipelineSettings settings,
      Pipeline pipeline,
      LongSupplier nanoClock) {
    this.parts = parts;
    this.fallbacks = fallbacks;
    this.pipeline = pipeline;
    this.holdLimitNanos = settings.holdLimit().toNanos();
    this.releaseAfterNanos = settings.releaseAfter().toNanos();
    this.observing = settings.observing();
    this.nanoClock = nanoClock;
  }

  /** A batch is about to be shown to a ledger. */
  void add(InFlightBatch batch) {
    judged.add(batch);
  }

  /** No ledger has counted it, and none is being asked. */
  void remove(InFlightBatch batch) {
    judged.remove(batch);
  }

  /** The sink has done with the copies of a batch that it was given last. */
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
    return judged.stream()
        .anyMatch(
            batch ->
                batch.phase() == InFlightBatch.Phase.DELIVERING
                    && batch.isOverdue(now, holdLimitNanos));
  }

  int held() {
    return judged.size();
  }

  /**
   * Reports what was delivered, renews the leases, and settles what may be settled.
   *
   * @return whether batches wait for others
   */
  boolean runOnce() {
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

  private static LedgerSession sessionOf(InFlightBatch batch) {
    return Objects.requireNonNull(batch.session(), "a batch that was judged");
  }

  private void settle(long now) {
    List<Runnable> releases = new ArrayList<>();
    Iterator<InFlightBatch> each = waiting.iterator();
    while (each.hasNext()) {
      InFlightBatch batch = each.next();
      if (batch.isLost()) {
        each.remove();
        judged.remove(batch);
        batch.forget();
        continue;
      }
      LedgerSession session = sessionOf(batch);
      if (session.isBrieflyAway(releaseAfterNanos, now)
          && !observing
          && !batch.dropped().isEmpty()) {
        continue; // a pause of the ledger's is no reason for duplicates yet
      }
      SettleRule.Decision decision = observing ? SettleRule.observe(batch) : session.decide(batch);
      if (decision instanceof SettleRule.Decision.Settle) {
        each.remove();
        judged.remove(batch);
        batch.settle();
      } else if (decision instanceof SettleRule.Decision.Release release) {
        each.remove();
        batch.release(release.copies(), now);
        releases.add(() -> pipeline.deliver(batch, release.copies()));
      }
    }
    releases.forEach(Runnable::run);
  }

  /** The state of everything, for the explorer: equal text, equal future. */
  String fingerprint() {
    List<String> texts = new ArrayList<>();
    judged.forEach(
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
