package io.duplog.benchmark.report;

import java.time.Duration;
import java.util.List;

/**
 * The number of messages that arrived in each short interval of a chaos run, for the chart of its
 * report.
 *
 * @param delivered number of messages for each interval, from the start of the run
 * @param interval length of each interval
 * @param faultBegan time from the start of the run to the fault
 * @param faultEnded time from the start of the run to the end of the repair
 */
public record DeliveryCourse(
    List<Integer> delivered, Duration interval, Duration faultBegan, Duration faultEnded) {}
