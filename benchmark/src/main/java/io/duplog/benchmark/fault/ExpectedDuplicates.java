package io.duplog.benchmark.fault;

/** The causes of duplicates that docs/guarantees.md names, and how much each licenses. */
final class ExpectedDuplicates {
  /**
   * Until the circuit breaker has noticed that Redis is back: the longest pause between its probes
   * is 5 s and a third; and what was in flight at both ends.
   */
  private static final double REDIS_NOTICED_SECONDS = 8;

  /** What a bridge holds under this load, with both queues busy. */
  private static final double HELD_SECONDS = 2;

  /** The {@code queue.dequeueBatchSize} of the lab's rsyslog. */
  private static final int TRANSACTION = 1024;

  private ExpectedDuplicates() {}

  /**
   * Redis was unavailable, slow, restarted or had forgotten.
   *
   * @param seconds from the fault until Redis serves again
   */
  static Bound redisAway(double seconds) {
    return Bound.sentWithin(seconds + REDIS_NOTICED_SECONDS, "Redis was unavailable or forgot");
  }

  /** Redis was unavailable, and the bridge deduplicated by itself: what was under way twice. */
  static Bound redisReplaced() {
    return Bound.sentWithin(2 * HELD_SECONDS, "Redis was unavailable");
  }

  /** Redis forgot, and answered all the time. */
  static Bound redisForgot(double seconds) {
    return Bound.sentWithin(seconds + HELD_SECONDS, "Redis forgot a digest");
  }

  /** What a bridge takes under the wrong names passes through uncounted. */
  static Bound misnamed(double seconds) {
    return Bound.sentWithin(seconds + HELD_SECONDS, "a batch said another stream");
  }

  /** A bridge died or hung with unsettled batches. */
  static Bound bridgeLost(int bridges) {
    return Bound.sentWithin(
        bridges * HELD_SECONDS, "a bridge died or hung while it held unsettled batches");
  }

  /**
   * The sink accepted something, and its answer was lost.
   *
   * @param seconds in which that may happen: all requests under way, each second anew
   */
  static Bound answersLost(int seconds) {
    return Bound.sentWithin(seconds, "the sink's answer was lost");
  }

  /**
   * An indexer acknowledged later than the bridges wait, or never.
   *
   * @param seconds in which what it takes stays unacknowledged
   */
  static Bound acknowledgedLate(double seconds) {
    return Bound.sentWithin(
        seconds + HELD_SECONDS, "an indexer's acknowledgement came later than ack-timeout");
  }

  /** The shim died between publishing and its answer. */
  static Bound sentAgain() {
    return Bound.messages(TRANSACTION, "the shim had to send a batch again as a new one");
  }
}
