package io.duplog.deliver.line;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where lines are appended. Used by one thread at a time, apart from {@link #reopen}.
 *
 * <p>An {@link IOException} means: it may work later, try again. A {@link LinesLostException} means
 * that as well, but with all that was appended since the last {@link #mark}. A {@link
 * BrokenOutputException} means that it will never work again. What has a default here is of no
 * concern to an output that needs no care.
 */
public interface LineOutput extends Closeable {

  /** What it is, for a log: {@code sink file /var/log/merged.log}. */
  String name();

  /**
   * Makes sure that what is appended next goes to the right place and begins a line. Cheap where
   * there is nothing to do.
   */
  default void prepare() throws IOException {}

  /** Remembers this as the place to which lost lines are cut back. */
  default void mark() throws IOException {}

  /**
   * Appends whole lines. After an exception the buffer stands at the beginning of the first line
   * that is not in the output, and no part of that line will be found there.
   */
  void append(ByteBuffer lines) throws IOException;

  /**
   * Makes safe what was appended, as far as its policy asks for it: on return it may be taken for
   * accepted. Also called now and then when nothing was appended.
   */
  default void commit() throws IOException {}

  /** How long {@link #commit} need not be called, if nothing is appended. */
  default long idleNanos() {
    return Long.MAX_VALUE;
  }

  /**
   * Asks for the output to be opened again before the next line. Any thread.
   *
   * @return false where it is nothing that could be opened again
   */
  default boolean reopen() {
    return false;
  }
}
