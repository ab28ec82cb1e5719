package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Creates publishers that publish to RabbitMQ. */
public final class Publishing {
  private Publishing() {}

  /**
   * Makes a publisher that is not started yet.
   *
   * @param heartbeat how often the publisher sends heartbeats
   * @param contact when rsyslog was last heard; null if this process ends with rsyslog
   * @param maxOutstandingBytes bound for {@link Publisher#awaitRoom}
   */
  public static BatchPublisher to(
      BrokerSettings settings,
      HeartbeatSettings heartbeat,
      @Nullable RsyslogContact contact,
      String stream,
      long maxOutstandingBytes) {
    return new BatchPublisher(
        new AmqpBroker(settings, "duplog-ingest " + stream),
        name(settings, stream),
        maxOutstandingBytes,
        new HeartbeatSchedule(
            stream,
            heartbeat.interval(),
            LossReader.watched(heartbeat),
            contact == null ? () -> Heartbeat.Rsyslog.NOT_KNOWN : contact::report,
            System::nanoTime,
            System::currentTimeMillis),
        System::nanoTime,
        new Random());
  }

  /**
   * Connects, declares the queues, tries whether a large body is taken, and disconnects.
   *
   * @param largestBody largest possible body in bytes
   * @throws IOException whose message is one line that says what does not work
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

  /** Returns the broker's name for log lines. */
  private static String name(BrokerSettings settings, String stream) {
    return "broker " + stream + " (" + settings.host() + ":" + settings.port() + ")";
  }
}
