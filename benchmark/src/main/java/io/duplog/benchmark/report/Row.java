package io.duplog.benchmark.report;

import com.fasterxml.jackson.annotation.JsonValue;
import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.measure.Reconciliation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One fault, and what became of every message.
 *
 * @param allowedDuplicates the bound, stated before the fault
 * @param bridgeBytes the most memory that a bridge had, resident
 * @param shimBytes the same of a shim
 * @param seconds that the row took
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
    long bridgeBytes,
    long shimBytes,
    double seconds,
    double load,
    List<String> errors,
    List<String> notes) {
  public Row {
    errors = List.copyOf(errors);
    notes = List.copyOf(notes);
  }

  /** Whether nothing is lost or altered, and no more doubled than the fault licenses. */
  public boolean hasPassed() {
    return errors.isEmpty()
        && counts.lost() == 0
        && counts.corrupted() == 0
        && counts.duplicated() <= allowedDuplicates;
  }

  /** Whether the stream stood still for longer than promised: a matter of the machine, too. */
  public boolean hasStalled() {
    return delays.longestGap().compareTo(fault.gapLimit()) > 0;
  }

  /** In one word. */
  public String verdict() {
    if (!hasPassed()) {
      return "FAILED";
    }
    return hasStalled() ? "stalled" : "passed";
  }

  /** For programs. */
  @JsonValue
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("fault", fault.name());
    json.put("what", fault.what());
    json.put("sent", counts.sent());
    json.put("copies", counts.copies());
    json.put("delivered", counts.delivered());
    json.put("lost", counts.lost());
    json.put("duplicated", counts.duplicated());
    json.put("allowed_duplicates", allowedDuplicates);
    json.put("allowed_because", fault.duplicates().cause());
    json.put("corrupted", counts.corrupted());
    json.put("late", delays.late());
    json.put("longest_delay_ms", delays.longest().toMillis());
    json.put("longest_gap_ms", delays.longestGap().toMillis());
    json.put("gap_limit_ms", fault.gapLimit().toMillis());
    json.put("watch_pause_ms", delays.watchPause().toMillis());
    json.put("bridge_peak_rss", bridgeBytes);
    json.put("shim_peak_rss", shimBytes);
    json.put("seconds", seconds);
    json.put("load_average", load);
    json.put("passed", hasPassed());
    json.put("stalled", hasStalled());
    json.put("errors", errors);
    json.put("notes", notes);
    return json;
  }
}
