package io.duplog.benchmark.report;

import java.time.Duration;

/**
 * How long deliveries took.
 *
 * @param longestGap the longest time without any delivery while messages were being sent
 * @param longest from the time at which a message was sent until it was in the sink
 * @param late how many messages took longer than they may
 */
public record Delays(Duration longestGap, Duration longest, long late) {}
