package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.LabRedisCluster;
import io.duplog.benchmark.load.HecOutlet;

/**
 * The documented causes for which a chaos fault may produce duplicates, each with a limit on their
 * number. The wording of the causes is that of docs/guarantees.md. A fault in {@code faults.json}
 * has an amount for each of its causes. Unless stated otherwise, the amount is seconds of the load
 * whose messages may all be delivered twice.
 */
enum ExpectedDuplicates {
  /**
   * The amount is the duration of an outage in seconds. The bound adds the time until the bridges'
   * circuit breakers notice the end, and the messages in flight at both ends. The breakers' pause
   * between two probes is at most twice the outage so far, and at most 5 s.
   */
  REDIS_AWAY("Redis was unavailable", 1),
  /**
   * Like {@link #REDIS_AWAY}, for one master of a cluster. Each master handles an equal share of
   * the messages.
   */
  REDIS_PART_AWAY(
      "a Redis Cluster had a replica take over, or moved a slot", LabRedisCluster.MASTERS),
  /** Messages for which one bridge awaited verdicts from Redis when their connection broke. */
  REDIS_ANSWER_LOST("Redis was unavailable"),
  /**
   * Messages in flight when bridges switched from Redis to the fallback, and when they switched
   * back.
   */
  FALLBACK("a fallback took over"),
  /** Messages in flight, or in batches not yet settled, when Redis lost its digests. */
  REDIS_FORGOT("Redis had forgotten a digest"),
  /**
   * Messages in flight when Redis's clock was set. If that began a new epoch, also the messages in
   * batches that were not yet settled.
   */
  REDIS_CLOCK_SET("Redis's clock was set"),
  /**
   * Messages that a bridge receives while two of its streams have each other's names in its
   * configuration, and while it restarts.
   */
  STREAM_MISNAMED("a batch names another stream"),
  /**
   * Messages that the sinks of lost bridges had accepted, but that were not yet reported as
   * delivered. Writing and syncing a file takes up to a quarter of a second on a busy disk, and a
   * slow collector takes longer. Suppose the collector refused everything for a second, or
   * acknowledges 3 s late. Then the bridge holds that many seconds of the load, and may just have
   * sent them.
   */
  BRIDGES_LOST("a bridge died or hung"),
  /**
   * Messages in requests whose answers were lost, up to four requests at a time for each bridge.
   */
  ANSWERS_LOST("the sink's answer was lost"),
  /**
   * Messages that an indexer accepted until {@code ack-pending} requests waited for its
   * acknowledgement.
   */
  ACKNOWLEDGED_LATE("an indexer's acknowledgement came later than ack-timeout"),
  /**
   * The amount is a number of messages. If a shim was killed, its successor recognises the messages
   * that rsyslog sends again. If an idle shim is killed, rsyslog's next message is duplicated. A
   * kill in the moment in which an answer is written duplicates a transaction. By omprog that
   * moment takes microseconds, and no bound allows it. By HTTP it is longer, so the bound for
   * thirty kills allows one transaction. If a shim hung for longer than rsyslog waits, all messages
   * that rsyslog's two workers had sent are delivered twice.
   */
  SHIM_KILLED("the shim died between publishing and its answer"),
  /**
   * The amount is a number of messages: a client's largest request. RabbitMQ has it, and the client
   * ended before it read the answer.
   */
  CLIENT_WITHOUT_ANSWER("a client of HEC did not get its answer"),
  /**
   * The amount is a number of messages: those of a queue on disk since its last checkpoint, and
   * those of the transaction that was published when rsyslog was killed.
   */
  RSYSLOG_KILLED("rsyslog was killed after its queue had been on disk");

  /**
   * Maximum number of messages of a transaction: {@code queue.dequeueBatchSize} in the deployed
   * configuration.
   */
  static final int MAX_TRANSACTION_MESSAGES = 1_024;

  /** Maximum number of messages of a request of the load's HEC clients. */
  static final int MAX_REQUEST_MESSAGES = HecOutlet.MAX_EVENTS;

  /** Maximum number of messages between two checkpoints: {@code queue.checkpointInterval}. */
  static final int MAX_CHECKPOINT_MESSAGES = 128;

  /**
   * Seconds of the load that are in flight in a bridge, by design. A batch gathers for 15 ms. A
   * verdict and a request take about 10 ms each. Writing and syncing a file takes up to a quarter
   * of a second on a busy disk.
   */
  static final double BRIDGE_IN_FLIGHT_SECONDS = 0.25;

  private static final double MAX_PROBE_PAUSE_SECONDS = 5;
  private static final double OUTAGE_IN_FLIGHT_SECONDS = 0.5;

  private final String cause;

  /**
   * Number of Redis masters when one of them is unavailable; 0 if the cause is not an outage of
   * Redis.
   */
  private final int masters;

  ExpectedDuplicates(String cause) {
    this(cause, 0);
  }

  ExpectedDuplicates(String cause, int masters) {
    this.cause = cause;
    this.masters = masters;
  }

  /** Returns the bound for this cause, with its amount in the table. */
  Bound of(double amount) {
    if (this == SHIM_KILLED || this == CLIENT_WITHOUT_ANSWER || this == RSYSLOG_KILLED) {
      return new Bound(cause, 0, (int) amount);
    }
    return new Bound(cause, masters == 0 ? amount : affectedSeconds(amount) / masters, 0);
  }

  private static double affectedSeconds(double outageSeconds) {
    return outageSeconds
        + Math.min(MAX_PROBE_PAUSE_SECONDS, 2 * outageSeconds)
        + OUTAGE_IN_FLIGHT_SECONDS;
  }
}
