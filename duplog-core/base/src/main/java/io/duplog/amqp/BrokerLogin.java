package io.duplog.amqp;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The address, credentials and time-outs with which a program connects to RabbitMQ. Thread-safe.
 *
 * @param connectTimeout timeout for establishing the TCP connection; the AMQP handshake may take
 *     twice as long, an answer five times as long
 * @param heartbeat interval of AMQP's heartbeats, in whole seconds
 * @param tls TLS of the connection, or null for plain text
 */
public record BrokerLogin(
    String host,
    int port,
    String virtualHost,
    String user,
    String password,
    Duration connectTimeout,
    Duration heartbeat,
    @Nullable Tls tls) {

  private static final int SHUTDOWN_MILLIS = 1_000;

  /**
   * Connects to the broker. The connection does not recover by itself. After a recovery, an old
   * delivery tag must not seem valid, and the client would not publish unconfirmed messages again.
   * The connection has daemon threads of its own, which end with it.
   *
   * @param name the connection's name, as the broker shows it
   */
  public Connection connect(String name) throws IOException, TimeoutException {
    return connect(name, null);
  }

  /**
   * Connects to the broker, like {@link #connect(String)}.
   *
   * @param sharedThreads threads that all connections to this broker share, or null to start
   *     separate threads. In both cases, each connection also has a thread that reads from its
   *     socket.
   */
  public Connection connect(String name, @Nullable BrokerThreads sharedThreads)
      throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(host);
    factory.setPort(port);
    factory.setVirtualHost(virtualHost);
    factory.setUsername(user);
    factory.setPassword(password);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    int timeoutMillis = (int) connectTimeout.toMillis();
    factory.setConnectionTimeout(timeoutMillis);
    factory.setHandshakeTimeout(2 * timeoutMillis);
    factory.setChannelRpcTimeout((int) answerTimeout().toMillis());
    factory.setShutdownTimeout(SHUTDOWN_MILLIS);
    factory.setRequestedHeartbeat((int) heartbeat.toSeconds());
    if (tls != null) {
      factory.setSocketFactory(tls.socketsTo(host));
    }
    factory.setThreadFactory(BrokerThreads.daemons("amqp"));
    if (sharedThreads != null) {
      sharedThreads.applyTo(factory);
    }
    return factory.newConnection(name);
  }

  /** Returns the timeout for the broker's answer to a request. */
  public Duration answerTimeout() {
    return connectTimeout.multipliedBy(5);
  }

  /** Returns the broker's address, such as {@code 10.0.0.1:5672}. */
  public String address() {
    return host + ":" + port;
  }

  /** Returns the user, address and virtual host, without the password. */
  @Override
  public String toString() {
    return user + "@" + address() + virtualHost;
  }
}
