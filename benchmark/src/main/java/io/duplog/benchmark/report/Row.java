package io.duplog.benchmark.report;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.measure.Reconciliation;
import java.util.List;

/**
 * One fault, and what became of every message.
 *
 * @param allowedDuplicates the bound, stated before the fault
 * @param load the machine's load average in the end
 * @param errors what kept the harness from doing its work; then the row has failed
 * @param notes what a reader should know
 */
public record Row(
    Fault fault,
    long allowedDuplicates,
    Reconciliation counts,
    Delays delays,
    Course course,
    double load,
    List<String> errors,
    List<String> notes) {

  public Row {
    errors = List.copyOf(errors);
    notes = List.copyOf(notes);
  }

  /** Whether nothing is altered or late, and no more lost or doubled than the fault licenses. */
  public boolean hasPassed() {
    return errors.isEmpty()
        && counts.lost() <= fault.limits().lost()
        && counts.corrupted() == 0
        && counts.duplicated() <= allowedDuplicates
        && delays.late() == 0;
  }

  /** Whether the stream stood still for longer than promised: a matter of the machine, too. */
  public boolean hasStalled() {
    return delays.longestGap().compareTo(fault.limits().gap()) > 0;
  }

  /** In one word. */
  public String verdict() {
    if (!hasPassed()) {
      return "FAILED";
    }
    return hasStalled() ? "stalled" : "passed";
  }
}
