package io.duplog.deliver.line;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file, standard output or a connection to which {@link LineSink} appends lines. Not thread-safe,
 * except for {@link #reopen} and {@link #watch}.
 *
 * <p>An {@link IOException} means that the operation may succeed later. A {@link
 * LinesLostException} means that all lines since the last {@link #mark} must be appended again,
 * too. A {@link BrokenOutputException} means that the output will never work again. The default
 * implementations do nothing.
 */
public interface LineOutput extends Closeable {

  /** Returns the output's name for log lines, such as {@code sink file /var/log/merged.log}. */
  String name();

  /**
   * Prepares the output, so that the next line goes to the right file and starts a new line. Cheap
   * if there is nothing to do.
   */
  default void prepare() throws IOException {}

  /** Remembers the output's current end, to which the output is cut back if lines are lost. */
  default void mark() throws IOException {}

  /**
   * Appends whole lines. After an exception, the buffer's position is the beginning of the first
   * line that is not in the output. The output has no part of that line.
   */
  void append(ByteBuffer lines) throws IOException;

  /**
   * Makes the appended lines as durable as configured, so that they count as accepted afterwards.
   * Also called occasionally if nothing was appended.
   */
  default void commit() throws IOException {}

  /** Returns the time in nanoseconds until {@link #commit} is due if nothing is appended. */
  default long idleNanos() {
    return Long.MAX_VALUE;
  }

  /** Ends a write that hangs, if the output can do that. Called often. Thread-safe. */
  default void watch() {}

  /** Returns what an operator checks while the output can't be written. */
  default String remedy() {
    return "Check the disk or the reader.";
  }

  /**
   * Requests that the output is reopened before the next line. Thread-safe.
   *
   * @return false if the output can't be reopened
   */
  default boolean reopen() {
    return false;
  }
}
