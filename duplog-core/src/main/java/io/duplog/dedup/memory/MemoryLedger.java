package io.duplog.dedup.memory;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.OwnStreams;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** A bridge's view of a {@link MemoryStore}: a window in this process, for a single bridge. */
public final class MemoryLedger implements Ledger {
  private static final String TERM_MARK = "/";

  private final MemoryStore store;
  private final String bridge;
  private final OwnStreams streams;
  private final long leaseNanos;

  /** How often the lease was taken. A new term is a new epoch for whoever held batches before. */
  private final AtomicInteger term = new AtomicInteger();

  /** Before the first lease nothing can have been judged. By one thread. */
  private boolean everLeased;

  /**
   * @param streams the names by which claims tell their stream
   */
  MemoryLedger(MemoryStore store, String bridge, List<String> streams, Duration lease) {
    this.store = store;
    this.bridge = bridge;
    this.streams = new OwnStreams(streams, line -> {}, line -> {});
    this.leaseNanos = lease.toNanos();
  }

  /**
   * A window of its own for one bridge.
   *
   * @param streams the names by which claims tell their stream
   * @param maxDigests bound on the memory, at about 150 bytes each
   * @param nanoClock {@code System::nanoTime}, or a test's
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
      return store.judge(bridge, TERM_MARK + term.get(), streams.configured(), claim);
    }
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    synchronized (store) {
      store.follow(leaseNanos);
      if (!store.agree(streams.read(), !everLeased)) {
        throw streams.refusedBy(String.valueOf(store.agreed), "");
      }
      streams.learn(Objects.requireNonNull(store.agreed));
      if (!store.renew(bridge, leaseNanos) && everLeased) {
        term.incrementAndGet();
      }
      everLeased = true;
      return store.advance(bridge, TERM_MARK + term.get(), progress);
    }
  }

  @Override
  public void leave() {
    store.leave(bridge);
  }

  @Override
  public Tallies tallies(Tallies.Bounds bounds) {
    return store.tallies.of(bridge, NANOSECONDS.toMillis(leaseNanos), bounds);
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return bridge + TERM_MARK + term;
  }
}
