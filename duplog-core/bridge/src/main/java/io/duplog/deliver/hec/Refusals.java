package io.duplog.deliver.hec;

import io.duplog.observe.Backoff;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts requests with events that a URL failed in a row although it passed one without. The events
 * may be at fault, so the URL stays in use, but after several such requests it gets one at a time.
 * Guarded by its endpoint's lock, except for {@link #isNone} and {@link #trouble}.
 */
final class Refusals {
  /**
   * If this many different requests fail in a row, the collector may be at fault, not the events.
   */
  static final int SEVERAL = 3;

  /**
   * Like {@link #SEVERAL}, for failures within less than a second. They cost little, and in a flood
   * of poison events the good ones are found within seconds.
   */
  static final int SEVERAL_QUICK = 40;

  /** Time in nanoseconds after an accepted request in which failures are blamed on the events. */
  static final long LATELY_NANOS = 2_000_000_000L;

  /**
   * Longest pause between requests, and so the longest wait after each of several poison events.
   */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(Refusals.class);

  private final String url;
  private final Backoff pauses;
  private final RecurringWarning warning;

  private volatile int inRow;
  private int limit = SEVERAL;
  private long pauseUntilNanos;
  private @Nullable Long acceptedNanos;

  /**
   * @param url the URL's name for log lines
   */
  Refusals(String url, HecSinkConfig config, HecEnvironment environment) {
    this.url = url;
    Duration longest = config.retryMax();
    boolean brief = longest.compareTo(LONGEST_PAUSE) < 0;
    this.pauses = environment.backoff(config.retryMin(), brief ? longest : LONGEST_PAUSE);
    LongSupplier nanoClock = environment.nanoClock();
    this.warning = new RecurringWarning(log, url + " with events", nanoClock);
  }

  /** Whether no failure has been counted since the URL last accepted a request with events. */
  boolean isNone() {
    return inRow == 0;
  }

  /** Whether so many failures were counted that the URL gets only one request at a time. */
  boolean areMany() {
    return inRow >= limit;
  }

  /** Returns the time in nanoseconds until a request may leave; 0 or less if it may leave now. */
  long waitNanos(long nowNanos) {
    return areMany() ? pauseUntilNanos - nowNanos : 0;
  }

  /** Called when a request with events is sent. */
  void sends(long nowNanos) {
    if (areMany()) {
      pauseUntilNanos = nowNanos + pauses.nextNanos();
    }
  }

  /**
   * Counts a failed request, unless others were accepted since it left or up to two seconds before.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // guarded by the endpoint
  void add(Attempt attempt, long nowNanos) {
    if (hasAcceptedLately(nowNanos - attempt.tookNanos())) {
      return;
    }
    inRow++;
    limit = attempt.isLong() ? SEVERAL : SEVERAL_QUICK;
    if (areMany()) {
      pauseUntilNanos = nowNanos + pauses.nextNanos();
      warning.occurred(
          url
              + " "
              + attempt.answer().cause()
              + " to several requests with events, though it passes one without: it gets one"
              + " at a time, nothing is dropped");
    }
  }

  /** Called when the URL accepts a request with events; ends the series of failures. */
  void end(long nowNanos) {
    inRow = 0;
    acceptedNanos = nowNanos;
    pauses.reset();
    warning.recovered();
  }

  /**
   * Whether a request with events was accepted after the given time, or up to two seconds before
   * it.
   */
  boolean hasAcceptedLately(long nanos) {
    return acceptedNanos != null && nanos - acceptedNanos < LATELY_NANOS;
  }

  /** Returns the current warning for operators; null if there is none. */
  @Nullable String trouble() {
    return warning.current();
  }
}
