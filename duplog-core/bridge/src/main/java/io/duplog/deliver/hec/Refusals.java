package io.duplog.deliver.hec;

import io.duplog.observe.Backoff;
import io.duplog.observe.Trouble;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how often a collector's URL has rejected events in a row, although it accepts empty
 * requests. The events may be the cause, so the URL stays in use. If several requests in a row are
 * rejected, the URL gets only one request at a time. Guarded by its endpoint's lock, except for
 * {@link #isEmpty}.
 */
final class Refusals {
  /**
   * Number of different failed requests in a row after which the collector, and not the events, may
   * be the cause.
   */
  static final int MAX_SLOW_FAILURES = 3;

  /**
   * Like {@link #MAX_SLOW_FAILURES}, for failures within less than a second. They cost little, and
   * in a flood of poison events the good ones are found within seconds.
   */
  static final int MAX_QUICK_FAILURES = 40;

  /** Time in nanoseconds after an accepted request in which failures are attributed to events. */
  static final long RECENT_NANOS = 2_000_000_000L;

  /** Maximum pause between requests, and so the maximum delay by each of several poison events. */
  private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(Refusals.class);

  private final String urlName;
  private final Backoff pauses;
  private final Trouble warning;

  private volatile int failuresInRow;
  private int maxFailures = MAX_SLOW_FAILURES;
  private long pauseUntilNanos;
  private @Nullable Long lastAcceptanceNanos;

  /**
   * @param urlName the URL's name for log lines
   */
  Refusals(String urlName, HecSinkConfig config, HecEnvironment environment) {
    this.urlName = urlName;
    Duration max = config.retryMax();
    boolean isShorter = max.compareTo(MAX_PAUSE) < 0;
    this.pauses = environment.backoff(config.retryMin(), isShorter ? max : MAX_PAUSE);
    this.warning = environment.trouble(log, urlName + " with events");
  }

  /** Whether no failure has been counted since the URL last accepted a request with events. */
  boolean isEmpty() {
    return failuresInRow == 0;
  }

  /** Whether so many failures were counted that the URL gets only one request at a time. */
  boolean areMany() {
    return failuresInRow >= maxFailures;
  }

  /** Returns the time in nanoseconds until a request may be sent; 0 or less means immediately. */
  long waitNanos(long nowNanos) {
    return areMany() ? pauseUntilNanos - nowNanos : 0;
  }

  /** Called when a request with events is sent. */
  void onSend(long nowNanos) {
    if (areMany()) {
      pauseUntilNanos = nowNanos + pauses.nextNanos();
    }
  }

  /**
   * Counts a failed request, unless another was accepted after this one was sent, or less than two
   * seconds before.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // guarded by the endpoint
  void add(Attempt attempt, long nowNanos) {
    if (hasAcceptedRecently(nowNanos - attempt.durationNanos())) {
      return;
    }
    failuresInRow++;
    maxFailures = attempt.isSlow() ? MAX_SLOW_FAILURES : MAX_QUICK_FAILURES;
    if (areMany()) {
      pauseUntilNanos = nowNanos + pauses.nextNanos();
      warning.occurred(
          urlName
              + " rejects requests with events but accepts empty ones ("
              + attempt.answer().cause()
              + "). Sending one request at a time; nothing is dropped. Check the collector's queues"
              + " and any firewall in between.");
    }
  }

  /** Called when the URL accepts a request with events; ends the series of failures. */
  void onAccepted(long nowNanos) {
    failuresInRow = 0;
    lastAcceptanceNanos = nowNanos;
    pauses.reset();
    warning.recovered();
  }

  /** Whether a request with events was accepted after the given time, or less than 2 s before. */
  boolean hasAcceptedRecently(long nanos) {
    return lastAcceptanceNanos != null && nanos - lastAcceptanceNanos < RECENT_NANOS;
  }
}
