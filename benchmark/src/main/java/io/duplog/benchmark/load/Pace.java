package io.duplog.benchmark.load;

/**
 * Decides when a load may send its next message: at a fixed rate, for example, or as fast as
 * possible. Implementations are thread-safe.
 */
public interface Pace {

  /** Called just before the first message is sent. Does nothing by default. */
  default void begin() {}

  /**
   * Returns how many messages of each stream may have been sent by now.
   *
   * @param sentByAll number of messages that have been sent on every stream
   */
  long allowed(long sentByAll);

  /**
   * Returns when a message is due, even if it can't be sent then.
   *
   * @return time by {@link System#nanoTime}; negative if messages have no due time, because each is
   *     sent as soon as the previous ones were accepted
   */
  default long dueNanos(long serial) {
    return -1;
  }
}
