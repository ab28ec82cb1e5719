package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.duplog.wire.Topology;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.TimeoutException;

/**
 * Publishes lines in the way of Duplog's prototype of 2013, to compare its speed with the shim's.
 * According to its published description, each line of standard input is published as a separate
 * message, without publisher confirms. Ends when its input ends.
 */
public final class PrototypePublisher {
  private PrototypePublisher() {}

  /**
   * Publishes to the broker on a port of this host.
   *
   * @param ports the one port
   */
  public static void main(String[] ports) throws IOException, TimeoutException {
    // SIGTERM may arrive while a busy broker delays the connection's close. All lines are published
    // by then, so that counts as success.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
    try (Connection connection = connection(ports[0]);
        Channel channel = connection.createChannel();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, ISO_8859_1))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        channel.basicPublish("", Topology.DEFAULT_QUEUE, null, line.getBytes(ISO_8859_1));
      }
    }
  }

  /** Connects to the broker on a port of this host, as RabbitMQ's default user. */
  static Connection connection(String port) throws IOException, TimeoutException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(Integer.parseInt(port));
    return factory.newConnection();
  }
}
