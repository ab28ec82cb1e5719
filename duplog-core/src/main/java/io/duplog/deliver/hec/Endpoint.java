package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.observe.Backoff;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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

  /** {@code 0.25-30 s} */
  private final String pauses;

  private final Runnable changed;
  private final RecurringWarning trouble;
  private final Refusals refusals;
  private final RecurringWarning unacknowledged;
  private final MeanLatency latency = new MeanLatency();

  /** All URLs, this one included; set before the first sender runs. */
  private volatile List<Endpoint> all = List.of(this);

  private volatile State state = State.UNKNOWN;

  // Guarded by this, as are all changes of the state.
  private int term;
  private long untilNanos;
  private boolean slow;
  private boolean known;
  private long badlySinceNanos;

  private @Nullable String lastDefect;

  /**
   * @param changed told when senders may have to do something else
   */
  Endpoint(String url, HecSinkConfig config, HecEnvironment environment, Runnable changed) {
    this.name = "sink hec " + config.named(url);
    this.changed = changed;
    Duration first = config.retryMin();
    Duration longest = config.retryMax();
    this.failing = environment.backoff(first, longest);
    this.slowness = environment.backoff(first, longest);
    // A trial takes ack-timeout itself, and costs duplicates.
    Duration timeout = config.ackTimeout();
    this.silence = environment.backoff(timeout.dividedBy(4), timeout.multipliedBy(5));
    this.pauses = seconds(first) + "-" + seconds(longest) + " s";
    LongSupplier nanoClock = environment.nanoClock();
    this.trouble = new RecurringWarning(log, name, nanoClock);
    this.refusals = new Refusals(name, config, environment);
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
    return Stream.of(trouble.current(), refusals.trouble(), unacknowledged.current())
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

  /** Decides what a sender may do. After a probe, {@link #well} or a failure has to follow. */
  synchronized Permit permit(long nowNanos) {
    return switch (state) {
      case WELL -> after(refusals.waitNanos(nowNanos), new Permit.Send());
      case PROBED -> new Permit.Wait(Long.MAX_VALUE);
      case UNKNOWN -> probe();
      case LEFT_OUT -> {
        long wait = untilNanos - nowNanos;
        yield wait <= 0 || (slow && !isAnotherWell()) ? probe() : new Permit.Wait(wait);
      }
    };
  }

  private static Permit after(long waitNanos, Permit then) {
    return waitNanos > 0 ? new Permit.Wait(waitNanos) : then;
  }

  private Permit probe() {
    state = State.PROBED;
    return new Permit.Probe();
  }

  /** Whether it accepted the last request that nothing was held against. */
  boolean takesOthers() {
    return refusals.isNone();
  }

  /** Called when a request with events leaves. */
  synchronized void sends(long nowNanos) {
    refusals.sends(nowNanos);
  }

  /**
   * Called when a request with events failed that nothing was held against, and one without events
   * passed.
   */
  synchronized void refused(int ofTerm, Attempt attempt, long nowNanos) {
    if (ofTerm == term) {
      refusals.add(attempt, nowNanos);
      if (refusals.areMany()) {
        changed.run();
      }
    }
  }

  /** Whether a request with events was accepted after the given time, or shortly before. */
  synchronized boolean hasTakenLately(long nanos) {
    return refusals.hasAcceptedLately(nanos);
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
      latency.forget(); // a request without events says nothing about those with
      recover();
      changed.run();
    }
  }

  /** It has answered a request, sent in the term that was given, after so long. */
  synchronized void answered(int ofTerm, long tookNanos, long nowNanos) {
    if (ofTerm != term) {
      return;
    }
    boolean wasLimited = refusals.areMany() || state == State.PROBED;
    refusals.end(nowNanos);
    failing.reset();
    if (state == State.PROBED) {
      latency.forget();
    }
    latency.add(tookNanos);
    boolean tooSlow = isTooSlow();
    if (tooSlow) {
      leaveOut(nowNanos, slowness.nextNanos(), true);
      trouble.occurred(
          name
              + " answers more than "
              + MeanLatency.TIMES_SLOWER
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

  /** Reads the others without their locks: the result need not be exact. */
  private boolean isTooSlow() {
    return all.stream()
        .anyMatch(
            other -> other != this && other.isWell() && latency.isTooSlowBeside(other.latency));
  }
}
