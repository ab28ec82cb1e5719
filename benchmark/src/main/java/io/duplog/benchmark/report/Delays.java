package io.duplog.benchmark.report;

import java.time.Duration;

/**
 * The greatest delays of messages during one chaos fault, and the longest pause in delivery.
 *
 * @param longestGap longest time without any delivery while messages were being sent
 * @param longest longest time from the sending of a message until it was in the sink
 * @param late number of messages that took longer than the fault allows
 * @param sender maximum delay of the sender relative to its schedule, caused by the machine's load
 */
public record Delays(Duration longestGap, Duration longest, long late, Duration sender) {}
