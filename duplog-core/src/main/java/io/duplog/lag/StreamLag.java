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
 * @param heartbeat the last one
 * @param unread queues that its shim publishes to and this bridge doesn't read; -1 where nobody
 *     knows
 * @param saidToBe the name that what its queue brings has, where that is another; else null
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
   * What a heartbeat told, each {@link Double#NaN} where nobody knows.
   *
   * @param ageSeconds since it arrived, at any bridge
   * @param delaySeconds from its publication, by the node's clock, to its arrival, by ours; below
   *     zero where the node's clock is ahead; unknown once the next is overdue
   * @param confirmed messages that the shim's broker has confirmed
   * @param stalledSeconds for how long the shim had waited for a confirm; unknown once the next is
   *     overdue
   */
  public record Heard(
      double ageSeconds, double delaySeconds, double confirmed, double stalledSeconds) {
    static final Heard NOTHING = new Heard(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }

  static StreamLag unknown(String stream) {
    return new StreamLag(
        stream, StreamState.UNKNOWN, Double.NaN, Double.NaN, -1, Heard.NOTHING, -1, null);
  }
}
