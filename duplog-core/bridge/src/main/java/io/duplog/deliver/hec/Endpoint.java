package io.duplog.deliver.hec;

import io.duplog.config.Durations;
import io.duplog.deliver.hec.answer.Answer;
import io.duplog.observe.Backoff;
import io.duplog.observe.Trouble;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether events may be sent to a collector's URL, from the answers that the URL has given.
 * Nothing is sent to a URL unless it is known to be healthy. One sender at a time probes the URL,
 * first immediately and then after growing pauses. The other senders wait until that sender
 * succeeds. A URL that answers much more slowly than another one is left out in the same way.
 * Thread-safe. Its lock is taken before the queue's lock, never the other way round.
 */
final class Endpoint {
  private static final Logger log = LoggerFactory.getLogger(Endpoint.class);

  private enum State {
    UNKNOWN,
    PROBING,
    HEALTHY,
    LEFT_OUT
  }

  private final String name;

  /** Pauses between probes of a URL that fails. */
  private final Backoff failurePauses;

  /** Pauses between probes of a URL that is too slow. */
  private final Backoff slownessPauses;

  /** Pauses between probes of a URL that receives requests but acknowledges none of them. */
  private final Backoff ackTimeoutPauses;

  /** Range of the pauses between probes for log lines, such as {@code 0.25-30 s}. */
  private final String pauseRange;

  private final Runnable changeListener;
  private final Trouble failureWarning;
  private final Trouble ackWarning;
  private final Refusals refusals;
  private final AnswerWatch answerWatch;
  private final MeanLatency latency = new MeanLatency();

  /** Endpoints of all URLs, including this one; set before the first sender runs. */
  private volatile List<Endpoint> allEndpoints = List.of(this);

  private volatile State state = State.UNKNOWN;

  /** Number of requests accepted by all URLs, counted when this URL last accepted one. */
  private volatile long totalAtLastAcceptance;

  // The fields below, and all changes of the state, are guarded by this.
  private int termNumber;
  private long leftOutUntilNanos;
  private boolean isLeftOutAsSlow;
  private boolean isHealthKnown;
  private long ackTroubleNanos;
  private @Nullable String lastBugClass;

  /**
   * @param changeListener called when senders have to check again whether they may send
   */
  Endpoint(String url, HecSinkConfig config, HecEnvironment environment, Runnable changeListener) {
    this.name = "sink hec " + config.displayName(url);
    this.changeListener = changeListener;
    Duration min = config.retryMin();
    Duration max = config.retryMax();
    this.failurePauses = environment.backoff(min, max);
    this.slownessPauses = environment.backoff(min, max);
    // Each try lasts ack-timeout and causes duplicates, so its pauses are longer. After the first
    // try, a second one still has to end before settle.hold-limit.
    Duration timeout = config.ackTimeout();
    this.ackTimeoutPauses = environment.backoff(timeout.dividedBy(8), timeout.multipliedBy(5));
    this.pauseRange = Durations.inWords(min, max);
    this.failureWarning = environment.trouble(log, name);
    this.ackWarning = environment.trouble(log, name + " acknowledgement");
    this.refusals = new Refusals(name, config, environment);
    this.answerWatch = new AnswerWatch(name, config.requestTimeout(), environment);
  }

  void setAllEndpoints(List<Endpoint> endpoints) {
    allEndpoints = endpoints;
  }

  /** Returns the URL's name for log lines. */
  String name() {
    return name;
  }

  /** Returns the watch that is notified of each request of any kind. */
  AnswerWatch answerWatch() {
    return answerWatch;
  }

  /**
   * Called when a sender of this URL caught an unexpected exception. Logs the stack trace unless
   * the previous exception was of the same class.
   */
  synchronized void recordBug(RuntimeException bug) {
    if (!bug.getClass().getName().equals(lastBugClass)) {
      lastBugClass = bug.getClass().getName();
      log.error(
          "{} can't be used because of a bug in Duplog. The request counts as failed."
              + " Report this stack trace.",
          name,
          bug);
    }
  }

  /**
   * Called when the indexers' acknowledgements are wrong or missing.
   *
   * @param line the warning
   */
  synchronized void warnAboutAcknowledgements(String line, long nowNanos) {
    ackTroubleNanos = nowNanos;
    ackWarning.occurred(line);
  }

  /**
   * Called when the indexers acknowledged requests. The warning ends only after a while without
   * trouble, because the next time-out may still follow.
   *
   * @param calmNanos the time without trouble after which the warning ends
   */
  synchronized void onAcknowledged(long calmNanos, long nowNanos) {
    ackTimeoutPauses.reset();
    if (nowNanos - ackTroubleNanos >= calmNanos) {
      ackWarning.recovered();
    }
  }

  /**
   * Called when the indexers acknowledged nothing within {@code ack-timeout}. Leaves the URL out
   * for a while, because further requests would time out, too.
   */
  synchronized void onAckTimeout(int sentInTerm, long nowNanos) {
    Duration pause = Duration.ofNanos(ackTimeoutPauses.nextNanos());
    Answer.Retry failure =
        new Answer.Retry("has not acknowledged received requests within ack-timeout", pause);
    onFailed(sentInTerm, failure, nowNanos);
  }

  boolean isHealthy() {
    return state == State.HEALTHY;
  }

  /** Whether the URL is healthy, or its health is not known yet. */
  synchronized boolean isHealthyOrUnknown() {
    return isHealthy() || !isHealthKnown;
  }

  /**
   * Returns the number of the current term. A new term begins whenever the URL is left out, so that
   * the outcomes of earlier requests are ignored.
   */
  synchronized int termNumber() {
    return termNumber;
  }

  /**
   * Decides what a sender may do. After a {@link Permit.Probe}, {@link #markHealthy}, {@link
   * #onAnswered} or {@link #onFailed} must follow.
   */
  synchronized Permit permit(long nowNanos) {
    return switch (state) {
      case HEALTHY -> waitOrSend(refusals.waitNanos(nowNanos));
      case PROBING -> new Permit.Wait(Long.MAX_VALUE);
      case UNKNOWN -> probe();
      case LEFT_OUT -> {
        long waitNanos = leftOutUntilNanos - nowNanos;
        yield waitNanos <= 0 || (isLeftOutAsSlow && !isAnotherHealthy())
            ? probe()
            : new Permit.Wait(waitNanos);
      }
    };
  }

  private static Permit waitOrSend(long waitNanos) {
    return waitNanos > 0 ? new Permit.Wait(waitNanos) : new Permit.Send();
  }

  private Permit probe() {
    state = State.PROBING;
    return new Permit.Probe();
  }

  /** Whether no unsuspected request was refused since the URL last accepted events. */
  boolean hasNoRefusals() {
    return refusals.isEmpty();
  }

  /**
   * Called when the URL accepted a request.
   *
   * @param total how many requests all URLs have accepted, including this one
   */
  void recordAcceptance(long total) {
    totalAtLastAcceptance = total;
  }

  /**
   * Returns how many requests all URLs had accepted when this URL last accepted one, or 0 if it
   * never did.
   */
  long totalAtLastAcceptance() {
    return totalAtLastAcceptance;
  }

  /** Called when a request with events is sent. */
  synchronized void onSend(long nowNanos) {
    refusals.onSend(nowNanos);
  }

  /** Called when an unsuspected request with events failed, but the URL accepts empty requests. */
  synchronized void onRefused(int sentInTerm, Attempt attempt, long nowNanos) {
    if (sentInTerm == termNumber) {
      refusals.add(attempt, nowNanos);
      if (refusals.areMany()) {
        changeListener.run();
      }
    }
  }

  /** Whether a request with events was accepted after the given time, or less than 2 s before. */
  synchronized boolean hasAcceptedRecently(long nanos) {
    return refusals.hasAcceptedRecently(nanos);
  }

  /**
   * Called when the URL accepted an empty request. If it was left out because it was slow, only a
   * request with events can make it healthy.
   */
  synchronized void onProbeAnswered(int sentInTerm) {
    if (!isLeftOutAsSlow) {
      markHealthy(sentInTerm);
    }
  }

  /** Ends the probe, because an empty request has shown that the URL is healthy. */
  synchronized void markHealthy(int sentInTerm) {
    if (sentInTerm == termNumber && state == State.PROBING) {
      latency.reset(); // empty requests say nothing about the latency of those with events
      recover();
      changeListener.run();
    }
  }

  /**
   * Called when the URL answered a request with events and did not fail it.
   *
   * @param sentInTerm the term in which the request was sent
   * @param durationNanos the time until the answer was complete
   */
  synchronized void onAnswered(int sentInTerm, long durationNanos, long nowNanos) {
    if (sentInTerm != termNumber) {
      return;
    }
    boolean wasLimited = refusals.areMany() || state == State.PROBING;
    refusals.onAccepted(nowNanos);
    failurePauses.reset();
    if (state == State.PROBING) {
      latency.reset();
    }
    latency.add(durationNanos);
    boolean isTooSlow = isTooSlow();
    if (isTooSlow) {
      leaveOut(nowNanos, slownessPauses.nextNanos(), true);
      failureWarning.occurred(
          name
              + " answers more than "
              + MeanLatency.MAX_RATIO
              + " times slower than another URL. Leaving it out and trying it again every "
              + pauseRange
              + "; the other URLs take its share. Check this collector's load.");
    } else {
      slownessPauses.reset();
      if (state == State.PROBING) {
        recover();
      }
    }
    if (isTooSlow || wasLimited) {
      changeListener.run();
    }
  }

  private void recover() {
    state = State.HEALTHY;
    isHealthKnown = true;
    isLeftOutAsSlow = false;
    failureWarning.recovered();
  }

  /**
   * Called when a request or a probe failed. Leaves the URL out, for at least as long as an {@link
   * Answer.Retry} asks for.
   *
   * @param sentInTerm the term in which the request was sent; failures of earlier terms are ignored
   */
  synchronized void onFailed(int sentInTerm, Answer answer, long nowNanos) {
    String line = name + " " + answer.cause() + ". " + consequence(answer);
    if (sentInTerm != termNumber || !(state == State.PROBING || state == State.HEALTHY)) {
      log.debug("{} (already reported)", line);
      return;
    }
    long minNanos = answer instanceof Answer.Retry retry ? retry.afterNanos() : 0;
    leaveOut(nowNanos, Math.max(minNanos, failurePauses.nextNanos()), false);
    isHealthKnown = true;
    // One outage shows different causes one after the other; all of them are one warning.
    boolean isTemporary = answer instanceof Answer.Retry;
    String cause = answer instanceof Answer.Retry retry ? retry.kind() : answer.cause();
    failureWarning.occurred(isTemporary ? "unavailable" : answer.cause(), cause, line);
    changeListener.run();
  }

  private String consequence(Answer answer) {
    return answer instanceof Answer.Retry
        ? "Trying again every "
            + pauseRange
            + "; nothing is dropped. If this lasts, check the collector and the network."
        : "Sending only test requests there, every "
            + pauseRange
            + ", until one succeeds; nothing is dropped. To fix this, "
            + answer.remedy()
            + ".";
  }

  private void leaveOut(long nowNanos, long pauseNanos, boolean asSlow) {
    state = State.LEFT_OUT;
    termNumber++;
    isLeftOutAsSlow = asSlow;
    leftOutUntilNanos = nowNanos + pauseNanos;
  }

  private boolean isAnotherHealthy() {
    return allEndpoints.stream().anyMatch(other -> other != this && other.isHealthy());
  }

  /** Whether the URL is much slower than another one; reads the others without their locks. */
  private boolean isTooSlow() {
    return allEndpoints.stream()
        .anyMatch(
            other -> other != this && other.isHealthy() && latency.isTooSlowBeside(other.latency));
  }
}
