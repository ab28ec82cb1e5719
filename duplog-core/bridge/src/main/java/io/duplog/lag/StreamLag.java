package io.duplog.lag;

import io.duplog.observe.Condition;

/**
 * The state of one stream, such as flowing or dead, and how long its messages wait to be delivered.
 * Seconds are {@link Double#NaN} if unknown.
 *
 * @param stream the stream's configured name
 * @param state the stream's state
 * @param ageSeconds time since the newest settled message was published. Grows while the stream is
 *     silent.
 * @param lagSeconds how long the messages being settled now have waited, or 0 if all are settled
 * @param depth number of deliveries that are ready in the stream's queues, or -1 if unknown
 * @param heartbeat what the stream's last heartbeat reported
 * @param unread number of queues that the stream's shim publishes to but this bridge doesn't read,
 *     or -1 if unknown
 * @param condition the stream's condition, with the same sentence as in the log
 */
public record StreamLag(
    String stream,
    StreamState state,
    double ageSeconds,
    double lagSeconds,
    long depth,
    Heard heartbeat,
    int unread,
    Condition condition) {

  /**
   * Values reported by a heartbeat. Each value is {@link Double#NaN} if unknown.
   *
   * @param ageSeconds time since the heartbeat arrived at any bridge
   * @param delaySeconds time from the heartbeat's publication by the node's clock to its arrival by
   *     the bridge's clock. Negative if the node's clock is ahead. Unknown once the next heartbeat
   *     is overdue.
   * @param confirmed number of messages that the shim's broker has confirmed
   * @param stalledSeconds how long the shim had waited for a confirm. Unknown once the next
   *     heartbeat is overdue.
   * @param quietSeconds how long rsyslog had handed the shim nothing, if that is too long.
   *     Otherwise, or once the next heartbeat is overdue, unknown.
   */
  public record Heard(
      double ageSeconds,
      double delaySeconds,
      double confirmed,
      double stalledSeconds,
      double quietSeconds) {
    static final Heard NOTHING =
        new Heard(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** Returns why the stream is dead, what that means, and what to do, for an operator. */
    String causeOfDeath() {
      return Double.isNaN(quietSeconds)
          ? "Its broker answers, but neither messages nor heartbeats arrive. New messages reach"
              + " the other nodes only. Check rsyslog, the shim's log and RabbitMQ's alarms on that"
              + " node."
          : "Its shim runs, but rsyslog has handed it nothing for %.0f s. New messages reach the other nodes only. Check whether rsyslog runs, and compare its action with 60-duplog-bulk.conf (uid, pwd, usehttps, bulkmode, module immark)."
              .formatted(quietSeconds);
    }
  }

  static StreamLag unknown(String stream) {
    return new StreamLag(
        stream,
        StreamState.UNKNOWN,
        Double.NaN,
        Double.NaN,
        -1,
        Heard.NOTHING,
        -1,
        Condition.ok("lag " + stream, StreamState.UNKNOWN.text()));
  }
}
