package io.duplog.benchmark.report;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.measure.Reconciliation;
import java.util.List;

/**
 * The result of one chaos fault: lost, duplicated and late messages, and whether it passed.
 *
 * @param allowedDuplicates limit of the duplicates, stated before the fault was caused
 * @param load the machine's load average at the end
 * @param errors errors that kept the harness from working; with any error the fault has failed
 * @param notes remarks for a reader
 */
public record FaultResult(
    Fault fault,
    long allowedDuplicates,
    Reconciliation counts,
    Delays delays,
    DeliveryCourse course,
    double load,
    List<String> errors,
    List<String> notes) {

  public FaultResult {
    errors = List.copyOf(errors);
    notes = List.copyOf(notes);
  }

  /**
   * Whether there was no error, no message was altered or late, and the numbers of lost and
   * duplicated messages are within the fault's limits.
   */
  public boolean hasPassed() {
    return errors.isEmpty()
        && counts.lost() == 0
        && counts.corrupted() == 0
        && counts.duplicated() <= allowedDuplicates
        && delays.late() == 0;
  }

  /**
   * Returns the result in one word: {@code passed}, {@code stalled} or {@code FAILED}. A run has
   * stalled if the sink received no message for longer than the fault's limit. That also depends on
   * the machine.
   */
  public String verdict() {
    if (!hasPassed()) {
      return "FAILED";
    }
    return delays.longestGap().compareTo(fault.limits().gap()) > 0 ? "stalled" : "passed";
  }
}
