package io.duplog.deliver.hec;

import io.duplog.config.Durations;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Warns if a collector's URL has not answered any request for a while, before the request times
 * out. A firewall may drop the packets. Thread-safe.
 */
final class AnswerWatch {
  /** Divisor of {@code request-timeout} that gives the silence after which a warning is shown. */
  private static final int WARNING_DIVISOR = 2;

  private final String urlName;
  private final Duration requestTimeout;
  private final LongSupplier nanoClock;

  /** Requests of any kind that have no answer yet. */
  private int openRequests;

  /** Start of the current silence, during which requests waited and none was answered. */
  private long silentSinceNanos;

  /** Whether the latest finished request had no answer, so that the silence continues. */
  private boolean isSilent;

  /**
   * @param urlName the URL's name for log lines
   */
  AnswerWatch(String urlName, Duration requestTimeout, LongSupplier nanoClock) {
    this.urlName = urlName;
    this.requestTimeout = requestTimeout;
    this.nanoClock = nanoClock;
  }

  /** Called before a request of any kind is sent; {@link #onEnd} must follow. */
  synchronized void onSend() {
    if (openRequests++ == 0 && !isSilent) {
      silentSinceNanos = nanoClock.getAsLong();
    }
  }

  /**
   * Called when a request has ended.
   *
   * @param isAnswered whether there was an answer, even one that reports a failure
   */
  synchronized void onEnd(boolean isAnswered) {
    openRequests--;
    isSilent = !isAnswered;
    if (isAnswered) {
      silentSinceNanos = nanoClock.getAsLong();
    }
  }

  /** Returns a line for operators, or null if the URL answers or nothing is being sent to it. */
  synchronized @Nullable String warning() {
    long nanos = nanoClock.getAsLong() - silentSinceNanos;
    return openRequests > 0 && nanos >= requestTimeout.dividedBy(WARNING_DIVISOR).toNanos()
        ? "%s has answered nothing for %d s. Requests wait up to %s and are then resent. Check the"
                .formatted(
                    urlName,
                    TimeUnit.NANOSECONDS.toSeconds(nanos),
                    Durations.inWords(requestTimeout))
            + " collector, and any firewall and route in between."
        : null;
  }
}
