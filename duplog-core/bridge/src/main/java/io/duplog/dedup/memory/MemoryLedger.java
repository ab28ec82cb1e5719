package io.duplog.dedup.memory;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.duplog.dedup.BrokerAgreement;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerRefusedException;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.StreamMembership;
import io.duplog.dedup.Tallies;
import io.duplog.dedup.Term;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deduplicates in this process instead of in Redis: one bridge's access to the counts of a {@link
 * MemoryStore}.
 */
public final class MemoryLedger implements Ledger {
  private final MemoryStore store;
  private final String bridge;
  private final StreamMembership streams;
  private final long leaseNanos;

  private final Term term = new Term();

  /**
   * @param streams names of this bridge's streams; {@link Claim#stream()} is an index into this
   *     list
   */
  MemoryLedger(MemoryStore store, String bridge, List<String> streams, Duration lease) {
    this.store = store;
    this.bridge = bridge;
    this.streams = new StreamMembership(streams, line -> {}, line -> {});
    this.leaseNanos = lease.toNanos();
  }

  /**
   * Creates a ledger for a single bridge, with its own store.
   *
   * @param streams names of this bridge's streams; {@link Claim#stream()} is an index into this
   *     list
   * @param maxDigests limit of stored digests, which take about 150 bytes each
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  public static MemoryLedger ofOneBridge(
      String bridge,
      List<String> streams,
      Duration window,
      Duration lease,
      int maxDigests,
      LongSupplier nanoClock) {
    return new MemoryLedger(
        new MemoryStore(
            window.toNanos(), maxDigests, nanoClock, () -> UUID.randomUUID().toString()),
        bridge,
        streams,
        lease);
  }

  @Override
  public Judgement judge(Claim claim) {
    synchronized (store) {
      return store.judge(bridge, term.number(), streams.configured(), claim);
    }
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    synchronized (store) {
      store.adjustLeases(leaseNanos);
      BrokerAgreement.Conflict conflict = store.conflict(bridge, progress.brokers());
      if (conflict != null) {
        throw new LedgerRefusedException(
            BrokerAgreement.refusal(progress.brokers(), conflict, null));
      }
      if (!store.agree(streams.read(), !term.hasBegun())) {
        throw streams.refusedBy(String.valueOf(store.agreed), "");
      }
      store.brokers.take(bridge, progress.brokers());
      streams.learn(Objects.requireNonNull(store.agreed));
      term.renew(!store.renew(bridge, leaseNanos));
      return store.advance(bridge, term.number(), progress);
    }
  }

  @Override
  public void leave() {
    store.leave(bridge);
  }

  @Override
  public Tallies tallies(Duration period) {
    return store.tallies.of(bridge, NANOSECONDS.toMillis(leaseNanos), period.toMillis());
  }

  @Override
  public @Nullable String hazard() {
    synchronized (store) {
      return store.nowMillis() < store.forgotten.untilMillis()
          ? "the bridge's memory is full of digests, so it forgot some before their window ended."
              + " Their messages may be delivered twice, and coverage does not compare them."
              + " Raise dedup.memory.max-digests (for the fallback: dedup.local-limit), or shorten"
              + " dedup.window."
          : null;
    }
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return bridge + "/" + term.number();
  }
}
