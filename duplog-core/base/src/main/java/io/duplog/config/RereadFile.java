package io.duplog.config;

import io.duplog.observe.RecurringWarning;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Content of a file that is read again when it changes. While {@link #current} is called, the file
 * is looked at every {@link #LOOK_SECONDS} seconds. It is read once it was replaced or written to,
 * and then left alone until the next look. If it can't be used then, the content before stays in
 * use, and a warning is logged. May be used from any thread.
 *
 * @param <T> immutable; each reading makes a new object
 */
public final class RereadFile<T> {
  public static final int LOOK_SECONDS = 5;

  private static final Logger log = LoggerFactory.getLogger(RereadFile.class);

  /** Parses the file; the exception's message names the file, the line and the error. */
  public interface Parser<T> {
    T parse(Path file) throws ConfigException;
  }

  private final Path file;
  private final Parser<T> parser;
  private final LongSupplier nanoClock;
  private final RecurringWarning trouble;
  private volatile T content;
  private volatile long nextLook;

  /** Time, size and key of the file when it was last read; guarded by this object. */
  private String read;

  private String lastFound;

  /**
   * Reads the file for the first time.
   *
   * @throws ConfigException from the parser; later readings only log it
   */
  public RereadFile(Path file, Parser<T> parser, LongSupplier nanoClock) throws ConfigException {
    this.file = file;
    this.parser = parser;
    this.nanoClock = nanoClock;
    this.trouble = new RecurringWarning(log, file.toString(), nanoClock);
    this.nextLook = nanoClock.getAsLong() + TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    this.read = ConfigFile.stamp(file);
    this.lastFound = read;
    this.content = parser.parse(file);
  }

  /** Returns the content as it was read last. */
  public T current() {
    long now = nanoClock.getAsLong();
    if (now - nextLook >= 0) {
      look(now);
    }
    return content;
  }

  private synchronized void look(long now) {
    if (now - nextLook < 0) {
      return; // another thread has already looked
    }
    nextLook = now + TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    String found = ConfigFile.stamp(file);
    boolean left = found.equals(lastFound);
    lastFound = found;
    if (found.equals(read)) {
      trouble.recovered(); // the earlier file may be back
    } else if (left) { // otherwise the file may still be being written
      try {
        content = parser.parse(file);
        read = found;
        trouble.recovered();
        log.info("{} was read again and is in use", file);
      } catch (ConfigException e) {
        trouble.occurred(
            String.valueOf(e.getMessage()).replace("\n", "; ")
                + ": what was read before stays in use, the file is tried again every "
                + LOOK_SECONDS
                + " s");
      }
    }
  }
}
