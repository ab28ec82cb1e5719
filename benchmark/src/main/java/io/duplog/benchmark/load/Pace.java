package io.duplog.benchmark.load;

/** How fast numbered messages leave. Any thread. */
public interface Pace {

  /** The first message leaves now. */
  default void begin() {}

  /**
   * How many messages of a stream may have left by now.
   *
   * @param sentByAll how many of each stream have left
   */
  long allowed(long sentByAll);

  /**
   * When a message is to leave, whether or not it then can.
   *
   * @return by {@link System#nanoTime}; negative where messages have no time of their own, since
   *     each leaves when those before it were taken
   */
  default long dueNanos(long serial) {
    return -1;
  }
}
