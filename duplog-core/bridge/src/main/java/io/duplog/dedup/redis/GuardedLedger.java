package io.duplog.dedup.redis;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerRefusedException;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.SharedTexts;
import io.duplog.dedup.Tallies;
import io.duplog.observe.Backoff;
import io.duplog.observe.PollingThread;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops calling a ledger whose calls fail, so that messages continue at full speed without it,
 * until it answers again. It stops when two of the last four calls have failed. Meanwhile a thread
 * probes the store with growing pauses.
 *
 * <p>If the store rejects this bridge, a probe can't tell when that ends. Then only {@link
 * #advance} is called, every few seconds, until the store accepts the bridge.
 *
 * @see "docs/decisions/redis.md#redis-timeouts"
 */
public final class GuardedLedger implements Ledger {
  private static final Logger log = LoggerFactory.getLogger(GuardedLedger.class);
  private static final Duration MIN_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
  private static final int LAST_CALLS_MASK = 0b1111;
  private static final int MAX_FAILED_CALLS = 2;
  private static final Duration PROBE_CHECK = Duration.ofMillis(50);

  /** Test of whether the ledger's store can be used. */
  @FunctionalInterface
  public interface Probe {
    void probe() throws LedgerUnavailableException;

    /**
     * Returns why the store forgets, or may forget, data that it must keep, or null if no such
     * reason is known.
     */
    default @Nullable String findHazard() throws LedgerUnavailableException {
      return null;
    }
  }

  private final Ledger ledger;
  private final Probe probe;
  private final String name;
  private final String effectWhileUnavailable;
  private final RecurringWarning trouble;
  private final LongSupplier nanoClock;
  private final LongAdder failures = new LongAdder();
  private final Backoff pauses =
      new Backoff(MIN_PAUSE.toNanos(), MAX_PAUSE.toNanos(), new Random()); // guarded by this

  /**
   * Outcomes of the last four calls, one bit each, set if the call failed. Written only with this
   * locked.
   */
  private volatile int outcomes;

  /**
   * Whether the circuit breaker is open, so that only the probing thread calls the store. Written
   * only with this locked.
   */
  private volatile boolean isOpen;

  private volatile long probeAtNanos;

  /** Number of messages that could not be judged since calls to the store began to fail. */
  private final LongAdder unjudgedMessages = new LongAdder();

  /**
   * Whether the store rejects this bridge, so that {@link #advance} is the only call still sent.
   */
  private volatile boolean isRefused;

  private volatile long retryRefusedNanos;
  private final PollingThread prober;
  private volatile boolean isProbeUrgent;
  private final RecurringWarning hazard;

  /**
   * Time in nanoseconds of the next {@link Probe#findHazard} call; used only by the probing thread.
   */
  private long hazardCheckNanos;

  /**
   * @param name the store's name for log lines
   * @param effectWhileUnavailable what happens to messages while the store is not called, as a
   *     clause of a log line
   */
  public GuardedLedger(
      Ledger ledger,
      Probe probe,
      String name,
      String effectWhileUnavailable,
      LongSupplier nanoClock) {
    this.ledger = ledger;
    this.probe = probe;
    this.name = name;
    this.effectWhileUnavailable = effectWhileUnavailable;
    this.nanoClock = nanoClock;
    this.trouble = new RecurringWarning(log, name, nanoClock);
    this.hazard = new RecurringWarning(log, "the memory of " + name, nanoClock);
    this.hazardCheckNanos = nanoClock.getAsLong();
    this.prober = new PollingThread("redis-probe", PROBE_CHECK, this::probeOrCheckHazard);
    prober.start();
  }

  @Override
  public Judgement judge(Claim claim) throws LedgerUnavailableException {
    try {
      return callGuarded(() -> ledger.judge(claim), false);
    } catch (LedgerUnavailableException e) {
      unjudgedMessages.add(claim.digests().count());
      throw e;
    }
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    boolean again = nanoClock.getAsLong() - retryRefusedNanos >= 0;
    return callGuarded(() -> ledger.advance(progress), again);
  }

  @Override
  public void leave() throws LedgerUnavailableException {
    callGuarded(
        () -> {
          ledger.leave();
          return true;
        },
        false);
  }

  /** Returns tallies without a circuit breaker, because their caller can wait for a timeout. */
  @Override
  public Tallies tallies(Duration period) {
    return ledger.tallies(period);
  }

  /** Returns the texts without a circuit breaker, because their caller can wait for a timeout. */
  @Override
  public SharedTexts texts(String name) {
    return ledger.texts(name);
  }

  @Override
  public List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
    return callGuarded(() -> ledger.exchange(own), false);
  }

  @Override
  public boolean isAvailable() {
    return !isRefused && !isOpen;
  }

  @Override
  public @Nullable String trouble() {
    return trouble.current();
  }

  @Override
  public @Nullable String hazard() {
    return hazard.current();
  }

  @Override
  public long failures() {
    return failures.sum();
  }

  /**
   * Calls the store immediately instead of after the current pause, because another server may have
   * taken over. Thread-safe.
   */
  public void probeNow() {
    isProbeUrgent = true;
    prober.hurry();
  }

  private interface Call<T> {
    T run() throws LedgerUnavailableException;
  }

  /**
   * @param evenIfRefused whether to call a store that rejects this bridge
   */
  private <T> T callGuarded(Call<T> call, boolean evenIfRefused) throws LedgerUnavailableException {
    boolean wasRefused = isRefused;
    if (isOpen || (wasRefused && !evenIfRefused)) {
      throw new LedgerUnavailableException("the store is not called at the moment", null, false);
    }
    try {
      T answer = call.run();
      recordSuccess();
      if (wasRefused) {
        isRefused = false;
      }
      if (isAvailable()) { // other calls may have failed or been rejected in the meantime
        trouble.recovered(this::unjudgedSummary);
      }
      return answer;
    } catch (LedgerRefusedException e) {
      recordSuccess();
      failures.increment();
      retryRefusedNanos = nanoClock.getAsLong() + MAX_PAUSE.toNanos();
      isRefused = true;
      trouble.occurred(
          "%s rejects this bridge: %s. Until then, %s. Retrying every %d s."
              .formatted(name, e.getMessage(), effectWhileUnavailable, MAX_PAUSE.toSeconds()));
      throw e;
    } catch (LedgerUnavailableException e) {
      recordFailure(e);
      throw e;
    }
  }

  private String unjudgedSummary() {
    return String.format(
        Locale.ROOT, ": %,d messages passed without it", unjudgedMessages.sumThenReset());
  }

  private void recordSuccess() {
    if (outcomes != 0) {
      recordOutcome(0);
    }
  }

  private synchronized void recordOutcome(int failed) {
    outcomes = (outcomes << 1 | failed) & LAST_CALLS_MASK;
    if (!isOpen && Integer.bitCount(outcomes) >= MAX_FAILED_CALLS) {
      pause();
      isOpen = true;
    }
  }

  private synchronized void pause() {
    probeAtNanos = nanoClock.getAsLong() + pauses.nextNanos();
  }

  private synchronized void closeCircuit() {
    pauses.reset();
    outcomes = 0;
    isOpen = false;
  }

  private void recordFailure(LedgerUnavailableException e) {
    failures.increment();
    recordOutcome(1);
    // While the store is unavailable, calls fail by a reset, a refused connection or a timeout in
    // turn. All are the same trouble.
    trouble.occurred(
        RedisServer.isAnswer(e) ? String.valueOf(e.getMessage()) : "unavailable",
        RecurringWarning.causeOf(e, String.valueOf(e.getMessage())),
        "%s. Until it is back, %s. Check Redis. Retrying every %d-%d ms."
            .formatted(
                e.getMessage(),
                effectWhileUnavailable,
                MIN_PAUSE.toMillis(),
                MAX_PAUSE.toMillis()));
  }

  private void probeOrCheckHazard() {
    try {
      probeOnce();
    } finally {
      checkHazardOnce();
    }
  }

  /** Probes the store once if the circuit breaker is open and the back-off pause is over. */
  private void probeOnce() {
    if (isProbeUrgent) {
      isProbeUrgent = false;
      retryRefusedNanos = nanoClock.getAsLong();
      probeAtNanos = nanoClock.getAsLong();
    }
    if (!isOpen || nanoClock.getAsLong() - probeAtNanos < 0) {
      return;
    }
    try {
      probe.probe();
      closeCircuit();
    } catch (LedgerUnavailableException e) {
      recordFailure(e);
      pause();
    } catch (RuntimeException e) {
      recordFailure(new LedgerUnavailableException("the probe failed (" + e + ")", e, true));
      pause();
      throw e;
    }
  }

  /** Checks for a hazard every five seconds, unless the circuit breaker is open. */
  private void checkHazardOnce() {
    long now = nanoClock.getAsLong();
    if (isOpen || now - hazardCheckNanos < 0) {
      return;
    }
    hazardCheckNanos = now + MAX_PAUSE.toNanos();
    try {
      String found = probe.findHazard();
      if (found == null) {
        hazard.recovered();
      } else {
        hazard.occurred(found);
      }
    } catch (LedgerUnavailableException e) {
      log.debug("{}", e.getMessage()); // calls that matter report their own failures
    }
  }

  @Override
  public void close() {
    prober.close();
    ledger.close();
  }
}
