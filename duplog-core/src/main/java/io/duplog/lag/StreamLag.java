package io.duplog.lag;

import org.jspecify.annotations.Nullable;

/**
 * Where one stream is. Seconds are {@link Double#NaN} where nobody knows.
 *
 * @param stream its configured name
 * @param state what it is doing
 * @param ageSeconds since the newest message that was settled was published; grows while the stream
 *     is silent
 * @param lagSeconds how long what is being settled now has waited; 0 once everything is settled
 * @param depth deliveries that are ready in its queues; -1 where nobody knows
 * @param heartbeatAgeSeconds since the last heartbeat arrived, at any bridge
 * @param heartbeatDelaySeconds from that heartbeat's publication, by the node's clock, to its
 *     arrival, by ours; below zero where the node's clock is ahead; unknown once it is overdue
 * @param confirmed messages that the shim's broker has confirmed, by the last heartbeat; -1 where
 *     nobody knows
 * @param stalledSeconds for how long the shim had waited for a confirm, by the last heartbeat;
 *     unknown once the next is overdue
 * @param saidToBe the name that what its queue brings has, where that is another; else null
 */
public record StreamLag(
    String stream,
    StreamState state,
    double ageSeconds,
    double lagSeconds,
    long depth,
    double heartbeatAgeSeconds,
    double heartbeatDelaySeconds,
    long confirmed,
    double stalledSeconds,
    @Nullable String saidToBe) {

  static StreamLag unknown(String stream) {
    return new StreamLag(
        stream,
        StreamState.UNKNOWN,
        Double.NaN,
        Double.NaN,
        -1,
        Double.NaN,
        Double.NaN,
        -1,
        Double.NaN,
        null);
  }
}
