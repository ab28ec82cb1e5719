package io.duplog.amqp;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The address of a broker, and the user to connect as. Safe for any thread.
 *
 * @param connectTimeout limit of a TCP connection; the handshake may take twice, an answer five
 *     times as long
 * @param heartbeat AMQP's heartbeat, in whole seconds
 * @param tls null if the connection is in plain text
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
   * Connects to the broker. The connection does not recover by itself, because an old delivery tag
   * must not seem valid and unconfirmed messages would not be published again. Its threads are
   * daemons, its own, and end with it.
   *
   * @param name the connection's name, as the broker shows it
   */
  public Connection connect(String name) throws IOException, TimeoutException {
    return connect(name, null);
  }

  /**
   * Connects to the broker, like {@link #connect(String)}.
   *
   * @param shared threads that all connections to this broker share; null to start own ones.
   *     Besides, each connection has the thread that reads it
   */
  public Connection connect(String name, @Nullable BrokerThreads shared)
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
    if (shared != null) {
      shared.applyTo(factory);
    }
    return factory.newConnection(name);
  }

  /** Returns the longest time that the broker may take for an answer. */
  public Duration answerTimeout() {
    return connectTimeout.multipliedBy(5);
  }

  /** Returns the broker's address, such as {@code 10.0.0.1:5672}. */
  public String address() {
    return host + ":" + port;
  }

  /** Returns user, address and virtual host, without the password. */
  @Override
  public String toString() {
    return user + "@" + address() + virtualHost;
  }
}
