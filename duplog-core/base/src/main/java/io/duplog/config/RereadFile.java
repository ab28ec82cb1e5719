package io.duplog.config;

import io.duplog.observe.Trouble;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Provides the content of a file, such as a table of host names, and reads it again after the
 * administrator has changed it. {@link #current} checks the file every {@link #LOOK_SECONDS}
 * seconds. A changed file is read when two checks in a row find the same version; before that, its
 * writer may not have finished. If the new content is invalid, the previous content stays in use
 * and a warning is logged. Thread-safe.
 *
 * @param <T> type of the parsed content, which must be immutable
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
  private final Trouble readWarning;
  private volatile T content;
  private volatile long nextCheckNanos;

  /** Stamp of the file when it was last read successfully; guarded by this object. */
  private String readStamp;

  private String lastFoundStamp;

  /**
   * Reads the file for the first time.
   *
   * @throws ConfigException from the parser; when the file is read again later, this exception is
   *     only logged
   */
  public RereadFile(Path file, Parser<T> parser, LongSupplier nanoClock) throws ConfigException {
    this.file = file;
    this.parser = parser;
    this.nanoClock = nanoClock;
    this.readWarning = new Trouble(log, file.toString(), nanoClock);
    this.nextCheckNanos = nanoClock.getAsLong() + TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    this.readStamp = ConfigFile.stamp(file);
    this.lastFoundStamp = readStamp;
    this.content = parser.parse(file);
  }

  /**
   * Returns the content that was last read successfully, after checking the file if a check is due.
   */
  public T current() {
    long now = nanoClock.getAsLong();
    if (now - nextCheckNanos >= 0) {
      check(now);
    }
    return content;
  }

  private synchronized void check(long now) {
    if (now - nextCheckNanos < 0) {
      return; // another thread has already checked the file
    }
    nextCheckNanos = now + TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    String foundStamp = ConfigFile.stamp(file);
    boolean isUnchanged = foundStamp.equals(lastFoundStamp);
    lastFoundStamp = foundStamp;
    if (foundStamp.equals(readStamp)) {
      readWarning.recovered(); // the previous file may have been restored
    } else if (isUnchanged) { // otherwise its writer may not have finished
      try {
        content = parser.parse(file);
        readStamp = foundStamp;
        readWarning.recovered();
        log.info("{} was read again and is in use", file);
      } catch (ConfigException e) {
        readWarning.occurred(
            String.valueOf(e.getMessage()).replace("\n", "; ")
                + ": what was read before stays in use, the file is tried again every "
                + LOOK_SECONDS
                + " s");
      }
    }
  }
}
