package io.duplog.benchmark.load;

/** The rate at which senders may send numbered messages. Implementations are thread-safe. */
public interface Pace {

  /** Called just before the first message is sent; does nothing by default. */
  default void begin() {}

  /**
   * Returns how many messages of each stream may have left by now.
   *
   * @param sentByAll number of messages that have left on every stream
   */
  long allowed(long sentByAll);

  /**
   * Returns when a message is due, even if it can't leave then.
   *
   * @return time by {@link System#nanoTime}; negative if messages have no due time, because each
   *     leaves as soon as those before it were accepted
   */
  default long dueNanos(long serial) {
    return -1;
  }
}
