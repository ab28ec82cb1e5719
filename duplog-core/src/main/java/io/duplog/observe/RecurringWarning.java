package io.duplog.observe;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs a failure that may last for a while, such as a broker that can't be reached. Its beginning
 * is one WARN, its repetitions are counted and logged at DEBUG, and its end is one INFO that says
 * how long it took. Safe for any thread.
 */
public final class RecurringWarning {
  private final Logger log;
  private final String name;
  private final LongSupplier nanoClock;
  private String kind = "";
  private @Nullable String current;
  private long sinceNanos;
  private long repeats;

  /**
   * @param name the subject, as the line of recovery calls it: {@code broker syslog-b}
   * @param nanoClock {@code System::nanoTime}, or a test's clock
   */
  public RecurringWarning(Logger log, String name, LongSupplier nanoClock) {
    this.log = log;
    this.name = name;
    this.nanoClock = nanoClock;
  }

  /**
   * Called when the subject, such as a broker, has failed, for the first time or again.
   *
   * @param line names the subject, the cause and what happens next
   */
  public void occurred(String line) {
    occurred(line, line);
  }

  /**
   * Called when the subject failed, with a line that may differ each time for the same failure.
   *
   * @param kind a text that is equal for failures to be logged once
   */
  public synchronized void occurred(String kind, String line) {
    boolean repeated = current != null && kind.equals(this.kind);
    if (current == null) {
      sinceNanos = nanoClock.getAsLong();
      repeats = 0;
    }
    this.kind = kind;
    current = line;
    if (repeated) {
      repeats++;
      log.debug("{} (again, {} times so far)", line, repeats);
    } else {
      log.warn("{}", line);
    }
  }

  /** Called when the subject works; logs the recovery if the subject had failed before. */
  public void recovered() {
    recovered(() -> "");
  }

  /**
   * Called when the subject works; logs the recovery if the subject had failed before.
   *
   * @param cost what the failure has cost, as the end of the line; asked only if there was one
   */
  public synchronized void recovered(Supplier<String> cost) {
    if (current != null) {
      long millis = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - sinceNanos);
      log.info(
          "{} is well again after {} ms ({} repeated failures){}",
          name,
          millis,
          repeats,
          cost.get());
      current = null;
    }
  }

  /** Returns the log line of the current failure; null if the subject has not failed. */
  public synchronized @Nullable String current() {
    return current;
  }
}
