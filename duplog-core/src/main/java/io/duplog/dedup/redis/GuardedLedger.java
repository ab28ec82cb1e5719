package io.duplog.dedup.redis;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerRefusedException;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import io.duplog.observe.RecurringWarning;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ledger behind a circuit breaker: when half of the last four calls failed nobody waits for the
 * store any more, so that messages go on without it at full speed, while a thread of its own asks
 * with growing pauses whether the store is back.
 *
 * <p>A store that answers and refuses this bridge is well, and no probe can tell when it will have
 * it: then {@link #advance} alone is asked, once in a while, until it is accepted.
 */
public final class GuardedLedger implements Ledger {
  private static final Logger log = LoggerFactory.getLogger(GuardedLedger.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration PROBE_CHECK = Duration.ofMillis(50);

  /** Asks the store whether it would work. */
  @FunctionalInterface
  public interface Probe {
    void probe() throws LedgerUnavailableException;
  }

  private final Ledger ledger;
  private final Probe probe;
  private final String name;
  private final String meanwhile;
  private final RecurringWarning trouble;
  private final CircuitBreaker breaker;
  private final LongSupplier nanoClock;
  private final LongAdder failures = new LongAdder();

  /** Messages that were to be judged since the trouble began, and were not. */
  private final LongAdder unjudged = new LongAdder();

  /** Whether the store refuses this bridge; who asks about that again is the one who advances. */
  private volatile boolean refused;

  private volatile long askRefuserNanos;
  private final Thread prober;
  private volatile boolean hurried;
  private volatile boolean closed;

  /**
   * @param name of the store, as it stands in log lines
   * @param meanwhile what happens to messages while the store is not asked, in a log line's words
   */
  public GuardedLedger(Ledger ledger, Probe probe, String name, String meanwhile) {
    this(ledger, probe, name, meanwhile, System::nanoTime);
  }

  GuardedLedger(Ledger ledger, Probe probe, String name, String meanwhile, LongSupplier nanoClock) {
    this.ledger = ledger;
    this.probe = probe;
    this.name = name;
    this.meanwhile = meanwhile;
    this.nanoClock = nanoClock;
    this.trouble = new RecurringWarning(log, name, nanoClock);
    this.breaker =
        CircuitBreaker.of(
            name,
            CircuitBreakerConfig.custom()
                .slidingWindowSize(4)
                .minimumNumberOfCalls(2)
                .failureRateThreshold(50)
                .waitIntervalFunctionInOpenState(
                    IntervalFunction.ofExponentialRandomBackoff(FIRST_PAUSE, 2, 0.3, LONGEST_PAUSE))
                .permittedNumberOfCallsInHalfOpenState(1)
                .recordExceptions(LedgerUnavailableException.class)
                .build());
    this.prober = new Thread(this::probeUntilClosed, "redis-probe");
    prober.setDaemon(true);
    prober.start();
  }

  @Override
  public Judgement judge(Claim claim) throws LedgerUnavailableException {
    try {
      return guarded(() -> ledger.judge(claim));
    } catch (LedgerUnavailableException e) {
      unjudged.add(claim.digests().count());
      throw e;
    }
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    if (refused && nanoClock.getAsLong() - askRefuserNanos >= 0) {
      return asked(() -> ledger.advance(progress));
    }
    return guarded(() -> ledger.advance(progress));
  }

  @Override
  public void leave() throws LedgerUnavailableException {
    guarded(
        () -> {
          ledger.leave();
          return true;
        });
  }

  /** Not guarded: who adds to tallies can wait for an answer. */
  @Override
  public Tallies tallies(Tallies.Bounds bounds) {
    return ledger.tallies(bounds);
  }

  @Override
  public List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
    return guarded(() -> ledger.exchange(own));
  }

  @Override
  public boolean isAvailable() {
    return !refused && isReachable();
  }

  private boolean isReachable() {
    return breaker.getState() == CircuitBreaker.State.CLOSED;
  }

  @Override
  public @Nullable String trouble() {
    return trouble.current();
  }

  @Override
  public long failures() {
    return failures.sum();
  }

  /** Whatever pause is on: the store may be another one now, so it is asked at once. Any thread. */
  public void askNow() {
    hurried = true;
    LockSupport.unpark(prober);
  }

  private interface Call<T> {
    T run() throws LedgerUnavailableException;
  }

  private <T> T guarded(Call<T> call) throws LedgerUnavailableException {
    if (refused) {
      throw notAsked();
    }
    return asked(call);
  }

  private <T> T asked(Call<T> call) throws LedgerUnavailableException {
    if (!isReachable()) {
      throw notAsked();
    }
    boolean wasRefused = refused;
    long began = System.nanoTime();
    try {
      T answer = call.run();
      breaker.onSuccess(System.nanoTime() - began, TimeUnit.NANOSECONDS);
      if (wasRefused) {
        refused = false;
      }
      if (!refused) { // a call may have been under way when another one was refused
        trouble.recovered(this::cost);
      }
      return answer;
    } catch (LedgerRefusedException e) {
      breaker.onSuccess(System.nanoTime() - began, TimeUnit.NANOSECONDS);
      failures.increment();
      askRefuserNanos = nanoClock.getAsLong() + LONGEST_PAUSE.toNanos();
      refused = true;
      trouble.occurred(
          "%s refuses this bridge, since %s. Until then %s, asking again every %d s"
              .formatted(name, e.getMessage(), meanwhile, LONGEST_PAUSE.toSeconds()));
      throw e;
    } catch (LedgerUnavailableException e) {
      failed(began, e);
      throw e;
    }
  }

  private static LedgerUnavailableException notAsked() {
    return new LedgerUnavailableException("the store is not asked at the moment", null, false);
  }

  private String cost() {
    return String.format(Locale.ROOT, ": %,d messages went on without it", unjudged.sumThenReset());
  }

  private void failed(long began, LedgerUnavailableException e) {
    failures.increment();
    breaker.onError(System.nanoTime() - began, TimeUnit.NANOSECONDS, e);
    // An absence has many causes, one after the other: a reset, a refused connection, a time-out.
    trouble.occurred(
        RedisServer.isAnswer(e) ? String.valueOf(e.getMessage()) : "away",
        "%s: %s, asking again every %d-%d ms"
            .formatted(
                e.getMessage(), meanwhile, FIRST_PAUSE.toMillis(), LONGEST_PAUSE.toMillis()));
  }

  private void probeUntilClosed() {
    boolean defectLogged = false;
    while (!closed) {
      try {
        probeOnce();
      } catch (RuntimeException e) {
        // A defect. Were this thread to end of it, the store would be away for ever.
        if (!defectLogged) {
          defectLogged = true;
          log.error("a probe failed in a way that nobody expected; probes go on", e);
        }
      }
      LockSupport.parkNanos(this, PROBE_CHECK.toNanos());
    }
  }

  /** While calls are cut off, asks in their place. */
  private void probeOnce() {
    if (hurried) {
      hurried = false;
      askRefuserNanos = nanoClock.getAsLong();
      if (breaker.getState() == CircuitBreaker.State.OPEN) {
        breaker.transitionToHalfOpenState(); // nobody but this thread ends a pause
      }
    }
    if (isReachable() || !breaker.tryAcquirePermission()) {
      return;
    }
    long began = System.nanoTime();
    try {
      probe.probe();
      breaker.onSuccess(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    } catch (LedgerUnavailableException e) {
      failed(began, e);
    } catch (RuntimeException e) {
      // Anything else is no failure to the breaker, and the pause would not begin again.
      failed(began, new LedgerUnavailableException("the probe failed (" + e + ")", e, true));
      throw e;
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(prober);
    ledger.close();
  }
}
