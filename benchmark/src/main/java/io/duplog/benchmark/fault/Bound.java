package io.duplog.benchmark.fault;

/**
 * How many duplicates a fault may cause, stated before it is caused.
 *
 * @param cause the cause, of those in docs/guarantees.md, that licenses them; empty where none does
 * @param seconds all that is sent in this time may come twice
 * @param messages and so many more
 */
public record Bound(String cause, double seconds, long messages) {
  /** Not one. */
  public static Bound none() {
    return new Bound("", 0, 0);
  }

  /** What both causes license. */
  Bound and(Bound other) {
    String both = cause.isEmpty() ? other.cause : cause + "; " + other.cause;
    return new Bound(both, seconds + other.seconds, messages + other.messages);
  }

  /** The same, each time that it happens. */
  Bound times(int count) {
    return new Bound(cause, count * seconds, count * messages);
  }

  /**
   * As a number of messages.
   *
   * @param rate of the load, in messages a second
   */
  public long at(int rate) {
    return Math.round(seconds * rate) + messages;
  }
}
