package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Evidence;
import io.duplog.deliver.hec.RequestBatch.Suspicion;
import io.duplog.observe.Backoff;
import io.duplog.observe.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the event that makes its request fail, such as one that a firewall rejects, while all other
 * events continue. Such a poison must neither delay other events nor be retried forever. No event
 * may be given up because Splunk was busy or a token was wrong. So a failed request is retried
 * after growing pauses and divided into smaller ones, so that its harmless events arrive.
 *
 * <p>A single event becomes a dead letter when it was sent alone and failed several times while the
 * URL accepted empty requests. {@link IsolationRules#isCounted} decides which failures count. All
 * counts restart when a URL accepts a request that it had rejected before. Such a URL sheds load or
 * is unstable, and its failures say nothing about the text.
 *
 * <p>There may be no other requests at all, at night or because a flood of poisons fills the
 * prefetch. After a while without others, or after many failures in a row, a {@linkplain
 * ControlEvents control event} is sent instead. If it is accepted, it counts as the two others that
 * a failure needs. If it is rejected, no failure counts.
 *
 * <p>While nothing at all is accepted, one request at a time is tried, after growing pauses, so
 * that a busy collector is not flooded.
 *
 * <p>Thread-safe. This object's monitor guards all state. Callbacks are called without the monitor.
 *
 * @see "docs/decisions/poison.md#poison-isolation"
 */
final class PoisonIsolation {
  private static final Logger log = LoggerFactory.getLogger(PoisonIsolation.class);

  /**
   * Maximum number of slow failures (a second or more each) in a row without a pause before the
   * next try.
   */
  private static final int MAX_SLOW_FAILURES_WITHOUT_PAUSE = 4;

  /** Extra delay in nanoseconds before a try whose failure would not count against the event. */
  private static final long UNCOUNTED_TRY_DELAY_NANOS = 5_000_000_000L;

  /** Factor of {@code retry-max} that gives the maximum rest. */
  private static final int MAX_REST_FACTOR = 30;

  private final IsolationRules rules;

  /** Maximum number of open suspected requests, so that hanging ones leave connections free. */
  private final int maxOpenBatches;

  /** Pauses between tries of suspected requests while the collector accepts no request. */
  private final Backoff tryPauses;

  /**
   * Times for which the sink is unavailable after its requests were withdrawn because none was
   * accepted.
   */
  private final Backoff rests;

  private final Trouble warning;
  private final ControlEvents controlEvents;

  /** Suspected batches that wait for a try. */
  private final List<RequestBatch> suspectedBatches = new ArrayList<>();

  /** Suspected batches whose requests have no outcome yet. */
  private final List<RequestBatch> openBatches = new ArrayList<>();

  /** Number of accepted requests; a control event counts as the two others that it replaces. */
  private long acceptances;

  /** Time in nanoseconds at which a request was last accepted. */
  private long lastAcceptanceNanos;

  /** Number of times that a URL has accepted events that it had rejected before. */
  private long recoveries;

  private int failuresInRow;

  /**
   * Number of failures in a row of unsuspected requests, with no request accepted while they were
   * open.
   */
  private int unsuspectedFailuresInRow;

  private int maxFailuresWithoutPause = MAX_SLOW_FAILURES_WITHOUT_PAUSE;

  /** Number of open requests that are not suspected. */
  private int openUnsuspectedRequests;

  private long pauseUntilNanos;
  private boolean isResting;
  private long restUntilNanos;

  PoisonIsolation(HecSinkConfig config, HecEnvironment environment) {
    Duration max = config.retryMax();
    this.rules = new IsolationRules(config.retryMin().toNanos(), max.toNanos());
    this.maxOpenBatches = Math.max(1, config.urls().size() * config.requestsPerUrl() / 2);
    this.tryPauses = environment.backoff(config.retryMin(), max);
    this.rests = environment.backoff(max, max.multipliedBy(MAX_REST_FACTOR));
    this.warning = environment.trouble(log, "sink hec isolation");
    this.controlEvents = new ControlEvents(environment.wallMillis());
  }

  /**
   * Called when a request failed.
   *
   * @param url the URL at which it failed
   * @param isUrlHealthy whether the URL accepts empty requests or accepted events recently
   */
  void onFailed(Attempt attempt, Endpoint url, boolean isUrlHealthy, long nowNanos) {
    String reason = scheduleOrGiveUp(attempt, url, isUrlHealthy, nowNanos);
    if (reason != null) {
      attempt.sent().forEach((completion, message) -> completion.onRefused(message, reason));
    }
  }

  /**
   * Schedules the request's events to be retried, or gives up its only event.
   *
   * @return why the event is given up, or null if the request's events are retried
   */
  private synchronized @Nullable String scheduleOrGiveUp(
      Attempt attempt, Endpoint url, boolean isUrlHealthy, long nowNanos) {
    RequestBatch sent = attempt.sent();
    if (controlEvents.contains(sent)) {
      controlEvents.onFailed(nowNanos);
      return null;
    }
    Suspicion before = attempt.suspicion();
    if (isUrlHealthy) {
      failuresInRow++;
      maxFailuresWithoutPause =
          attempt.isSlow() ? MAX_SLOW_FAILURES_WITHOUT_PAUSE : Refusals.MAX_QUICK_FAILURES;
      // If others were accepted while this one was open, the URL accepts some events.
      unsuspectedFailuresInRow +=
          before == null && acceptances == attempt.acceptancesBefore() ? 1 : 0;
      if (isPausing(nowNanos) && pauseUntilNanos - nowNanos <= 0) {
        pauseUntilNanos = nowNanos + tryPauses.nextNanos();
      }
      warn(attempt, url);
    }
    Evidence evidence =
        before == null || before.evidence().recoveriesBefore() != recoveries
            ? new Evidence(0, acceptances, attempt.acceptancesBefore(), recoveries)
            : before.evidence();
    int failures = before == null ? 0 : before.failures();
    boolean haveOthersPassed =
        before != null && acceptances > before.evidence().acceptancesAtLast();
    if (sent.count() > 1
        && IsolationRules.isDivided(attempt, isUrlHealthy, failures, haveOthersPassed)) {
      divide(attempt, new Suspicion(0, isUrlHealthy, nowNanos, url.name(), evidence));
      return null;
    }
    if (isUrlHealthy
        && sent.count() == 1
        && isCounted(evidence, attempt.previousSucceeded(), url)) {
      evidence = evidence.withFailure(acceptances);
      if (evidence.countedFailures() >= IsolationRules.failuresToGiveUp(attempt)) {
        return IsolationRules.reason(attempt, evidence, acceptances);
      }
    }
    boolean isSingleEvent = isUrlHealthy && sent.count() == 1;
    int doublings =
        isSingleEvent
            ? Math.min(IsolationRules.MAX_DOUBLINGS_OF_SINGLE_EVENT, evidence.countedFailures())
            : failures;
    long retryNanos =
        nowNanos + rules.pauseNanos(attempt, isUrlHealthy, doublings, acceptances > 0);
    suspectedBatches.add(
        sent.withSuspicion(
            new Suspicion(failures + 1, isUrlHealthy, retryNanos, url.name(), evidence)));
    return null;
  }

  private void divide(Attempt attempt, Suspicion suspicion) {
    RequestBatch sent = attempt.sent();
    int parts = IsolationRules.parts(attempt);
    int from = 0;
    for (int i = 1; i <= parts; i++) {
      int to = (int) ((long) sent.count() * i / parts);
      suspectedBatches.add(sent.part(from, to).withSuspicion(suspicion));
      from = to;
    }
  }

  private boolean isCounted(Evidence evidence, boolean previousSucceeded, Endpoint url) {
    return IsolationRules.isCounted(
        evidence, previousSucceeded, url, acceptances, openUnsuspectedRequests > 0);
  }

  private void warn(Attempt attempt, Endpoint url) {
    if (!warning.isOpen()) {
      warning.occurred(
          url.name()
              + ": a request with events failed, but empty ones are accepted ("
              + attempt.answer().cause()
              + "). Resending its events in smaller requests; other events are not delayed. Check"
              + " the dead-letter queue if this recurs.");
    }
  }

  /** Called when a request was accepted. */
  synchronized void onAccepted(Attempt attempt, Endpoint url, long nowNanos) {
    lastAcceptanceNanos = nowNanos;
    Suspicion before = attempt.suspicion();
    acceptances += controlEvents.contains(attempt.sent()) ? IsolationRules.OTHERS_PER_FAILURE : 1;
    url.recordAcceptance(acceptances);
    failuresInRow = 0;
    unsuspectedFailuresInRow = 0;
    tryPauses.reset();
    rests.reset();
    if (before != null && before.failures() > 0 && before.urlName().equals(url.name())) {
      recoveries++;
    }
  }

  /**
   * Returns the next suspected batch to try, or null if none is due; {@link #onDone} must follow.
   *
   * @param previousSucceeded whether the connection's previous request did not fail
   * @param url the connection's URL
   * @param onlyUnfailed whether to return only parts of failed requests that have not failed
   *     themselves yet
   */
  synchronized @Nullable RequestBatch take(
      long nowNanos, boolean previousSucceeded, Endpoint url, boolean onlyUnfailed) {
    if (suspectedBatches.isEmpty()
        || isFull(nowNanos)
        || (isPausing(nowNanos) && pauseUntilNanos - nowNanos > 0)) {
      return null;
    }
    RequestBatch next =
        suspectedBatches.stream()
            .filter(batch -> !onlyUnfailed || suspicionOf(batch).failures() == 0)
            .filter(batch -> dueNanos(batch, previousSucceeded, url) - nowNanos <= 0)
            .min(Comparator.comparingInt(batch -> suspicionOf(batch).failures()))
            .orElse(null);
    if (next != null) {
      suspectedBatches.remove(next);
      openBatches.add(next);
    }
    return next;
  }

  /**
   * Returns a control event, or null if none is due; {@link #onDone} must follow. A control event
   * is due if events wait for others to be compared with, and no control event has been sent for a
   * while.
   */
  synchronized @Nullable RequestBatch takeControlEvent(long nowNanos) {
    return controlEventIdleNanos(nowNanos) > 0 ? null : controlEvents.take(nowNanos);
  }

  private long controlEventIdleNanos(long nowNanos) {
    boolean isNeeded =
        (isPausing(nowNanos) || openUnsuspectedRequests == 0)
            && suspectedBatches.stream().anyMatch(batch -> suspicionOf(batch).isUrlHealthy());
    return isNeeded ? controlEvents.idleNanos(nowNanos, isPausing(nowNanos)) : Long.MAX_VALUE;
  }

  /**
   * Called when a request is sent; {@link #onDone} must follow.
   *
   * @return how many requests were accepted so far
   */
  synchronized long onSend(RequestBatch batch, long nowNanos) {
    if (batch.suspicion() == null) {
      openUnsuspectedRequests++;
      controlEvents.onSend(batch, nowNanos);
    }
    return acceptances;
  }

  /** Called when a request has ended and its outcome was reported. */
  synchronized void onDone(RequestBatch batch) {
    openUnsuspectedRequests -= batch.suspicion() == null ? 1 : 0;
    openBatches.remove(batch);
    controlEvents.onDone(batch);
    recoverIfNoneIsIsolated();
  }

  /** Returns the time in nanoseconds until a suspected batch or a control event is due. */
  synchronized long idleNanos(long nowNanos, boolean previousSucceeded, Endpoint url) {
    long controlEventNanos = controlEventIdleNanos(nowNanos);
    if (suspectedBatches.isEmpty() || isFull(nowNanos)) {
      return controlEventNanos;
    }
    long idleNanos = Long.MAX_VALUE;
    for (RequestBatch batch : suspectedBatches) {
      idleNanos = Math.min(idleNanos, dueNanos(batch, previousSucceeded, url) - nowNanos);
    }
    idleNanos = isPausing(nowNanos) ? Math.max(idleNanos, pauseUntilNanos - nowNanos) : idleNanos;
    return Math.max(0, Math.min(controlEventNanos, idleNanos));
  }

  private boolean isPausing(long nowNanos) {
    boolean hasAcceptedRecently =
        acceptances > 0 && nowNanos - lastAcceptanceNanos < Refusals.RECENT_NANOS;
    return failuresInRow > maxFailuresWithoutPause
        && unsuspectedFailuresInRow > 0
        && !hasAcceptedRecently;
  }

  private boolean isFull(long nowNanos) {
    return openBatches.size() >= (isPausing(nowNanos) ? 1 : maxOpenBatches);
  }

  private long dueNanos(RequestBatch batch, boolean previousSucceeded, Endpoint url) {
    Suspicion suspicion = suspicionOf(batch);
    boolean mayBePoison =
        suspicion.isUrlHealthy() && suspicion.failures() > 1 && batch.count() == 1;
    boolean isDelayed = mayBePoison && !isCounted(suspicion.evidence(), previousSucceeded, url);
    return suspicion.notBeforeNanos() + (isDelayed ? UNCOUNTED_TRY_DELAY_NANOS : 0);
  }

  /** Returns the suspicion of a batch that waits or is being tried. */
  private static Suspicion suspicionOf(RequestBatch batch) {
    return Objects.requireNonNull(batch.suspicion());
  }

  /** Forgets the batches whose delivery requests were all accepted or withdrawn. */
  synchronized void dropWithdrawn() {
    if (suspectedBatches.removeIf(RequestBatch::isDone)) {
      recoverIfNoneIsIsolated();
    }
  }

  /**
   * Forgets all batches. If nothing was accepted, the sink becomes unavailable for a while, so that
   * other bridges can try.
   */
  synchronized void clear(long nowNanos) {
    suspectedBatches.clear();
    if (acceptsNothing()) {
      isResting = true;
      restUntilNanos = nowNanos + rests.nextNanos();
      unsuspectedFailuresInRow = 0;
    }
    recoverIfNoneIsIsolated();
  }

  private void recoverIfNoneIsIsolated() {
    if (isolated() == 0) {
      warning.recovered();
    }
  }

  synchronized boolean isResting(long nowNanos) {
    isResting = isResting && restUntilNanos - nowNanos > 0;
    return isResting;
  }

  /**
   * Whether at least {@link Refusals#MAX_SLOW_FAILURES} different requests in a row failed at
   * healthy URLs.
   */
  synchronized boolean acceptsNothing() {
    return unsuspectedFailuresInRow >= Refusals.MAX_SLOW_FAILURES;
  }

  /**
   * Returns the number of events that are sent in separate requests, because requests with them
   * failed although the URL is healthy.
   */
  synchronized int isolated() {
    return Stream.concat(suspectedBatches.stream(), openBatches.stream())
        .filter(batch -> suspicionOf(batch).isUrlHealthy())
        .mapToInt(RequestBatch::count)
        .sum();
  }
}
