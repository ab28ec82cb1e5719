package io.duplog.receive;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Opens connections to brokers. May be used from any thread. */
@FunctionalInterface
public interface Connector {

  /**
   * Connects to the broker that the settings name.
   *
   * @param name the connection's name, as the broker shows it
   */
  Connection connect(QueueSettings settings, String name) throws IOException, TimeoutException;

  /** Returns a connector that opens real network connections. */
  static Connector ofSystem() {
    return (settings, name) -> settings.login().connect(name);
  }
}
