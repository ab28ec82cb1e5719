package io.duplog.ingest;

import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.bulk.BulkServer;
import io.duplog.ingest.hec.HecServer;
import io.duplog.ingest.publish.BatchPublisher;
import io.duplog.ingest.publish.Listener;
import io.duplog.ingest.publish.RsyslogContact;
import io.duplog.process.Supervision;
import io.duplog.process.SystemdNotify;
import io.duplog.wire.BatchLimits;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Runs a shim that receives messages by HTTP, as a service, and publishes them to RabbitMQ. They
 * come from rsyslog or from clients of HTTP Event Collector.
 */
final class ListeningShim {
  private final IngestConfig config;
  private final CountDownLatch endRequested = new CountDownLatch(1);

  /** Completed at the end: true after a normal stop, false if the shim failed. */
  private final CompletableFuture<Boolean> normalStop = new CompletableFuture<>();

  /**
   * @param config has a section {@code listen} or {@code hec}
   */
  ListeningShim(IngestConfig config) {
    this.config = config;
  }

  /**
   * Runs until SIGTERM. All messages that were confirmed to rsyslog are in RabbitMQ when this
   * method returns.
   *
   * @return the exit status
   * @throws IOException if the port can't be opened; the message is for the operator
   */
  int run() throws IOException, InterruptedException {
    // First, because a SIGTERM must not end the shim before it has answered its requests.
    Runtime.getRuntime().addShutdownHook(new Thread(this::onTermination, "terminate"));
    try {
      serve();
      normalStop.complete(true);
    } finally {
      normalStop.complete(false); // has no effect after a normal stop
    }
    return 0;
  }

  private void serve() throws IOException, InterruptedException {
    RsyslogContact contact = config.listen() == null ? null : new RsyslogContact(System::nanoTime);
    try (BatchPublisher publisher = Shim.publisher(config, contact);
        TransactionMark mark = TransactionMark.ofListener(config.stream(), config.batch())) {
      Listener server = open(publisher, mark, contact);
      Supervision supervision =
          new Supervision(
              System.getenv(),
              () -> health(publisher, contact),
              server::isAlive,
              new SystemdNotify()::say,
              System::nanoTime);
      publisher.start();
      supervision.start();
      endRequested.await();
      supervision.stopping(server.maxStopTime());
      server.stop();
    }
  }

  private static String health(BatchPublisher publisher, @Nullable RsyslogContact contact) {
    String rsyslog = contact == null ? "" : contact.trouble();
    return rsyslog.isEmpty() ? publisher.health() : rsyslog;
  }

  private Listener open(
      BatchPublisher publisher, TransactionMark mark, @Nullable RsyslogContact contact)
      throws IOException {
    if (config.hec() != null) {
      return HecServer.open(
          config.hec(),
          config.batch(),
          BatchLimits.DEFAULT.maxMessageBytes(),
          config.stream(),
          publisher,
          () -> publisher.health().equals("well"),
          mark,
          Time.SYSTEM);
    }
    return BulkServer.open(
        Objects.requireNonNull(config.listen()),
        config.omprog(),
        config.batch(),
        config.stream(),
        publisher,
        Objects.requireNonNull(contact),
        mark);
  }

  /**
   * Called on SIGTERM, and when the JVM exits because the shim failed. The JVM ends when this
   * method returns.
   */
  private void onTermination() {
    endRequested.countDown();
    if (normalStop.join()) {
      Runtime.getRuntime().halt(0);
    }
  }
}
