package io.duplog.benchmark.fault;

/**
 * How many duplicates a fault may cause, stated before it is caused.
 *
 * @param cause the cause, of those in docs/guarantees.md, that licenses them; empty where none does
 * @param seconds all that is sent in this time may come twice
 * @param messages and so many more
 */
public record Bound(String cause, double seconds, long messages) {
  private static final Bound NONE = new Bound("", 0, 0);

  /** Not one. */
  public static Bound none() {
    return NONE;
  }

  /** What is in flight, or passes through, during so many seconds. */
  public static Bound sentWithin(double seconds, String cause) {
    return new Bound(cause, seconds, 0);
  }

  /** So many, whatever the load. */
  public static Bound messages(long messages, String cause) {
    return new Bound(cause, 0, messages);
  }

  /** What both causes license. */
  public Bound and(Bound other) {
    String both =
        cause.isEmpty() || cause.equals(other.cause) ? other.cause : cause + "; " + other.cause;
    return new Bound(
        other.cause.isEmpty() ? cause : both, seconds + other.seconds, messages + other.messages);
  }

  /** The same, each time that it happens. */
  public Bound times(int count) {
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
