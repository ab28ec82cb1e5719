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
 * A ledger behind a circuit breaker. When two of the last four calls have failed, the store is no
 * longer asked, so that messages go on without it at full speed. Meanwhile a thread asks with
 * growing pauses whether the store is back.
 *
 * <p>If the store answers but refuses this bridge, a probe can't tell when that ends. Then only
 * {@link #advance} is asked, every few seconds, until the store accepts the bridge.
 *
 * @see "docs/decisions/redis.md#redis-timeouts"
 */
public final class GuardedLedger implements Ledger {
  private static final Logger log = LoggerFactory.getLogger(GuardedLedger.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final int LAST_CALLS = 0b1111;
  private static final int MOST_FAILURES = 2;
  private static final Duration PROBE_CHECK = Duration.ofMillis(50);

  /** Test of whether the ledger's store can be used. */
  @FunctionalInterface
  public interface Probe {
    void probe() throws LedgerUnavailableException;

    /**
     * Returns why the store forgets, or may forget, what it must keep; null if no such reason is
     * known.
     */
    default @Nullable String look() throws LedgerUnavailableException {
      return null;
    }
  }

  private final Ledger ledger;
  private final Probe probe;
  private final String name;
  private final String meanwhile;
  private final RecurringWarning trouble;
  private final LongSupplier nanoClock;
  private final LongAdder failures = new LongAdder();
  private final Backoff pauses =
      new Backoff(FIRST_PAUSE.toNanos(), LONGEST_PAUSE.toNanos(), new Random()); // guarded by this

  /**
   * Results of the last four calls, one bit each, set if the call failed. Written only with this
   * locked.
   */
  private volatile int outcomes;

  /**
   * Whether the circuit breaker is open, so that only the probing thread asks the store. Written
   * only with this locked.
   */
  private volatile boolean away;

  private volatile long probeAtNanos;

  /** Number of messages that could not be judged since calls to the store began to fail. */
  private final LongAdder unjudged = new LongAdder();

  /**
   * Whether the store refuses this bridge, so that {@link #advance} is the only call still sent.
   */
  private volatile boolean refused;

  private volatile long askRefuserNanos;
  private final PollingThread prober;
  private volatile boolean hurried;
  private final RecurringWarning hazard;

  /** Time in nanoseconds of the next {@link Probe#look} call; used only by the probing thread. */
  private long lookAtNanos;

  /**
   * @param name the store's name for log lines
   * @param meanwhile what happens to messages while the store is not asked, as a clause of a log
   *     line
   */
  public GuardedLedger(
      Ledger ledger, Probe probe, String name, String meanwhile, LongSupplier nanoClock) {
    this.ledger = ledger;
    this.probe = probe;
    this.name = name;
    this.meanwhile = meanwhile;
    this.nanoClock = nanoClock;
    this.trouble = new RecurringWarning(log, name, nanoClock);
    this.hazard = new RecurringWarning(log, "the memory of " + name, nanoClock);
    this.lookAtNanos = nanoClock.getAsLong();
    this.prober = new PollingThread("redis-probe", PROBE_CHECK, this::probeOrLook);
    prober.start();
  }

  @Override
  public Judgement judge(Claim claim) throws LedgerUnavailableException {
    try {
      return guarded(() -> ledger.judge(claim), false);
    } catch (LedgerUnavailableException e) {
      unjudged.add(claim.digests().count());
      throw e;
    }
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    boolean again = nanoClock.getAsLong() - askRefuserNanos >= 0;
    return guarded(() -> ledger.advance(progress), again);
  }

  @Override
  public void leave() throws LedgerUnavailableException {
    guarded(
        () -> {
          ledger.leave();
          return true;
        },
        false);
  }

  /** Returns tallies without a circuit breaker, because their caller can wait for a time-out. */
  @Override
  public Tallies tallies(Duration period) {
    return ledger.tallies(period);
  }

  /** Returns the store without a circuit breaker, because its caller can wait for a time-out. */
  @Override
  public SharedTexts texts(String name) {
    return ledger.texts(name);
  }

  @Override
  public List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
    return guarded(() -> ledger.exchange(own), false);
  }

  @Override
  public boolean isAvailable() {
    return !refused && !away;
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
   * Asks the store at once instead of after the current pause, because another server may have
   * taken over. May be called from any thread.
   */
  public void askNow() {
    hurried = true;
    prober.hurry();
  }

  private interface Call<T> {
    T run() throws LedgerUnavailableException;
  }

  /**
   * @param thoughRefused whether to ask a store that refuses this bridge
   */
  private <T> T guarded(Call<T> call, boolean thoughRefused) throws LedgerUnavailableException {
    boolean wasRefused = refused;
    if (away || (wasRefused && !thoughRefused)) {
      throw new LedgerUnavailableException("the store is not asked at the moment", null, false);
    }
    try {
      T answer = call.run();
      answered();
      if (wasRefused) {
        refused = false;
      }
      if (isAvailable()) { // other calls may have failed or been refused meanwhile
        trouble.recovered(this::cost);
      }
      return answer;
    } catch (LedgerRefusedException e) {
      answered();
      failures.increment();
      askRefuserNanos = nanoClock.getAsLong() + LONGEST_PAUSE.toNanos();
      refused = true;
      trouble.occurred(
          "%s refuses this bridge, since %s. Until then %s, asking again every %d s"
              .formatted(name, e.getMessage(), meanwhile, LONGEST_PAUSE.toSeconds()));
      throw e;
    } catch (LedgerUnavailableException e) {
      failed(e);
      throw e;
    }
  }

  private String cost() {
    return String.format(Locale.ROOT, ": %,d messages went on without it", unjudged.sumThenReset());
  }

  private void answered() {
    if (outcomes != 0) {
      noteOutcome(0);
    }
  }

  private synchronized void noteOutcome(int failed) {
    outcomes = (outcomes << 1 | failed) & LAST_CALLS;
    if (!away && Integer.bitCount(outcomes) >= MOST_FAILURES) {
      pause();
      away = true;
    }
  }

  private synchronized void pause() {
    probeAtNanos = nanoClock.getAsLong() + pauses.nextNanos();
  }

  private synchronized void back() {
    pauses.reset();
    outcomes = 0;
    away = false;
  }

  private void failed(LedgerUnavailableException e) {
    failures.increment();
    noteOutcome(1);
    // An absence shows as a reset, a refused connection and a time-out in turn. All are one
    // trouble.
    trouble.occurred(
        RedisServer.isAnswer(e) ? String.valueOf(e.getMessage()) : "away",
        RecurringWarning.causeOf(e, String.valueOf(e.getMessage())),
        "%s: %s, asking again every %d-%d ms"
            .formatted(
                e.getMessage(), meanwhile, FIRST_PAUSE.toMillis(), LONGEST_PAUSE.toMillis()));
  }

  private void probeOrLook() {
    try {
      probeOnce();
    } finally {
      lookOnce();
    }
  }

  /** Probes the store once if the circuit breaker is open and the back-off pause is over. */
  private void probeOnce() {
    if (hurried) {
      hurried = false;
      askRefuserNanos = nanoClock.getAsLong();
      probeAtNanos = nanoClock.getAsLong();
    }
    if (!away || nanoClock.getAsLong() - probeAtNanos < 0) {
      return;
    }
    try {
      probe.probe();
      back();
    } catch (LedgerUnavailableException e) {
      failed(e);
      pause();
    } catch (RuntimeException e) {
      failed(new LedgerUnavailableException("the probe failed (" + e + ")", e, true));
      pause();
      throw e;
    }
  }

  /** Looks for a hazard if five seconds have passed, unless the circuit breaker is open. */
  private void lookOnce() {
    long now = nanoClock.getAsLong();
    if (away || now - lookAtNanos < 0) {
      return;
    }
    lookAtNanos = now + LONGEST_PAUSE.toNanos();
    try {
      String found = probe.look();
      if (found == null) {
        hazard.recovered();
      } else {
        hazard.occurred(found);
      }
    } catch (LedgerUnavailableException e) {
      log.debug("{}", e.getMessage()); // the calls that matter report their failures
    }
  }

  @Override
  public void close() {
    prober.close();
    ledger.close();
  }
}
