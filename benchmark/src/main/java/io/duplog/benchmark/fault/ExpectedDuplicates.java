package io.duplog.benchmark.fault;

/**
 * The causes of duplicates that docs/guarantees.md names, and how much each licenses. 2 s of the
 * load are what a bridge holds with both queues busy.
 */
enum ExpectedDuplicates {
  /**
   * So many seconds went by from the fault until Redis served again. Then the circuit breaker has
   * to notice: the longest pause between its probes is 5 s and a third. And there is what was in
   * flight at both ends.
   */
  REDIS_AWAY("Redis was unavailable or forgot", 1, 8),
  /** So often, a bridge began or ceased to deduplicate by itself: what was under way twice. */
  REDIS_REPLACED("Redis was unavailable", 2, 0),
  /** For so many seconds Redis forgot, and answered all the time. */
  REDIS_FORGOT("Redis forgot a digest", 1, 2),
  /** For so many seconds, what a bridge took under the wrong names passed through uncounted. */
  STREAM_MISNAMED("a batch said another stream", 1, 2),
  /** So many bridges died or hung with unsettled batches. */
  BRIDGES_LOST("a bridge died or hung while it held unsettled batches", 2, 0),
  /**
   * For so many seconds the sink accepted something and its answer was lost: all requests under
   * way, each second anew.
   */
  ANSWERS_LOST("the sink's answer was lost", 1, 0),
  /** What an indexer took in so many seconds it acknowledged later than bridges wait, or never. */
  ACKNOWLEDGED_LATE("an indexer's acknowledgement came later than ack-timeout", 1, 2),
  /** So many shims died between publishing a transaction of rsyslog's and their answer. */
  SHIM_SENT_AGAIN("the shim had to send a batch again as a new one", 0, 0);

  /** The {@code queue.dequeueBatchSize} of the lab's rsyslog. */
  private static final int TRANSACTION = 1024;

  private final String cause;
  private final double secondsEach;
  private final double secondsMore;

  ExpectedDuplicates(String cause, double secondsEach, double secondsMore) {
    this.cause = cause;
    this.secondsEach = secondsEach;
    this.secondsMore = secondsMore;
  }

  /**
   * What it licenses.
   *
   * @param count of seconds, bridges or shims
   */
  Bound of(int count) {
    long messages = this == SHIM_SENT_AGAIN ? (long) count * TRANSACTION : 0;
    return new Bound(cause, count * secondsEach + secondsMore, messages);
  }
}
