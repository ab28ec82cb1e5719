package io.duplog.benchmark.report;

import java.time.Duration;
import java.util.List;

/**
 * How many messages were delivered in each short interval of a run.
 *
 * @param delivered one entry an interval, from the first message on
 * @param interval how long each is
 * @param faultBegan from the first message on
 * @param faultEnded when all was repaired
 */
public record Course(
    List<Integer> delivered, Duration interval, Duration faultBegan, Duration faultEnded) {
  public Course {
    delivered = List.copyOf(delivered);
  }
}
