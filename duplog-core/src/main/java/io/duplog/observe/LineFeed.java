package io.duplog.observe;

import org.jspecify.annotations.Nullable;

/** Lines for one reader, made as things happen. Belongs to one thread. */
@FunctionalInterface
public interface LineFeed extends AutoCloseable {
  /**
   * Waits a moment, and returns whole lines; an empty text where nothing came, null at the end.
   *
   * @throws InterruptedException where the thread is wanted back
   */
  @Nullable String next() throws InterruptedException;

  @Override
  default void close() {}
}
