package io.duplog.benchmark.report;

import java.time.Duration;

/**
 * Delays of deliveries.
 *
 * @param longestGap longest time without any delivery while messages were being sent
 * @param longest longest time from sending a message until it was in the sink
 * @param late number of messages that took longer than the fault allows
 * @param sender longest delay of the sender behind its schedule, which is the machine's doing
 */
public record Delays(Duration longestGap, Duration longest, long late, Duration sender) {}
