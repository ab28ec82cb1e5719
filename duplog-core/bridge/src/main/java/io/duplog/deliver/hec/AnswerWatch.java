package io.duplog.deliver.hec;

import io.duplog.config.Durations;
import io.duplog.observe.Trouble;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns if a collector's URL has not answered any request for a while, before the request times
 * out. A firewall may drop the packets. Thread-safe.
 */
final class AnswerWatch {
  private static final Logger log = LoggerFactory.getLogger(AnswerWatch.class);

  /** Divisor of {@code request-timeout} that gives the silence after which a warning is shown. */
  private static final int WARNING_DIVISOR = 2;

  private final String urlName;
  private final Duration requestTimeout;
  private final LongSupplier nanoClock;
  private final Trouble silence;

  /** Requests of any kind that have no answer yet. */
  private int openRequests;

  /** Start of the current silence, during which requests waited and none was answered. */
  private long silentSinceNanos;

  /** Whether the latest finished request had no answer, so that the silence continues. */
  private boolean isSilent;

  /**
   * @param urlName the URL's name for log lines
   */
  AnswerWatch(String urlName, Duration requestTimeout, HecEnvironment environment) {
    this.urlName = urlName;
    this.requestTimeout = requestTimeout;
    this.nanoClock = environment.nanoClock();
    this.silence = environment.trouble(log, urlName + " without answers");
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
      silence.recovered();
    }
  }

  /** Opens the warning once requests have waited too long. The next answer closes it. */
  synchronized void watch() {
    long nanos = nanoClock.getAsLong() - silentSinceNanos;
    if (openRequests > 0 && nanos >= requestTimeout.dividedBy(WARNING_DIVISOR).toNanos()) {
      silence.update(
          "%s has answered nothing for %d s. Requests wait up to %s and are then resent. Check the"
                  .formatted(
                      urlName,
                      TimeUnit.NANOSECONDS.toSeconds(nanos),
                      Durations.inWords(requestTimeout))
              + " collector, and any firewall and route in between.");
    }
  }
}
