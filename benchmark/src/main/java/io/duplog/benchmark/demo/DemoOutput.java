package io.duplog.benchmark.demo;

import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.rig.LogTail;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Prints the demo's progress, and at the end the table that compares sent and delivered messages.
 * Not thread-safe.
 */
final class DemoOutput {
  private static final String PROGRESS_FORMAT = "%6s %12s %12s %14s %12s%n";

  private final PrintWriter out;
  private final List<String> notes = new ArrayList<>();
  private long beginNanos;

  DemoOutput(PrintWriter out) {
    this.out = out;
  }

  void step(String line) {
    out.println("  " + line);
  }

  void beginProgress() {
    beginNanos = System.nanoTime();
    out.println();
    out.printf(PROGRESS_FORMAT, "time", "sent", "copies", "in queues", "delivered");
  }

  /**
   * Prints a line of the progress table.
   *
   * @param batches number of batches in the queues, each of several messages
   */
  void progress(long sent, long copies, long batches, long delivered) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNanos);
    out.printf(
        PROGRESS_FORMAT,
        seconds + " s",
        format(sent),
        format(copies),
        format(batches) + " batches",
        format(delivered));
  }

  /** Adds a remark to the list that {@link #table} prints below the result. */
  void note(String line) {
    notes.add(line);
  }

  void table(Reconciliation result, List<Long> copiesOfEach, List<Long> deliveredOfEach) {
    out.println();
    out.println("reconciliation, message by message and count by count");
    row("unique messages sent", result.sent());
    for (int i = 0; i < copiesOfEach.size(); i++) {
      row("  copies to stream " + (i + 1), copiesOfEach.get(i));
    }
    row("  copies withheld", copiesOfEach.size() * result.sent() - result.copies());
    row("messages delivered", result.delivered());
    for (int i = 0; deliveredOfEach.size() > 1 && i < deliveredOfEach.size(); i++) {
      row("  by bridge " + (i + 1), deliveredOfEach.get(i));
    }
    row("copies dropped as duplicates", result.copies() - result.delivered());
    row("lost", result.lost());
    row("duplicated", result.duplicated());
    row("corrupted (lines that were never sent)", result.corrupted());
    notes.forEach(note -> out.println("  " + note));
    out.println();
  }

  /** Prints the ends of the programs' logs, which may explain why the result is not exact. */
  void printLogEnds(List<Path> logs) {
    for (Path log : logs) {
      String tail = LogTail.of(log);
      if (!tail.isEmpty()) {
        out.println(log + " ends:");
        out.println(tail);
      }
    }
    out.println();
  }

  /** Prints the last line of the output. Scripts read it, so its format must not change. */
  void verdict(Reconciliation result) {
    out.println(
        "demo: sent=%d copies=%d delivered=%d lost=%d duplicated=%d"
            .formatted(
                result.sent(),
                result.copies(),
                result.delivered(),
                result.lost(),
                result.duplicated()));
  }

  private void row(String label, long count) {
    out.printf("  %-36s %14s%n", label, format(count));
  }

  private static String format(long value) {
    return "%,d".formatted(value);
  }
}
