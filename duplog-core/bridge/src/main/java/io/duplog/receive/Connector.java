package io.duplog.receive;

import com.rabbitmq.client.Connection;
import io.duplog.amqp.BrokerLogin;
import io.duplog.amqp.BrokerThreads;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Opens a bridge's connections to RabbitMQ; tests replace it. Thread-safe. */
@FunctionalInterface
public interface Connector {

  /**
   * Connects to the broker that the settings name, to take deliveries.
   *
   * @param name the connection's name, as the broker shows it
   */
  Connection connect(QueueSettings settings, String name) throws IOException, TimeoutException;

  /**
   * Connects to the broker in order to publish, with separate threads. A broker with an alarm does
   * not read from such a connection. The threads that then block must not delay the consumers'
   * heartbeats.
   */
  default Connection connectToPublish(QueueSettings settings, String name)
      throws IOException, TimeoutException {
    return connect(settings, name);
  }

  /**
   * Returns the identity of the connection's broker, or null if it has none. Returns an empty text
   * if the identity is not available now.
   *
   * @throws IOException if the connection is lost
   */
  default @Nullable String identify(QueueSettings settings, Connection connection)
      throws IOException {
    return BrokerIdentity.of(settings, connection, this);
  }

  /** Returns the same as {@link #identify} for a connection whose broker was identified before. */
  default @Nullable String identifyAgain(QueueSettings settings, Connection connection)
      throws IOException {
    return identify(settings, connection);
  }

  /**
   * Creates a connector that opens real network connections. Consuming connections to one broker
   * share threads, because a stream may have many queues.
   */
  static Connector ofSystem() {
    Map<BrokerLogin, BrokerThreads> threads = new ConcurrentHashMap<>();
    return new Connector() {
      @Override
      public Connection connect(QueueSettings settings, String name)
          throws IOException, TimeoutException {
        BrokerLogin login = settings.login();
        return login.connect(name, threads.computeIfAbsent(login, broker -> new BrokerThreads()));
      }

      @Override
      public @Nullable String identifyAgain(QueueSettings settings, Connection connection)
          throws IOException {
        return BrokerIdentity.recheck(settings, connection);
      }

      @Override
      public Connection connectToPublish(QueueSettings settings, String name)
          throws IOException, TimeoutException {
        return settings.login().connect(name);
      }
    };
  }
}
