package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabRedisCluster;

/**
 * The causes of duplicates, in the words of docs/guarantees.md, and how much of the load each
 * doubles at most. A table's row gives a number to each; unless said otherwise it is seconds of the
 * load, of which every message may come twice.
 */
enum ExpectedDuplicates {
  /**
   * Seconds of an outage. The bridges' circuit breakers then have to notice its end: a pause
   * between two probes is at most twice as long as the outage was until then, and never longer than
   * 5 s. And there is what was in flight at both ends.
   */
  REDIS_AWAY("Redis was away"),
  /** The same for one master of a cluster. It counts as many of the messages as each other one. */
  REDIS_PART_AWAY("a Redis Cluster had a replica take over, or moved a slot"),
  /** What was in flight when a bridge began and ceased to deduplicate by itself. */
  FALLBACK("a fallback stood in"),
  /** What was in flight or unsettled when Redis forgot. */
  REDIS_FORGOT("Redis had forgotten a digest"),
  /** What was in flight, and unsettled where a new epoch began. */
  REDIS_CLOCK_SET("Redis's clock was set"),
  /** What a bridge took under the wrong names, the time of its restarts included. */
  STREAM_MISNAMED("a batch says another stream"),
  /**
   * What lost bridges' sinks had taken, and nobody had noted. To write and sync a file takes up to
   * a quarter of a second on a busy disk, a slow collector its time. A bridge that catches up with
   * a backlog may have just written its half of it. Where the collector acknowledges 3 s late, the
   * bridge may hold all of the load for twice as long.
   */
  BRIDGES_LOST("a bridge died or hung"),
  /** What was in the requests that lost their answers: four at a time of each bridge. */
  ANSWERS_LOST("the sink's answer was lost"),
  /** What an indexer took until {@code ack-pending} requests waited for it to acknowledge. */
  ACKNOWLEDGED_LATE("an indexer's acknowledgement came later than ack-timeout"),
  /** What rsyslog gathers for a transaction while the one before it is confirmed. */
  SHIM_KILLED("the shim died between publishing and its answer"),
  /** So many shims, each with the one message that rsyslog sends to find it gone. */
  SHIM_ENDED("the shim ended while rsyslog ran");

  private static final double LONGEST_PROBE_PAUSE = 5;
  private static final double IN_FLIGHT = 0.5;

  private final String cause;

  ExpectedDuplicates(String cause) {
    this.cause = cause;
  }

  /** What it licenses. */
  Bound of(double amount) {
    return switch (this) {
      case REDIS_AWAY -> new Bound(cause, secondsWithout(amount), 0);
      case REDIS_PART_AWAY -> new Bound(cause, secondsWithout(amount) / LabRedisCluster.MASTERS, 0);
      case SHIM_ENDED -> new Bound(cause, 0, Math.round(amount));
      case FALLBACK,
          REDIS_FORGOT,
          REDIS_CLOCK_SET,
          STREAM_MISNAMED,
          BRIDGES_LOST,
          ANSWERS_LOST,
          ACKNOWLEDGED_LATE,
          SHIM_KILLED ->
          new Bound(cause, amount, 0);
    };
  }

  private static double secondsWithout(double outage) {
    return outage + Math.min(LONGEST_PROBE_PAUSE, 2 * outage) + IN_FLIGHT;
  }
}
