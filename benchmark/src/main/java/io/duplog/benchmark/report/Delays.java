package io.duplog.benchmark.report;

import java.time.Duration;

/**
 * How long deliveries took.
 *
 * @param longestGap the longest time without any delivery while messages were being sent
 * @param longest from the time at which a message was sent until it was in the sink
 * @param late how many messages took longer than {@link #LATE}
 * @param watchPause the longest that the measurement itself was not scheduled: how far to trust the
 *     machine
 */
public record Delays(Duration longestGap, Duration longest, long late, Duration watchPause) {
  /** The longest pause that is promised for any fault. */
  public static final Duration LATE = Duration.ofSeconds(15);
}
