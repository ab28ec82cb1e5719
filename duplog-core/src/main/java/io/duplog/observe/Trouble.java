package io.duplog.observe;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One thing that can go wrong for a while, such as a broker that can't be reached. Its beginning is
 * one WARN, its repetitions are counted and logged at DEBUG, its end is one INFO that says how long
 * it took. Safe for any thread.
 */
public final class Trouble {
  private final Logger log;
  private final String name;
  private final LongSupplier nanoClock;
  private @Nullable String current;
  private long sinceNanos;
  private long repeats;

  /**
   * @param name what it is about, as it stands in the line of recovery: {@code broker syslog-b}
   * @param nanoClock {@code System::nanoTime}, or a test's
   */
  public Trouble(Logger log, String name, LongSupplier nanoClock) {
    this.log = log;
    this.name = name;
    this.nanoClock = nanoClock;
  }

  /**
   * It went wrong, again perhaps.
   *
   * @param line names the thing, the cause and what happens next
   */
  public synchronized void occurred(String line) {
    if (current == null) {
      sinceNanos = nanoClock.getAsLong();
      repeats = 0;
    }
    if (line.equals(current)) {
      repeats++;
      log.debug("{} (again, {} times so far)", line, repeats);
    } else {
      current = line;
      log.warn("{}", line);
    }
  }

  /** It works. Says so where it did not work before, and costs nothing else. */
  public synchronized void recovered() {
    if (current != null) {
      long millis = TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - sinceNanos);
      log.info("{} is well again after {} ms ({} repeated failures)", name, millis, repeats);
      current = null;
    }
  }

  /** The line of the trouble that there is now; null where all is well. */
  public synchronized @Nullable String current() {
    return current;
  }
}
