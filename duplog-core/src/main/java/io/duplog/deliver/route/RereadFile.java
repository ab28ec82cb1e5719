package io.duplog.deliver.route;

import io.duplog.config.ConfigException;
import io.duplog.observe.RecurringWarning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a file says. It is looked at every {@link #LOOK_SECONDS} seconds while somebody asks, and
 * read again when it was replaced or written to, and then left alone for as long. One that can't be
 * used then changes nothing but for a warning: what was read before stays in use. Safe for any
 * thread.
 *
 * @param <T> immutable; another object each time it was read
 */
final class RereadFile<T> {
  static final int LOOK_SECONDS = 5;

  private static final Logger log = LoggerFactory.getLogger(RereadFile.class);

  /** Reads the file; the exception's message says file, line and what is wrong. */
  interface Parser<T> {
    T parse(Path file) throws ConfigException;
  }

  private final Path file;
  private final Parser<T> parser;
  private final LongSupplier nanoClock;
  private final RecurringWarning trouble;
  private volatile T content;
  private volatile long nextLook;

  /** Of what is in use, and of the last look. Guarded by this. */
  private String read;

  private String seen;

  /**
   * Reads it.
   *
   * @throws ConfigException the parser's, this time alone
   */
  RereadFile(Path file, Parser<T> parser, LongSupplier nanoClock) throws ConfigException {
    this.file = file;
    this.parser = parser;
    this.nanoClock = nanoClock;
    this.trouble = new RecurringWarning(log, file.toString(), nanoClock);
    this.nextLook = nanoClock.getAsLong() + TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    this.read = stamp();
    this.seen = read;
    this.content = parser.parse(file);
  }

  T current() {
    long now = nanoClock.getAsLong();
    if (now - nextLook >= 0) {
      look(now);
    }
    return content;
  }

  private synchronized void look(long now) {
    if (now - nextLook < 0) {
      return; // another thread was faster
    }
    nextLook = now + TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    String found = stamp();
    boolean left = found.equals(seen);
    seen = found;
    if (found.equals(read)) {
      trouble.recovered(); // the earlier file may be back
    } else if (left) { // else somebody may be writing it
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

  private String stamp() {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return found.lastModifiedTime() + " " + found.size() + " " + found.fileKey();
    } catch (IOException e) {
      return "unreadable"; // reading it says why
    }
  }
}
