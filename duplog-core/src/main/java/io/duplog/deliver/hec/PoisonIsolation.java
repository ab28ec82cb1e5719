package io.duplog.deliver.hec;

import io.duplog.deliver.hec.RequestBatch.Evidence;
import io.duplog.deliver.hec.RequestBatch.Suspicion;
import io.duplog.observe.Backoff;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a request that failed, whatever the way: a poison event may be in it, whose text
 * a firewall in between dislikes, or that Splunk chokes on. It must neither hold up the others nor
 * be tried for ever, and no event may be given up because Splunk was busy or a token wrong. So it
 * is tried apart, after growing pauses, and halved, so that the innocent part arrives.
 *
 * <p>A single event goes to the dead letters when it was tried alone and failed several times while
 * the URL answered a request without events. A failure counts only on a connection that took the
 * request before, and when others were accepted since the one that counted last. All of them are
 * forgotten when a URL takes what it had refused before: it is shedding batch, or flapping, and the
 * failures say nothing about the text.
 *
 * <p>The settle rule makes later batches wait for the poison's, so that a full prefetch may leave
 * nothing to compare it with. Where no other request is under way, and the URL took the last one,
 * those count that were accepted since it failed first, as many for each failure. So a collector
 * that becomes busy at night costs no event: what fails first while it is busy has nothing to its
 * disadvantage, and what failed before has failed again after all of those had passed.
 *
 * <p>Nothing else may be there at all: a flood of poisons fills the prefetch, or it is night. After
 * a while without others, or many failures in a row, a {@linkplain ControlEvents control event}
 * takes their place, and stands for as many as have to be accepted for a failure. Where it is
 * refused too, nothing is held against the events.
 *
 * <p>While nothing at all is accepted, one request at a time is tried, after growing pauses: a busy
 * collector sees no storm. Safe for any thread; everything is guarded by this. What is given up is
 * told outside of it.
 */
final class PoisonIsolation {
  private static final Logger log = LoggerFactory.getLogger(PoisonIsolation.class);

  /** How many failures in a row cause no pause for all, if they take long. */
  private static final int FREE_FAILURES = 4;

  /** How much longer an event is not tried again while its failure could not count. */
  private static final long PATIENCE_NANOS = 5_000_000_000L;

  private static final int RESTS_OVER_PAUSES = 30;

  private final IsolationRules rules;

  /** How many requests may be tried at one time, so that those that hang leave room. */
  private final int mostTried;

  /** Of all, while nothing is accepted. */
  private final Backoff pauses;

  /** Of the sink, when it was given up because nothing was accepted. */
  private final Backoff rests;

  private final RecurringWarning trouble;
  private final ControlEvents controls;

  private final List<RequestBatch> waiting = new ArrayList<>();
  private final List<RequestBatch> tried = new ArrayList<>();
  private long accepted;

  /** When the last one was. */
  private long acceptedNanos;

  private long recovered;
  private int failedInRow;

  /** Of those, the ones that nothing was held against. */
  private int differentInRow;

  private int freeFailures = FREE_FAILURES;

  /** Requests under way that nothing is held against. */
  private int othersUnderWay;

  private long pauseUntilNanos;
  private boolean resting;
  private long restUntilNanos;

  PoisonIsolation(HecSinkConfig config, HecEnvironment environment) {
    Duration longest = config.retryMax();
    this.rules = new IsolationRules(config.retryMin().toNanos(), longest.toNanos());
    this.mostTried = Math.max(1, config.urls().size() * config.requestsPerUrl() / 2);
    this.pauses = environment.backoff(config.retryMin(), longest);
    this.rests = environment.backoff(longest, longest.multipliedBy(RESTS_OVER_PAUSES));
    this.trouble = new RecurringWarning(log, "sink hec isolation", environment.nanoClock());
    this.controls = new ControlEvents(environment.wallMillis());
  }

  /**
   * A request failed.
   *
   * @param where the URL
   * @param answers whether the URL answers a request without events as it should, or took events a
   *     moment ago
   */
  void failed(Attempt attempt, Endpoint where, boolean answers, long nowNanos) {
    String reason = judge(attempt, where, answers, nowNanos);
    if (reason != null) {
      attempt.sent().forEach((completion, message) -> completion.refused(message, reason));
    }
  }

  /**
   * @return why its only event is given up; null where it is not
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
      failedInRow++;
      freeFailures = attempt.isLong() ? FREE_FAILURES : Refusals.SEVERAL_QUICK;
      // One that hung while others passed says nothing about these.
      differentInRow += before == null && accepted == attempt.acceptedBefore() ? 1 : 0;
      if (isPausing(nowNanos) && pauseUntilNanos - nowNanos <= 0) {
        pauseUntilNanos = nowNanos + pauses.nextNanos();
      }
      tell(attempt, where);
    }
    Evidence evidence =
        before == null || before.evidence().recoveredBefore() != recovered
            ? new Evidence(0, accepted, attempt.acceptedBefore(), recovered)
            : before.evidence();
    int failures = before == null ? 0 : before.failures();
    boolean othersPassed = before != null && accepted > before.evidence().acceptedBefore();
    if (sent.count() > 1 && IsolationRules.isDivided(attempt, answers, failures, othersPassed)) {
      divide(attempt, new Suspicion(0, answers, nowNanos, where.name(), evidence));
      return null;
    }
    if (answers && sent.count() == 1 && counts(evidence, attempt.proven(), where)) {
      evidence = evidence.counted(accepted);
      if (evidence.counted() >= IsolationRules.failuresToGiveUp(attempt)) {
        return IsolationRules.reason(attempt, evidence, accepted);
      }
    }
    boolean isOwn = answers && sent.count() == 1;
    int doublings =
        isOwn ? Math.min(IsolationRules.MOST_DOUBLINGS_OF_ONE, evidence.counted()) : failures;
    long next = nowNanos + rules.pauseNanos(attempt, answers, doublings, accepted > 0);
    waiting.add(sent.suspected(new Suspicion(failures + 1, answers, next, where.name(), evidence)));
    return null;
  }

  private void divide(Attempt attempt, Suspicion none) {
    RequestBatch sent = attempt.sent();
    int parts = IsolationRules.parts(attempt);
    int from = 0;
    for (int i = 1; i <= parts; i++) {
      int to = (int) ((long) sent.count() * i / parts);
      waiting.add(sent.part(from, to).suspected(none));
      from = to;
    }
  }

  private boolean counts(Evidence evidence, boolean proven, Endpoint where) {
    if (proven
        && (evidence.counted() == 0
            || accepted - evidence.acceptedBefore() >= IsolationRules.OTHERS)) {
      return true;
    }
    return othersUnderWay == 0
        && where.takesOthers()
        && accepted - evidence.acceptedAtFirst()
            >= IsolationRules.OTHERS * Math.max(1L, evidence.counted());
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

  /** A request was accepted. */
  synchronized void accepted(Attempt attempt, Endpoint where, long nowNanos) {
    acceptedNanos = nowNanos;
    Suspicion before = attempt.suspicion();
    accepted += controls.contains(attempt.sent()) ? IsolationRules.OTHERS : 1;
    failedInRow = 0;
    differentInRow = 0;
    pauses.reset();
    rests.reset();
    if (before != null && before.failures() > 0 && before.where().equals(where.name())) {
      recovered++;
    }
  }

  /**
   * The next one to try, if one is due; {@link #over} has to follow.
   *
   * @param proven whether the connection has accepted the request before
   * @param where its URL
   * @param fresh only what has not failed by itself: a part of what did
   */
  synchronized @Nullable RequestBatch take(
      long nowNanos, boolean proven, Endpoint where, boolean fresh) {
    if (waiting.isEmpty()
        || isFull(nowNanos)
        || (isPausing(nowNanos) && pauseUntilNanos - nowNanos > 0)) {
      return null;
    }
    RequestBatch next =
        waiting.stream()
            .filter(batch -> !fresh || failures(batch) == 0)
            .filter(batch -> dueNanos(batch, proven, where) - nowNanos <= 0)
            .min(Comparator.comparingInt(PoisonIsolation::failures))
            .orElse(null);
    if (next != null) {
      waiting.remove(next);
      tried.add(next);
    }
    return next;
  }

  /**
   * A control event, if one is due; {@link #over} has to follow. One is where events wait for
   * others that they could be compared with, and none has been sent for a while.
   */
  synchronized @Nullable RequestBatch takeControl(long nowNanos) {
    return controlIdleNanos(nowNanos) > 0 ? null : controls.take(nowNanos);
  }

  private long controlIdleNanos(long nowNanos) {
    boolean wanted =
        (isPausing(nowNanos) || othersUnderWay == 0)
            && waiting.stream().anyMatch(PoisonIsolation::isAnswered);
    return wanted ? controls.idleNanos(nowNanos, isPausing(nowNanos)) : Long.MAX_VALUE;
  }

  /**
   * A request leaves; {@link #over} has to follow.
   *
   * @return how many were accepted so far
   */
  synchronized long sends(RequestBatch batch, long nowNanos) {
    if (batch.suspicion() == null) {
      othersUnderWay++;
      controls.sends(batch, nowNanos);
    }
    return accepted;
  }

  /** What was sent was tried, and its outcome told. */
  synchronized void over(RequestBatch batch) {
    othersUnderWay -= batch.suspicion() == null ? 1 : 0;
    tried.remove(batch);
    controls.over(batch);
    if (isolated() == 0) {
      trouble.recovered();
    }
  }

  /** How long none is due, if nothing happens. */
  synchronized long idleNanos(long nowNanos, boolean proven, Endpoint where) {
    long control = controlIdleNanos(nowNanos);
    if (waiting.isEmpty() || isFull(nowNanos)) {
      return control;
    }
    long idle = Long.MAX_VALUE;
    for (RequestBatch batch : waiting) {
      idle = Math.min(idle, dueNanos(batch, proven, where) - nowNanos);
    }
    idle = isPausing(nowNanos) ? Math.max(idle, pauseUntilNanos - nowNanos) : idle;
    return Math.max(0, Math.min(control, idle));
  }

  private boolean isPausing(long nowNanos) {
    boolean acceptedLately = accepted > 0 && nowNanos - acceptedNanos < Refusals.LATELY_NANOS;
    return failedInRow > freeFailures && differentInRow > 0 && !acceptedLately;
  }

  private boolean isFull(long nowNanos) {
    return tried.size() >= (isPausing(nowNanos) ? 1 : mostTried);
  }

  private long dueNanos(RequestBatch batch, boolean proven, Endpoint where) {
    Suspicion why = batch.suspicion();
    if (why == null) {
      return 0;
    }
    boolean waits = why.answered() && why.failures() > 1 && batch.count() == 1;
    return why.notBeforeNanos()
        + (waits && !counts(why.evidence(), proven, where) ? PATIENCE_NANOS : 0);
  }

  private static boolean isAnswered(RequestBatch batch) {
    return batch.suspicion() != null && batch.suspicion().answered();
  }

  private static int failures(RequestBatch batch) {
    Suspicion why = batch.suspicion();
    return why == null ? 0 : why.failures();
  }

  /** Forgets those that nobody waits for any more. */
  synchronized void dropWithdrawn() {
    if (!waiting.isEmpty() && waiting.removeIf(RequestBatch::isOver) && isolated() == 0) {
      trouble.recovered();
    }
  }

  /** Forgets all. A sink that accepted nothing then rests for a while, so that others can try. */
  synchronized void clear(long nowNanos) {
    waiting.clear();
    if (acceptsNothing()) {
      resting = true;
      restUntilNanos = nowNanos + rests.nextNanos();
      differentInRow = 0;
    }
    if (isolated() == 0) {
      trouble.recovered();
    }
  }

  synchronized boolean isResting(long nowNanos) {
    resting = resting && restUntilNanos - nowNanos > 0;
    return resting;
  }

  /** Whether none of several different requests was accepted, although URLs answer. */
  synchronized boolean acceptsNothing() {
    return differentInRow >= Refusals.SEVERAL;
  }

  /** How many events are tried apart since a URL failed them while it answered. */
  synchronized int isolated() {
    return Stream.concat(waiting.stream(), tried.stream())
        .filter(PoisonIsolation::isAnswered)
        .mapToInt(RequestBatch::count)
        .sum();
  }

  /** What is being isolated, in a line; null where nothing is. */
  @Nullable String current() {
    return trouble.current();
  }
}
