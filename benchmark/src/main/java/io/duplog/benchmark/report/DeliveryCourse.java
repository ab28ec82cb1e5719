package io.duplog.benchmark.report;

import java.time.Duration;
import java.util.List;

/**
 * Number of messages that were delivered in each short interval of a trial.
 *
 * @param delivered one number for each interval, from the trial's beginning on
 * @param interval length of each interval
 * @param faultBegan time from the trial's beginning to the fault
 * @param faultEnded time from the trial's beginning until everything was repaired
 */
public record DeliveryCourse(
    List<Integer> delivered, Duration interval, Duration faultBegan, Duration faultEnded) {}
