package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Evidence;
import io.duplog.deliver.hec.RequestBatch.Suspicion;
import io.duplog.observe.Backoff;
import io.duplog.observe.RecurringWarning;
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
 * Tries failed requests apart from all others, because a poison event may be in them, whose text a
 * firewall rejects or Splunk chokes on. A poison must neither hold up other events nor be tried for
 * ever, and no event may be given up because Splunk was busy or a token was wrong. So a failed
 * request is tried again after growing pauses and divided into smaller ones, so that its harmless
 * events arrive.
 *
 * <p>A single event becomes a dead letter when it was sent alone and failed several times while the
 * URL accepted a request without events. A failure counts only if the connection had accepted its
 * previous request, and if two others were accepted since the last failure that counted. All counts
 * begin again when a URL accepts what it had refused before. Such a URL sheds load or flaps, and
 * its failures say nothing about the text.
 *
 * <p>The settle rule makes later batches wait for the poison's, so a full prefetch may leave no
 * other events to compare the poison with. If no other request is under way, and the URL accepted
 * the last one and at least one since the event's first failure, all requests that were accepted
 * since then count as others, two for each failure. A collector that becomes busy at night still
 * costs no event: after an event's first failure it accepts no others, and an event that had failed
 * before has failed again after others were accepted.
 *
 * <p>There may be no other requests at all, at night or because a flood of poisons fills the
 * prefetch. After a while without others, or after many failures in a row, a {@linkplain
 * ControlEvents control event} is sent instead. If it is accepted, it counts as the two others that
 * a failure needs. If it is refused, no failure counts.
 *
 * <p>While nothing at all is accepted, one request at a time is tried, after growing pauses, so
 * that a busy collector is not flooded. Safe for any thread: all state is guarded by this object's
 * monitor. Callbacks are called outside of it.
 *
 * @see "docs/decisions/poison.md#poison-isolation"
 */
final class PoisonIsolation {
  private static final Logger log = LoggerFactory.getLogger(PoisonIsolation.class);

  /**
   * Number of slow failures (a second or more each) in a row after which all further tries pause.
   */
  private static final int FREE_FAILURES = 4;

  /** Extra wait in nanoseconds before a try whose failure would not count against the event. */
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private static final int RESTS_OVER_PAUSES = 30;

  private final IsolationRules rules;

  /** Limit of suspected requests under way at once, so that hanging ones leave connections free. */
  private final int mostUnderWay;

  /** Pauses between tries of suspected requests while the collector accepts no request. */
  private final Backoff pauses;

  /**
   * Time for which the sink is unavailable after its requests were withdrawn because none was
   * accepted.
   */
  private final Backoff rests;

  private final RecurringWarning trouble;
  private final ControlEvents controls;

  /** Suspected batches that wait to be tried. */
  private final List<RequestBatch> suspectedBatches = new ArrayList<>();

  /** Suspected batches whose requests have no outcome yet. */
  private final List<RequestBatch> batchesUnderWay = new ArrayList<>();

  /**
   * Number of requests that were accepted, a control event counting as the others it stands for.
   */
  private long acceptances;

  /** Time in nanoseconds at which a request was last accepted. */
  private long lastAcceptanceNanos;

  /** Number of times that a URL has accepted events that it had failed before. */
  private long recoveries;

  private int failuresInRow;

  /**
   * Number of failures in a row of unsuspected requests, none accepted while they were under way.
   */
  private int freshFailuresInRow;

  private int freeFailures = FREE_FAILURES;

  /** Number of requests under way that are not suspected. */
  private int otherRequestsUnderWay;

  private long pauseUntilNanos;
  private boolean resting;
  private long restUntilNanos;

  PoisonIsolation(HecSinkConfig config, HecEnvironment environment) {
    Duration longest = config.retryMax();
    this.rules = new IsolationRules(config.retryMin().toNanos(), longest.toNanos());
    this.mostUnderWay = Math.max(1, config.urls().size() * config.requestsPerUrl() / 2);
    this.pauses = environment.backoff(config.retryMin(), longest);
    this.rests = environment.backoff(longest, longest.multipliedBy(RESTS_OVER_PAUSES));
    this.trouble = new RecurringWarning(log, "sink hec isolation", environment.nanoClock());
    this.controls = new ControlEvents(environment.wallMillis());
  }

  /**
   * Called when a request failed.
   *
   * @param where the URL at which it failed
   * @param answers whether the URL passes a request without events, or accepted events a moment ago
   */
  void failed(Attempt attempt, Endpoint where, boolean answers, long nowNanos) {
    String reason = judge(attempt, where, answers, nowNanos);
    if (reason != null) {
      attempt.sent().forEach((completion, message) -> completion.refused(message, reason));
    }
  }

  /**
   * @return why the request's only event is given up; null if the request's events are tried again
   */
  private synchronized @Nullable String judge(
      Attempt attempt, Endpoint where, boolean answers, long nowNanos) {
    RequestBatch sent = attempt.sent();
    if (controls.contains(sent)) {
      controls.failed(nowNanos);
      return null;
    }
    Suspicion before = attempt.suspicion();
    if (answers) {
      failuresInRow++;
      freeFailures = attempt.isLong() ? FREE_FAILURES : Refusals.SEVERAL_QUICK;
      // If others were accepted while this one was under way, the URL takes some events.
      freshFailuresInRow += before == null && acceptances == attempt.acceptancesBefore() ? 1 : 0;
      if (isPausing(nowNanos) && pauseUntilNanos - nowNanos <= 0) {
        pauseUntilNanos = nowNanos + pauses.nextNanos();
      }
      tell(attempt, where);
    }
    Evidence evidence =
        before == null || before.evidence().recoveriesBefore() != recoveries
            ? new Evidence(0, acceptances, attempt.acceptancesBefore(), recoveries)
            : before.evidence();
    int failures = before == null ? 0 : before.failures();
    boolean othersPassed = before != null && acceptances > before.evidence().acceptancesAtLast();
    if (sent.count() > 1 && IsolationRules.isDivided(attempt, answers, failures, othersPassed)) {
      divide(attempt, new Suspicion(0, answers, nowNanos, where.name(), evidence));
      return null;
    }
    if (answers && sent.count() == 1 && counts(evidence, attempt.previousPassed(), where)) {
      evidence = evidence.withFailure(acceptances);
      if (evidence.countedFailures() >= IsolationRules.failuresToGiveUp(attempt)) {
        return IsolationRules.reason(attempt, evidence, acceptances);
      }
    }
    boolean isOwn = answers && sent.count() == 1;
    int doublings =
        isOwn
            ? Math.min(IsolationRules.MOST_DOUBLINGS_OF_ONE, evidence.countedFailures())
            : failures;
    long next = nowNanos + rules.pauseNanos(attempt, answers, doublings, acceptances > 0);
    suspectedBatches.add(
        sent.suspected(new Suspicion(failures + 1, answers, next, where.name(), evidence)));
    return null;
  }

  private void divide(Attempt attempt, Suspicion none) {
    RequestBatch sent = attempt.sent();
    int parts = IsolationRules.parts(attempt);
    int from = 0;
    for (int i = 1; i <= parts; i++) {
      int to = (int) ((long) sent.count() * i / parts);
      suspectedBatches.add(sent.part(from, to).suspected(none));
      from = to;
    }
  }

  private boolean counts(Evidence evidence, boolean previousPassed, Endpoint where) {
    if (previousPassed
        && (evidence.countedFailures() == 0
            || acceptances - evidence.acceptancesAtLast() >= IsolationRules.OTHERS)) {
      return true;
    }
    return otherRequestsUnderWay == 0
        && where.takesOthers()
        && where.acceptancesAtLast() > evidence.acceptancesAtFirst()
        && acceptances - evidence.acceptancesAtFirst()
            >= IsolationRules.OTHERS * Math.max(1L, evidence.countedFailures());
  }

  private void tell(Attempt attempt, Endpoint where) {
    if (trouble.current() == null) {
      trouble.occurred(
          where.name()
              + " fails a request with events, and passes one without ("
              + attempt.answer().cause()
              + "): trying its events apart, others flow");
    }
  }

  /** Called when a request was accepted. */
  synchronized void accepted(Attempt attempt, Endpoint where, long nowNanos) {
    lastAcceptanceNanos = nowNanos;
    Suspicion before = attempt.suspicion();
    acceptances += controls.contains(attempt.sent()) ? IsolationRules.OTHERS : 1;
    where.took(acceptances);
    failuresInRow = 0;
    freshFailuresInRow = 0;
    pauses.reset();
    rests.reset();
    if (before != null && before.failures() > 0 && before.where().equals(where.name())) {
      recoveries++;
    }
  }

  /**
   * Returns the next suspected batch to try, or null if none is due; {@link #over} has to follow.
   *
   * @param previousPassed whether the connection accepted its previous request
   * @param where the connection's URL
   * @param fresh whether to return only a part of a failed request that has not failed itself yet
   */
  synchronized @Nullable RequestBatch take(
      long nowNanos, boolean previousPassed, Endpoint where, boolean fresh) {
    if (suspectedBatches.isEmpty()
        || isFull(nowNanos)
        || (isPausing(nowNanos) && pauseUntilNanos - nowNanos > 0)) {
      return null;
    }
    RequestBatch next =
        suspectedBatches.stream()
            .filter(batch -> !fresh || why(batch).failures() == 0)
            .filter(batch -> dueNanos(batch, previousPassed, where) - nowNanos <= 0)
            .min(Comparator.comparingInt(batch -> why(batch).failures()))
            .orElse(null);
    if (next != null) {
      suspectedBatches.remove(next);
      batchesUnderWay.add(next);
    }
    return next;
  }

  /**
   * Returns a control event, or null if none is due; {@link #over} has to follow. One is due if
   * events wait for others that they could be compared with, and none has been sent for a while.
   */
  synchronized @Nullable RequestBatch takeControl(long nowNanos) {
    return controlIdleNanos(nowNanos) > 0 ? null : controls.take(nowNanos);
  }

  private long controlIdleNanos(long nowNanos) {
    boolean wanted =
        (isPausing(nowNanos) || otherRequestsUnderWay == 0)
            && suspectedBatches.stream().anyMatch(batch -> why(batch).answered());
    return wanted ? controls.idleNanos(nowNanos, isPausing(nowNanos)) : Long.MAX_VALUE;
  }

  /**
   * Called when a request leaves; {@link #over} has to follow.
   *
   * @return how many requests were accepted so far
   */
  synchronized long sends(RequestBatch batch, long nowNanos) {
    if (batch.suspicion() == null) {
      otherRequestsUnderWay++;
      controls.sends(batch, nowNanos);
    }
    return acceptances;
  }

  /** Called when a request has ended and its outcome was reported. */
  synchronized void over(RequestBatch batch) {
    otherRequestsUnderWay -= batch.suspicion() == null ? 1 : 0;
    batchesUnderWay.remove(batch);
    controls.over(batch);
    recoverIfNoneIsLeft();
  }

  /** Returns the time in nanoseconds until a suspected batch or a control event is due. */
  synchronized long idleNanos(long nowNanos, boolean previousPassed, Endpoint where) {
    long control = controlIdleNanos(nowNanos);
    if (suspectedBatches.isEmpty() || isFull(nowNanos)) {
      return control;
    }
    long idle = Long.MAX_VALUE;
    for (RequestBatch batch : suspectedBatches) {
      idle = Math.min(idle, dueNanos(batch, previousPassed, where) - nowNanos);
    }
    idle = isPausing(nowNanos) ? Math.max(idle, pauseUntilNanos - nowNanos) : idle;
    return Math.max(0, Math.min(control, idle));
  }

  private boolean isPausing(long nowNanos) {
    boolean acceptedLately =
        acceptances > 0 && nowNanos - lastAcceptanceNanos < Refusals.LATELY_NANOS;
    return failuresInRow > freeFailures && freshFailuresInRow > 0 && !acceptedLately;
  }

  private boolean isFull(long nowNanos) {
    return batchesUnderWay.size() >= (isPausing(nowNanos) ? 1 : mostUnderWay);
  }

  private long dueNanos(RequestBatch batch, boolean previousPassed, Endpoint where) {
    Suspicion why = why(batch);
    boolean waits = why.answered() && why.failures() > 1 && batch.count() == 1;
    return why.notBeforeNanos()
        + (waits && !counts(why.evidence(), previousPassed, where) ? PATIENCE_NANOS : 0);
  }

  /** Returns why a batch was suspected; each batch that waits or is tried here was. */
  private static Suspicion why(RequestBatch batch) {
    return Objects.requireNonNull(batch.suspicion());
  }

  /** Forgets the batches whose delivery requests were all accepted or withdrawn. */
  synchronized void dropWithdrawn() {
    if (suspectedBatches.removeIf(RequestBatch::isOver)) {
      recoverIfNoneIsLeft();
    }
  }

  /**
   * Forgets all batches. If nothing was accepted, the sink becomes unavailable for a while, so that
   * other bridges can try.
   */
  synchronized void clear(long nowNanos) {
    suspectedBatches.clear();
    if (acceptsNothing()) {
      resting = true;
      restUntilNanos = nowNanos + rests.nextNanos();
      freshFailuresInRow = 0;
    }
    recoverIfNoneIsLeft();
  }

  private void recoverIfNoneIsLeft() {
    if (isolated() == 0) {
      trouble.recovered();
    }
  }

  synchronized boolean isResting(long nowNanos) {
    resting = resting && restUntilNanos - nowNanos > 0;
    return resting;
  }

  /**
   * Whether at least {@link Refusals#SEVERAL} different requests in a row failed at working URLs.
   */
  synchronized boolean acceptsNothing() {
    return freshFailuresInRow >= Refusals.SEVERAL;
  }

  /**
   * Returns the number of events that are sent in separate requests, because requests with them
   * failed though the URL works.
   */
  synchronized int isolated() {
    return Stream.concat(suspectedBatches.stream(), batchesUnderWay.stream())
        .filter(batch -> why(batch).answered())
        .mapToInt(RequestBatch::count)
        .sum();
  }

  /**
   * Returns one line about the events that are sent in separate requests; null if there are none.
   */
  @Nullable String current() {
    return trouble.current();
  }
}
