package io.duplog.receive;

import com.rabbitmq.client.Connection;
import io.duplog.amqp.BrokerLogin;
import io.duplog.amqp.BrokerThreads;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Opens connections to brokers. May be used from any thread. */
@FunctionalInterface
public interface Connector {

  /**
   * Connects to the broker that the settings name, to take deliveries.
   *
   * @param name the connection's name, as the broker shows it
   */
  Connection connect(QueueSettings settings, String name) throws IOException, TimeoutException;

  /**
   * Connects to the broker in order to publish, on threads of its own: a broker with an alarm reads
   * nothing from such a connection, and what waits for that must not keep consumers from telling
   * the broker that they are alive.
   */
  default Connection connectToPublish(QueueSettings settings, String name)
      throws IOException, TimeoutException {
    return connect(settings, name);
  }

  /**
   * Returns what tells the connection's broker from every other one; null if nothing does; an empty
   * text if that can't be known now.
   *
   * @throws IOException if the connection is lost
   */
  default @Nullable String identify(QueueSettings settings, Connection connection)
      throws IOException {
    return BrokerIdentity.of(settings, connection, this);
  }

  /** Returns the same for a connection whose broker was identified before. */
  default @Nullable String identifyAgain(QueueSettings settings, Connection connection)
      throws IOException {
    return identify(settings, connection);
  }

  /**
   * Returns a connector that opens real network connections. Those that take deliveries from one
   * broker share threads, because a stream may have many queues.
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
        return BrokerIdentity.again(settings, connection);
      }

      @Override
      public Connection connectToPublish(QueueSettings settings, String name)
          throws IOException, TimeoutException {
        return settings.login().connect(name);
      }
    };
  }
}
