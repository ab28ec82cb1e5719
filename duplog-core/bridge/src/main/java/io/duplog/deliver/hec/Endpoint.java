package io.duplog.deliver.hec;

import io.duplog.config.Durations;
import io.duplog.deliver.hec.answer.Answer;
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
 * The health of one URL, shared by its senders. Nothing is sent to a URL unless the URL is known to
 * be healthy. One sender at a time probes it, at first at once and then after growing pauses, and
 * only that sender's success lets the others send again. A URL that answers much more slowly than
 * another one is left out in the same way. Safe for any thread; its lock is taken before the
 * queue's, never the other way round.
 */
final class Endpoint {
  private static final Logger log = LoggerFactory.getLogger(Endpoint.class);

  /** Divisor of {@code request-timeout}. */
  private static final int PATIENT_PART = 2;

  private enum State {
    UNKNOWN,
    PROBED,
    WELL,
    LEFT_OUT
  }

  private final String name;

  /** Pauses between probes of a URL that fails. */
  private final Backoff failurePauses;

  /** Pauses between probes of a URL that is too slow. */
  private final Backoff slownessPauses;

  /** Pauses between probes of a URL that receives requests but acknowledges none of them. */
  private final Backoff silencePauses;

  /** Range of the pauses between probes for log lines, such as {@code 0.25-30 s}. */
  private final String pauses;

  private final Duration requestTimeout;

  /** Time in nanoseconds without any answer after which the URL is said to answer nothing. */
  private final long patienceNanos;

  private final LongSupplier nanoClock;
  private final Runnable changeListener;
  private final RecurringWarning trouble;
  private final Refusals refusals;
  private final RecurringWarning acknowledgementTrouble;
  private final MeanLatency latency = new MeanLatency();

  /** Endpoints of all URLs, including this one; set before the first sender runs. */
  private volatile List<Endpoint> all = List.of(this);

  private volatile State state = State.UNKNOWN;

  /** Number of requests that the sink's URLs had accepted when this one accepted its last. */
  private volatile long acceptancesAtLast;

  // The fields below, and all changes of the state, are guarded by this.
  private int termNumber;
  private long untilNanos;
  private boolean slow;
  private boolean known;
  private long badlySinceNanos;

  /** Requests of any kind that have no answer yet. */
  private int unansweredRequests;

  /** Since when requests have waited, and nothing was answered. */
  private long silentSinceNanos;

  /** Whether the latest request that is over had no answer, so that the silence goes on. */
  private boolean unanswered;

  private @Nullable String lastDefect;

  /**
   * @param changeListener called when senders have to look again whether they may send
   */
  Endpoint(String url, HecSinkConfig config, HecEnvironment environment, Runnable changeListener) {
    this.name = "sink hec " + config.named(url);
    this.changeListener = changeListener;
    Duration first = config.retryMin();
    Duration longest = config.retryMax();
    this.failurePauses = environment.backoff(first, longest);
    this.slownessPauses = environment.backoff(first, longest);
    // Each try lasts ack-timeout and costs duplicates, so its pauses are longer. After the first
    // one, a second try still has to end before settle.hold-limit.
    Duration timeout = config.ackTimeout();
    this.silencePauses = environment.backoff(timeout.dividedBy(8), timeout.multipliedBy(5));
    this.pauses = Durations.inWords(first, longest);
    this.requestTimeout = config.requestTimeout();
    this.patienceNanos = requestTimeout.dividedBy(PATIENT_PART).toNanos();
    this.nanoClock = environment.nanoClock();
    this.trouble = new RecurringWarning(log, name, nanoClock);
    this.refusals = new Refusals(name, config, environment);
    this.acknowledgementTrouble = new RecurringWarning(log, name + " acknowledgement", nanoClock);
  }

  void setAll(List<Endpoint> endpoints) {
    all = endpoints;
  }

  String name() {
    return name;
  }

  /**
   * Called when a sender of this URL met an unexpected exception. Logs the stack trace if the last
   * one was of another class.
   */
  synchronized void met(RuntimeException defect) {
    if (!defect.getClass().getName().equals(lastDefect)) {
      lastDefect = defect.getClass().getName();
      log.error(
          "{} meets a defect of Duplog's: what was to be sent counts as failed", name, defect);
    }
  }

  /**
   * Called when something is wrong with the indexers' acknowledgements.
   *
   * @param line the warning
   */
  synchronized void acknowledgesBadly(String line, long nowNanos) {
    badlySinceNanos = nowNanos;
    acknowledgementTrouble.occurred(line);
  }

  /**
   * Called when the indexers acknowledged requests. The warning ends only after a calm, because the
   * next time-out may still be to come.
   *
   * @param calmNanos how long nothing may have gone wrong before the warning ends
   */
  synchronized void acknowledges(long calmNanos, long nowNanos) {
    silencePauses.reset();
    if (nowNanos - badlySinceNanos >= calmNanos) {
      acknowledgementTrouble.recovered();
    }
  }

  /**
   * Called when the indexers acknowledged nothing within {@code ack-timeout}. Leaves the URL out
   * for a while, because further requests would meet the same fate.
   */
  synchronized void isSilent(int ofTerm, long nowNanos) {
    Duration pause = Duration.ofNanos(silencePauses.nextNanos());
    Answer.Retry silent =
        new Answer.Retry("does not acknowledge within ack-timeout what it has received", pause);
    failed(ofTerm, silent, nowNanos);
  }

  /** Returns one line about what is wrong with the URL; null if no trouble is known. */
  @Nullable String trouble() {
    return Stream.of(
            trouble.current(), refusals.trouble(), acknowledgementTrouble.current(), silence())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** Called before a request of any kind is sent; {@link #ends} follows. */
  synchronized void begins() {
    if (unansweredRequests++ == 0 && !unanswered) {
      silentSinceNanos = nanoClock.getAsLong();
    }
  }

  /**
   * Called when a request is over.
   *
   * @param answered whether there was an answer, whatever it says
   */
  synchronized void ends(boolean answered) {
    unansweredRequests--;
    unanswered = !answered;
    if (answered) {
      silentSinceNanos = nanoClock.getAsLong();
    }
  }

  /**
   * Returns a line about a URL that answers nothing, before that is a failure: packets to it may be
   * dropped, and nothing may be known for all of {@code request-timeout}.
   */
  private synchronized @Nullable String silence() {
    long nanos = nanoClock.getAsLong() - silentSinceNanos;
    return unansweredRequests > 0 && nanos >= patienceNanos
        ? "%s has answered nothing for %d s: requests wait for %s, then they are sent again"
            .formatted(
                name, TimeUnit.NANOSECONDS.toSeconds(nanos), Durations.inWords(requestTimeout))
        : null;
  }

  boolean isWell() {
    return state == State.WELL;
  }

  /** Whether the URL is healthy, or its health is not known yet. */
  synchronized boolean isPromising() {
    return isWell() || !known;
  }

  /**
   * Returns the number of the current term. A new term begins whenever the URL is left out, so that
   * the outcomes of earlier requests are ignored.
   */
  synchronized int termNumber() {
    return termNumber;
  }

  /**
   * Decides what a sender may do. After a {@link Permit.Probe}, {@link #well}, {@link #answered} or
   * {@link #failed} has to follow.
   */
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

  /**
   * Whether no failure of an unsuspected request was counted since the URL last accepted events.
   */
  boolean takesOthers() {
    return refusals.isNone();
  }

  /**
   * Called when the URL accepted a request.
   *
   * @param accepted how many requests all URLs have accepted, with this one
   */
  void took(long accepted) {
    acceptancesAtLast = accepted;
  }

  /** Returns how many requests all URLs had accepted when this one accepted its last; 0 if none. */
  long acceptancesAtLast() {
    return acceptancesAtLast;
  }

  /** Called when a request with events is sent. */
  synchronized void sends(long nowNanos) {
    refusals.sends(nowNanos);
  }

  /**
   * Called when an unsuspected request with events failed, but the URL passed one without events.
   */
  synchronized void refused(int ofTerm, Attempt attempt, long nowNanos) {
    if (ofTerm == termNumber) {
      refusals.add(attempt, nowNanos);
      if (refusals.areMany()) {
        changeListener.run();
      }
    }
  }

  /**
   * Whether a request with events was accepted after the given time, or up to two seconds before
   * it.
   */
  synchronized boolean hasTakenLately(long nanos) {
    return refusals.hasAcceptedLately(nanos);
  }

  /**
   * Called when the URL passed a request without events. If it was left out because it was slow,
   * only a request with events can make it healthy.
   */
  synchronized void answersTrial(int ofTerm) {
    if (!slow) {
      well(ofTerm);
    }
  }

  /** Called when a request without events has shown that the URL is healthy; ends the probe. */
  synchronized void well(int ofTerm) {
    if (ofTerm == termNumber && state == State.PROBED) {
      latency.forget(); // a request without events says nothing about those with
      recover();
      changeListener.run();
    }
  }

  /**
   * Called when the URL answered a request with events and did not fail it.
   *
   * @param ofTerm the term in which the request was sent
   * @param tookNanos how long the answer took
   */
  synchronized void answered(int ofTerm, long tookNanos, long nowNanos) {
    if (ofTerm != termNumber) {
      return;
    }
    boolean wasLimited = refusals.areMany() || state == State.PROBED;
    refusals.end(nowNanos);
    failurePauses.reset();
    if (state == State.PROBED) {
      latency.forget();
    }
    latency.add(tookNanos);
    boolean tooSlow = isTooSlow();
    if (tooSlow) {
      leaveOut(nowNanos, slownessPauses.nextNanos(), true);
      trouble.occurred(
          name
              + " answers more than "
              + MeanLatency.TIMES_SLOWER
              + " times slower than another URL: left out, tried again every "
              + pauses);
    } else {
      slownessPauses.reset();
      if (state == State.PROBED) {
        recover();
      }
    }
    if (tooSlow || wasLimited) {
      changeListener.run();
    }
  }

  private void recover() {
    state = State.WELL;
    known = true;
    slow = false;
    trouble.recovered();
  }

  /**
   * Called when a request or a probe failed. Leaves the URL out, for at least as long as an {@link
   * Answer.Retry} asks for.
   *
   * @param ofTerm the term in which the request was sent; failures of earlier terms are ignored
   */
  synchronized void failed(int ofTerm, Answer answer, long nowNanos) {
    boolean passing = answer instanceof Answer.Retry;
    String next =
        passing
            ? "trying again every "
            : answer.remedy() + "; sending nothing there but a trial every ";
    String line = name + " " + answer.cause() + ": " + next + pauses;
    if (ofTerm != termNumber || !(state == State.PROBED || state == State.WELL)) {
      log.debug("{} (known already)", line);
      return;
    }
    long least = answer instanceof Answer.Retry retry ? retry.afterNanos() : 0;
    leaveOut(nowNanos, Math.max(least, failurePauses.nextNanos()), false);
    known = true;
    // One outage shows different causes one after the other; all of them are one warning.
    String kind = answer instanceof Answer.Retry retry ? retry.kind() : answer.cause();
    trouble.occurred(passing ? "away" : answer.cause(), kind, line + ", nothing is dropped");
    changeListener.run();
  }

  private void leaveOut(long nowNanos, long pauseNanos, boolean asSlow) {
    state = State.LEFT_OUT;
    termNumber++;
    slow = asSlow;
    untilNanos = nowNanos + pauseNanos;
  }

  private boolean isAnotherWell() {
    return all.stream().anyMatch(other -> other != this && other.isWell());
  }

  /** Whether the URL is much slower than another one; reads the others without their locks. */
  private boolean isTooSlow() {
    return all.stream()
        .anyMatch(
            other -> other != this && other.isWell() && latency.isTooSlowBeside(other.latency));
  }
}
