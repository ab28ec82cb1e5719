package io.duplog.benchmark.fault;

/**
 * The number of duplicates that a chaos fault may cause, stated in advance.
 *
 * @param cause the cause from docs/guarantees.md that allows the duplicates; empty if there is none
 * @param seconds seconds of the load whose messages may all be delivered twice
 * @param messages additional number of messages that may be delivered twice, independent of the
 *     rate
 */
public record Bound(String cause, double seconds, int messages) {
  /** Allows no duplicates. */
  static final Bound NONE = new Bound("", 0, 0);

  /** Returns the sum of this bound and another one, with both causes. */
  Bound and(Bound other) {
    String both = cause.isEmpty() ? other.cause : cause + "; " + other.cause;
    return new Bound(both, seconds + other.seconds, messages + other.messages);
  }

  /** Returns the bound if the cause occurs {@code count} times. */
  Bound times(int count) {
    return new Bound(cause, count * seconds, count * messages);
  }

  /**
   * Returns the bound as a number of messages.
   *
   * @param rate rate of the load, in messages per second
   */
  public long at(int rate) {
    return Math.round(seconds * rate) + messages;
  }
}
