package io.duplog.receive;

import io.duplog.amqp.BrokerFailure;
import io.duplog.amqp.BrokerLogin;
import io.duplog.wire.Topology;
import java.time.Duration;

/**
 * One queue of one stream's broker, and how to read it.
 *
 * @param stream the configured name of the stream
 * @param share what this consumer has of it
 * @param prefetch how many deliveries may be unacknowledged at once
 * @param retryMin the shortest pause before a connection is tried again
 * @param retryMax the longest one
 */
public record QueueSettings(
    String stream,
    BrokerLogin login,
    String queue,
    Topology.QueueType queueType,
    Share share,
    int prefetch,
    Duration retryMin,
    Duration retryMax) {

  /** {@code 10.0.0.1:5672}. */
  public String address() {
    return login.address();
  }

  /** As it stands in log lines; holds no secret. */
  public String broker() {
    return "broker " + stream + " " + address();
  }

  /** In a line for an operator, what is wrong with the broker or with this queue of it. */
  String describe(Throwable failure) {
    return broker() + " " + BrokerFailure.describe(login, queue, failure);
  }

  @Override
  public String toString() {
    return broker() + " queue " + queue;
  }
}
