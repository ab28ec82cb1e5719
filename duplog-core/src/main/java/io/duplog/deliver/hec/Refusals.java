package io.duplog.deliver.hec;

import io.duplog.observe.Backoff;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests with events that a URL failed although it passed one without events. The events may be
 * at fault, so the URL stays in use; after several such requests in a row it gets one at a time.
 * Guarded by its endpoint, except for {@link #isNone} and {@link #trouble}.
 */
final class Refusals {
  /** So many different requests that fail in a row say something about the collector. */
  static final int SEVERAL = 3;

  /**
   * The same for failures below a second. They cost little, and in a flood of poison events the
   * others among them are found within seconds.
   */
  static final int SEVERAL_QUICK = 40;

  /** For this long after a request was accepted, a failure is taken for the events' own. */
  static final long LATELY_NANOS = 2_000_000_000L;

  /** The longest that messages wait behind several poison events that came together. */
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
   * @param url as lines of the log name it
   */
  Refusals(String url, HecSinkConfig config, HecEnvironment environment) {
    this.url = url;
    Duration longest = config.retryMax();
    boolean brief = longest.compareTo(LONGEST_PAUSE) < 0;
    this.pauses = environment.backoff(config.retryMin(), brief ? longest : LONGEST_PAUSE);
    LongSupplier nanoClock = environment.nanoClock();
    this.warning = new RecurringWarning(log, url + " with events", nanoClock);
  }

  /** Whether the URL accepted the last request with events, or has not had one. */
  boolean isNone() {
    return inRow == 0;
  }

  /** Whether the URL gets one request at a time. */
  boolean areMany() {
    return inRow >= limit;
  }

  /** How long nothing may leave; 0 or less if something may. */
  long waitNanos(long nowNanos) {
    return areMany() ? pauseUntilNanos - nowNanos : 0;
  }

  /** Called when a request with events leaves. */
  void sends(long nowNanos) {
    if (areMany()) {
      pauseUntilNanos = nowNanos + pauses.nextNanos();
    }
  }

  /** Counts a request, unless others were accepted since it left or shortly before. */
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

  /** Called when the URL accepts a request with events. */
  void end(long nowNanos) {
    inRow = 0;
    acceptedNanos = nowNanos;
    pauses.reset();
    warning.recovered();
  }

  /** Whether a request with events was accepted after the given time, or shortly before. */
  boolean hasAcceptedLately(long nanos) {
    return acceptedNanos != null && nanos - acceptedNanos < LATELY_NANOS;
  }

  /** The warning for operators; null if the URL accepts events, as far as is known. */
  @Nullable String trouble() {
    return warning.current();
  }
}
