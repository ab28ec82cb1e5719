package io.duplog.observe;

import org.jspecify.annotations.Nullable;

/**
 * Supplies lines of text one by one to a reader, such as the messages that {@code duplog tap}
 * shows. Not thread-safe.
 */
@FunctionalInterface
public interface LineFeed extends AutoCloseable {
  /**
   * Waits briefly for lines, and returns complete lines. Returns an empty text if there are none
   * yet, or null at the end.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  @Nullable String next() throws InterruptedException;

  @Override
  default void close() {}
}
