package io.duplog.benchmark.report;

import java.time.Duration;

/**
 * How long deliveries took.
 *
 * @param longestGap the longest time without any delivery while messages were being sent
 * @param longest from the time at which a message was sent until it was in the sink
 * @param late how many messages took longer than {@link #LATE}
 */
public record Delays(Duration longestGap, Duration longest, long late) {
  /** The longest pause that is promised for any fault. */
  public static final Duration LATE = Duration.ofSeconds(15);
}
