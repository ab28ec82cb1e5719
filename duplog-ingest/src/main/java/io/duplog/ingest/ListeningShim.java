package io.duplog.ingest;

import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.bulk.BulkServer;
import io.duplog.ingest.bulk.ListenSettings;
import io.duplog.ingest.publish.BatchPublisher;
import io.duplog.ingest.publish.RsyslogContact;
import io.duplog.observe.Supervision;
import io.duplog.observe.SystemdNotify;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/**
 * Runs a shim that receives messages from rsyslog by HTTP, as a service, and publishes them to
 * RabbitMQ.
 */
final class ListeningShim {
  private final IngestConfig config;
  private final ListenSettings listenSettings;
  private final CountDownLatch endRequested = new CountDownLatch(1);
  private final CountDownLatch runEnded = new CountDownLatch(1);

  ListeningShim(IngestConfig config, ListenSettings listenSettings) {
    this.config = config;
    this.listenSettings = listenSettings;
  }

  /**
   * Runs until SIGTERM. All messages that were confirmed to rsyslog are in RabbitMQ when this
   * method returns.
   *
   * @return the exit status
   * @throws IOException if the port can't be opened; the message is for the operator
   */
  int run() throws IOException, InterruptedException {
    RsyslogContact contact = new RsyslogContact(System::nanoTime);
    try (BatchPublisher publisher = Shim.publisher(config, contact);
        TransactionMark mark = TransactionMark.ofListener(config.stream(), config.batch())) {
      BulkServer server =
          BulkServer.open(
              listenSettings,
              config.omprog(),
              config.batch(),
              config.stream(),
              publisher,
              contact,
              mark);
      Supervision supervision =
          new Supervision(
              System.getenv(),
              () -> health(publisher, contact),
              server::isAlive,
              new SystemdNotify()::say,
              System::nanoTime);
      Runtime.getRuntime().addShutdownHook(new Thread(this::onTermination, "terminate"));
      publisher.start();
      supervision.start();
      endRequested.await();
      supervision.stopping(server.maxRequestTime());
      server.stop();
    } finally {
      runEnded.countDown();
    }
    return 0;
  }

  private static String health(BatchPublisher publisher, RsyslogContact contact) {
    String rsyslog = contact.trouble();
    return rsyslog.isEmpty() ? publisher.health() : rsyslog;
  }

  /** Called on SIGTERM. The JVM ends when this method returns. */
  private void onTermination() {
    endRequested.countDown();
    try {
      runEnded.await();
      Runtime.getRuntime().halt(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
