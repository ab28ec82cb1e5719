package io.duplog.lag;

import org.jspecify.annotations.Nullable;

/**
 * The state and the lag of one stream. Seconds are {@link Double#NaN} if unknown.
 *
 * @param stream the stream's configured name
 * @param state what the stream is doing
 * @param ageSeconds time since the newest settled message was published; grows while the stream is
 *     silent
 * @param lagSeconds how long what is being settled now has waited; 0 once everything is settled
 * @param depth number of deliveries that are ready in the stream's queues; -1 if unknown
 * @param heartbeat what the stream's last heartbeat reported
 * @param unread number of queues that the stream's shim publishes to and this bridge doesn't read;
 *     -1 if unknown
 * @param saidToBe the other stream that the queue's batches or heartbeats name; null if they name
 *     this one
 */
public record StreamLag(
    String stream,
    StreamState state,
    double ageSeconds,
    double lagSeconds,
    long depth,
    Heard heartbeat,
    int unread,
    @Nullable String saidToBe) {

  /**
   * What a heartbeat reported; each value is {@link Double#NaN} if unknown.
   *
   * @param ageSeconds time since the heartbeat arrived at any bridge
   * @param delaySeconds time from the heartbeat's publication by the node's clock to its arrival by
   *     the bridge's clock; negative if the node's clock is ahead; unknown once the next heartbeat
   *     is overdue
   * @param confirmed number of messages that the shim's broker has confirmed
   * @param stalledSeconds how long the shim had waited for a confirm; unknown once the next
   *     heartbeat is overdue
   * @param quietSeconds how long the shim had been given nothing by rsyslog, if that is too long;
   *     unknown if it is not, or once the next heartbeat is overdue
   */
  public record Heard(
      double ageSeconds,
      double delaySeconds,
      double confirmed,
      double stalledSeconds,
      double quietSeconds) {
    static final Heard NOTHING =
        new Heard(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** Returns in a clause why a stream of which this was heard is dead, and what to look at. */
    public String causeOfDeath() {
      return Double.isNaN(quietSeconds)
          ? "its broker answers, but neither messages nor heartbeats come; its rsyslog or shim is"
              + " down, or its broker refuses what the shim publishes"
          : "its shim lives, and rsyslog has handed it nothing for %.0f s; rsyslog is down or hangs, or its action differs from 60-duplog-bulk.conf (uid, pwd, usehttps, bulkmode; no module immark); see journalctl -u rsyslog -u duplog-ingest on that node"
              .formatted(quietSeconds);
    }
  }

  static StreamLag unknown(String stream) {
    return new StreamLag(
        stream, StreamState.UNKNOWN, Double.NaN, Double.NaN, -1, Heard.NOTHING, -1, null);
  }
}
