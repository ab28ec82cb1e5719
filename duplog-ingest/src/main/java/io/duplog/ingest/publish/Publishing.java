package io.duplog.ingest.publish;

import java.io.IOException;
import java.util.Random;

/** Makes publishers for RabbitMQ. */
public final class Publishing {
  private Publishing() {}

  /**
   * A publisher that has not been started.
   *
   * @param stream the stream's name
   * @param heartbeat how often the publisher shows that it lives
   * @param maxOutstandingBytes see {@link Publisher#awaitRoom}
   */
  public static BatchPublisher to(
      BrokerSettings settings,
      HeartbeatSettings heartbeat,
      String stream,
      long maxOutstandingBytes) {
    return new BatchPublisher(
        new AmqpBroker(settings, "duplog-ingest " + stream),
        name(settings, stream),
        maxOutstandingBytes,
        new Heart(stream, heartbeat.interval(), System::nanoTime, System::currentTimeMillis),
        System::nanoTime,
        new Random());
  }

  /**
   * Connects, declares the queue, tries whether a large batch is taken, and leaves.
   *
   * @param largestBody that there can be, in bytes
   * @throws IOException with one line that says why it does not work
   */
  public static void check(BrokerSettings settings, String stream, int largestBody)
      throws IOException, InterruptedException {
    try {
      AmqpBroker broker = new AmqpBroker(settings, "duplog-ingest check " + stream);
      broker.connect(new Broker.Listener() {}).close();
      broker.checkTakes(largestBody);
    } catch (IOException e) {
      throw new IOException(name(settings, stream) + " " + e.getMessage(), e);
    }
  }

  /** The broker in a line for an operator. */
  private static String name(BrokerSettings settings, String stream) {
    return "broker " + stream + " (" + settings.host() + ":" + settings.port() + ")";
  }
}
