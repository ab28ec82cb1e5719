package io.duplog.observe;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One thing that can go wrong for a while, such as a broker that can't be reached. Its beginning is
 * one WARN, its repetitions are counted and logged at DEBUG, its end is one INFO that says how long
 * it took. Safe for any thread.
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
   * @param name what it is about, as it stands in the line of recovery: {@code broker syslog-b}
   * @param nanoClock {@code System::nanoTime}, or a test's
   */
  public RecurringWarning(Logger log, String name, LongSupplier nanoClock) {
    this.log = log;
    this.name = name;
    this.nanoClock = nanoClock;
  }

  /**
   * It went wrong, again perhaps.
   *
   * @param line names the thing, the cause and what happens next
   */
  public void occurred(String line) {
    occurred(line, line);
  }

  /**
   * It went wrong, in words that may be others each time though it is the same trouble.
   *
   * @param kind equal for what is to be told once
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

  /** It works. Says so where it did not work before, and costs nothing else. */
  public void recovered() {
    recovered(() -> "");
  }

  /**
   * It works.
   *
   * @param cost what the trouble has cost, as the end of the line; asked only where there was one
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

  /** The line of the trouble that there is now; null where all is well. */
  public synchronized @Nullable String current() {
    return current;
  }
}
