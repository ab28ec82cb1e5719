package io.duplog.deliver.hec;

import io.duplog.observe.Backoff;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of one URL's health, shared by its senders. Nothing is sent to a URL that is not
 * known to be well: one sender at a time probes it, at first and then after each of the growing
 * pauses, and only that sender's success lets the others send again. A URL that answers, but very
 * much slower than another, is left out in the same way. Safe for any thread; its lock is taken
 * before the queue's, never the other way round.
 */
final class Endpoint {
  private static final Logger log = LoggerFactory.getLogger(Endpoint.class);

  /** {@link #permit}: the sender may send; the sender has to probe. */
  static final long SEND = 0;

  static final long PROBE = -1;

  /** How much slower than the fastest other is too slow, if it is also longer than this. */
  private static final int SLOWER_TIMES = 10;

  private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Weight of the newest request in the mean. */
  private static final double NEWEST = 0.2;

  /** The longest that messages wait behind several poison ones that came together. */
  private static final Duration LONGEST_REFUSAL = Duration.ofSeconds(2);

  private enum State {
    UNKNOWN,
    PROBED,
    WELL,
    LEFT_OUT
  }

  private final String name;

  /** Between probes of it while it fails, and between trials while it is slow. */
  private final Backoff failing;

  private final Backoff slowness;

  /** The same while it receives and does not acknowledge. */
  private final Backoff silence;

  /** Between requests while it takes none with events. */
  private final Backoff refusing;

  /** {@code 0.25-30 s} */
  private final String pauses;

  private final Runnable changed;
  private final RecurringWarning trouble;
  private final RecurringWarning refusals;
  private final RecurringWarning unacknowledged;

  /** All URLs, this one included; set before the first sender runs. */
  private volatile List<Endpoint> all = List.of(this);

  private volatile State state = State.UNKNOWN;
  private volatile long meanNanos;

  // Guarded by this, as are all changes of the state.
  private int term;
  private long untilNanos;
  private boolean slow;
  private boolean known;
  private long badlySinceNanos;

  /** Requests that nothing was held against, and that failed while one without events passed. */
  private volatile int refusedInRow;

  /** How many of them in a row say something about the URL. */
  private int several = PoisonIsolation.SEVERAL;

  private long refusesUntilNanos;

  /** When it took a request with events last. */
  private @Nullable Long takenNanos;

  private @Nullable String lastDefect;

  /**
   * @param changed told when senders may have to do something else
   */
  Endpoint(String url, HecSinkConfig config, HecSink.Environment environment, Runnable changed) {
    this.name = "sink hec " + config.named(url);
    this.changed = changed;
    Duration first = config.retryMin();
    Duration longest = config.retryMax();
    this.failing = environment.backoff(first, longest);
    this.slowness = environment.backoff(first, longest);
    // A trial takes ack-timeout itself, and costs duplicates.
    Duration timeout = config.ackTimeout();
    this.silence = environment.backoff(timeout.dividedBy(4), timeout.multipliedBy(5));
    boolean brief = longest.compareTo(LONGEST_REFUSAL) < 0;
    this.refusing = environment.backoff(first, brief ? longest : LONGEST_REFUSAL);
    this.pauses = seconds(first) + "-" + seconds(longest) + " s";
    LongSupplier nanoClock = environment.nanoClock();
    this.trouble = new RecurringWarning(log, name, nanoClock);
    this.refusals = new RecurringWarning(log, name + " with events", nanoClock);
    this.unacknowledged = new RecurringWarning(log, name + " acknowledgement", nanoClock);
  }

  private static String seconds(Duration duration) {
    return String.valueOf(duration.toMillis() / 1000.0).replaceFirst("\\.0$", "");
  }

  void setAll(List<Endpoint> endpoints) {
    all = endpoints;
  }

  String name() {
    return name;
  }

  /**
   * A sender that serves it met an exception that nobody expects; the first time leaves a trace.
   */
  synchronized void met(RuntimeException defect) {
    if (!defect.getClass().getName().equals(lastDefect)) {
      lastDefect = defect.getClass().getName();
      log.error(
          "{} meets a defect of Duplog's: what was to be sent counts as failed", name, defect);
    }
  }

  /** Something is wrong with the indexers' acknowledgements. */
  synchronized void acknowledgesBadly(String line, long nowNanos) {
    badlySinceNanos = nowNanos;
    unacknowledged.occurred(line);
  }

  /**
   * Requests were acknowledged. Whether all is well shows only when nothing has gone wrong for as
   * long as it may take.
   */
  synchronized void acknowledges(long calmNanos, long nowNanos) {
    silence.reset();
    if (nowNanos - badlySinceNanos >= calmNanos) {
      unacknowledged.recovered();
    }
  }

  /**
   * Requests that it has received were not acknowledged in time. It is left out for a while, since
   * what it receives meets the same fate.
   */
  synchronized void isSilent(int ofTerm, long nowNanos) {
    Duration pause = Duration.ofNanos(silence.nextNanos());
    Answer.Retry silent =
        new Answer.Retry("does not acknowledge within ack-timeout what it has received", pause);
    failed(ofTerm, silent, nowNanos);
  }

  /** What is wrong with it, in a line; null where nothing is known. */
  @Nullable String trouble() {
    return Stream.of(trouble, refusals, unacknowledged)
        .map(RecurringWarning::current)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  boolean isWell() {
    return state == State.WELL;
  }

  /** Whether it may be counted on: it is well, or nobody has had an answer from it so far. */
  synchronized boolean isPromising() {
    return isWell() || !known;
  }

  /** Changes whenever the URL is left out, so that what was under way then proves nothing later. */
  synchronized int term() {
    return term;
  }

  /**
   * What a sender may do now.
   *
   * @return {@link #SEND}; {@link #PROBE}, whereupon {@link #well} or a failure has to follow; else
   *     how many nanoseconds to wait
   */
  synchronized long permit(long nowNanos) {
    return switch (state) {
      case WELL -> refusesAll() ? Math.max(SEND, refusesUntilNanos - nowNanos) : SEND;
      case PROBED -> Long.MAX_VALUE;
      case UNKNOWN -> probe();
      case LEFT_OUT -> {
        long wait = untilNanos - nowNanos;
        yield wait <= 0 || (slow && !isAnotherWell()) ? probe() : wait;
      }
    };
  }

  private long probe() {
    state = State.PROBED;
    return PROBE;
  }

  private boolean refusesAll() {
    return refusedInRow >= several;
  }

  /** Whether it took the last request that nothing was held against. */
  boolean takesOthers() {
    return refusedInRow == 0;
  }

  /** A request with events leaves. To a URL that refuses all, they go one after the other. */
  synchronized void sends(long nowNanos) {
    if (refusesAll()) {
      refusesUntilNanos = nowNanos + refusing.nextNanos();
    }
  }

  /**
   * It failed a request with events that nothing was held against, and passed one without. It stays
   * in use: the events may be at fault. Only after several in a row is it given little for a while.
   */
  synchronized void refused(int ofTerm, Attempt attempt, long nowNanos) {
    if (ofTerm != term || hasTakenLately(nowNanos - attempt.tookNanos())) {
      return;
    }
    refusedInRow++;
    several = attempt.isLong() ? PoisonIsolation.SEVERAL : PoisonIsolation.FREE_QUICK_FAILURES;
    if (refusesAll()) {
      refusesUntilNanos = nowNanos + refusing.nextNanos();
      refusals.occurred(
          name
              + " "
              + attempt.answer().cause()
              + " to several requests with events, though it passes one without: it gets one"
              + " at a time, nothing is dropped");
      changed.run();
    }
  }

  /** Whether it has taken a request with events since, or a moment before. */
  synchronized boolean hasTakenLately(long nanos) {
    return takenNanos != null && nanos - takenNanos < PoisonIsolation.LATELY_NANOS;
  }

  /** It has answered a request without events; one that was slow has to show more. */
  synchronized void answersTrial(int ofTerm) {
    if (!slow) {
      well(ofTerm);
    }
  }

  /** It has answered a request without events as it should. */
  synchronized void well(int ofTerm) {
    if (ofTerm == term && state == State.PROBED) {
      meanNanos = 0; // a request without events says nothing about those with
      recover();
      changed.run();
    }
  }

  /** It has answered a request, sent in the term that was given, after so long. */
  synchronized void answered(int ofTerm, long tookNanos, long nowNanos) {
    if (ofTerm != term) {
      return;
    }
    boolean wasLimited = refusesAll() || state == State.PROBED;
    refusedInRow = 0;
    takenNanos = nowNanos;
    refusing.reset();
    failing.reset();
    refusals.recovered();
    boolean first = state == State.PROBED || meanNanos == 0;
    meanNanos =
        Math.max(1, first ? tookNanos : (long) (meanNanos + NEWEST * (tookNanos - meanNanos)));
    boolean tooSlow = isTooSlow();
    if (tooSlow) {
      leaveOut(nowNanos, slowness.nextNanos(), true);
      trouble.occurred(
          name
              + " answers more than "
              + SLOWER_TIMES
              + " times slower than another URL: left out, tried again every "
              + pauses);
    } else {
      slowness.reset();
      if (state == State.PROBED) {
        recover();
      }
    }
    if (tooSlow || wasLimited) {
      changed.run();
    }
  }

  private void recover() {
    state = State.WELL;
    known = true;
    slow = false;
    trouble.recovered();
  }

  /** It failed, and may work again by itself or not until somebody does something. */
  synchronized void failed(int ofTerm, Answer answer, long nowNanos) {
    boolean passing = answer instanceof Answer.Retry;
    String line =
        passing
            ? name + " " + answer.cause() + ": trying again every " + pauses
            : name
                + " "
                + answer.cause()
                + ": "
                + answer.remedy()
                + "; sending nothing there but a trial every "
                + pauses;
    if (ofTerm != term || !(state == State.PROBED || state == State.WELL)) {
      log.debug("{} (known already)", line);
      return;
    }
    long least = answer instanceof Answer.Retry retry ? retry.afterNanos() : 0;
    leaveOut(nowNanos, Math.max(least, failing.nextNanos()), false);
    known = true;
    // One absence has many causes, one after the other.
    trouble.occurred(passing ? "away" : answer.cause(), line + ", nothing is dropped");
    changed.run();
  }

  private void leaveOut(long nowNanos, long pauseNanos, boolean asSlow) {
    state = State.LEFT_OUT;
    term++;
    slow = asSlow;
    untilNanos = nowNanos + pauseNanos;
  }

  private boolean isAnotherWell() {
    return all.stream().anyMatch(other -> other != this && other.isWell());
  }

  /** Reads the others without their locks: it need not be exact. */
  private boolean isTooSlow() {
    if (meanNanos <= SLOW_NANOS) {
      return false;
    }
    for (Endpoint other : all) {
      long mean = other.meanNanos;
      if (other != this && other.isWell() && mean > 0 && meanNanos / SLOWER_TIMES > mean) {
        return true;
      }
    }
    return false;
  }
}
