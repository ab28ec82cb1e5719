package io.duplog.receive;

import com.rabbitmq.client.ConnectionFactory;
import io.duplog.tls.Tls;
import io.duplog.wire.Topology;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One queue of one stream's broker, and how to read it.
 *
 * @param stream the configured name of the stream
 * @param share what this consumer has of it
 * @param prefetch how many deliveries may be unacknowledged at once
 * @param retryMin the shortest pause before a connection is tried again
 * @param retryMax the longest one
 * @param tls null where the broker is spoken to in plain text
 */
public record QueueSettings(
    String stream,
    String host,
    int port,
    String virtualHost,
    String user,
    String password,
    String queue,
    Topology.QueueType queueType,
    Share share,
    int prefetch,
    Duration connectTimeout,
    Duration heartbeat,
    Duration retryMin,
    Duration retryMax,
    @Nullable Tls tls) {

  /** {@code 10.0.0.1:5672}. */
  public String address() {
    return host + ":" + port;
  }

  /** As it stands in log lines; holds no secret. */
  public String broker() {
    return "broker " + stream + " " + host + ":" + port;
  }

  @Override
  public String toString() {
    return broker() + " queue " + queue;
  }

  /**
   * Connections from here do not recover by themselves: an old delivery tag must not seem valid.
   */
  ConnectionFactory connectionFactory() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(host);
    factory.setPort(port);
    factory.setVirtualHost(virtualHost);
    factory.setUsername(user);
    factory.setPassword(password);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setConnectionTimeout((int) connectTimeout.toMillis());
    factory.setHandshakeTimeout((int) connectTimeout.toMillis() * 2);
    factory.setChannelRpcTimeout((int) connectTimeout.toMillis() * 5);
    factory.setRequestedHeartbeat((int) heartbeat.toSeconds());
    if (tls != null) {
      factory.setSocketFactory(tls.sockets());
    }
    return factory;
  }
}
