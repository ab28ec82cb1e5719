package io.duplog.receive;

import io.duplog.amqp.BrokerFailure;
import io.duplog.amqp.BrokerLogin;
import io.duplog.wire.Topology;
import java.time.Duration;

/**
 * The settings with which a bridge reads one RabbitMQ queue of a stream, such as its address and
 * prefetch.
 *
 * @param stream the configured name of the stream
 * @param share the queue's share of the stream, and this consumer's priority
 * @param prefetch limit of unacknowledged deliveries
 * @param retryMin shortest pause before reconnecting
 * @param retryMax longest pause before reconnecting
 */
public record QueueSettings(
    String stream,
    BrokerLogin login,
    String queue,
    Topology.QueueType queueType,
    QueueShare share,
    int prefetch,
    Duration retryMin,
    Duration retryMax) {

  /** Returns the broker's address, such as {@code 10.0.0.1:5672}. */
  public String address() {
    return login.address();
  }

  /** Returns the broker's stream and address for log lines, without any secret. */
  public String broker() {
    return "broker " + stream + " " + address();
  }

  /** Describes a failure in one line for an operator, which begins with the broker's name. */
  String describe(Throwable failure) {
    return broker() + " " + BrokerFailure.describe(login, queue, failure);
  }

  @Override
  public String toString() {
    return broker() + " queue " + queue;
  }
}
