package io.duplog.observe;

import org.jspecify.annotations.Nullable;

/** A live feed of text lines for one reader. Not safe for concurrent use. */
@FunctionalInterface
public interface LineFeed extends AutoCloseable {
  /**
   * Waits a moment, and returns whole lines; an empty text if nothing came, null at the end.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  @Nullable String next() throws InterruptedException;

  @Override
  default void close() {}
}
