package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Creates the shim's publisher, and checks the connection to RabbitMQ for {@code --check}. */
public final class Publishing {
  private Publishing() {}

  /**
   * Creates a publisher. The caller starts it.
   *
   * @param heartbeat interval and content of the heartbeats
   * @param contact last contact with rsyslog, for the heartbeats, or null if this process ends with
   *     rsyslog
   * @param maxOutstandingBytes limit for {@link Publisher#awaitRoom}
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
   * Connects, declares the queues, tests whether the broker accepts a large body, and disconnects.
   *
   * @param largestBody size of the largest possible body in bytes
   * @throws IOException if a step fails; the message is one line for the operator
   */
  public static void check(BrokerSettings settings, String stream, int largestBody)
      throws IOException, InterruptedException {
    try {
      AmqpBroker broker = new AmqpBroker(settings, "duplog-ingest check " + stream);
      broker.connect(new Broker.Listener() {}).close();
      broker.checkAccepts(largestBody);
    } catch (IOException e) {
      throw new IOException(name(settings, stream) + " " + e.getMessage(), e);
    }
  }

  /** Returns the broker's name for log lines. */
  private static String name(BrokerSettings settings, String stream) {
    return "broker " + stream + " (" + settings.host() + ":" + settings.port() + ")";
  }
}
