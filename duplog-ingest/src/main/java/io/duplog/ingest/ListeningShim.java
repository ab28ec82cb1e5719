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

/** Wires the listener for rsyslog to the publisher, and ends both on SIGTERM. */
final class ListeningShim {
  private final IngestConfig config;
  private final ListenSettings listenSettings;
  private final CountDownLatch endRequest = new CountDownLatch(1);
  private final CountDownLatch endReport = new CountDownLatch(1);

  ListeningShim(IngestConfig config, ListenSettings listenSettings) {
    this.config = config;
    this.listenSettings = listenSettings;
  }

  /**
   * Runs until the process is told to end. What rsyslog was promised is in RabbitMQ then.
   *
   * @return the exit status
   * @throws IOException if the port can't be opened, in words for an operator
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
      Runtime.getRuntime().addShutdownHook(new Thread(this::terminated, "terminate"));
      publisher.start();
      supervision.start();
      endRequest.await();
      supervision.stopping(server.longest());
      server.stop();
    } finally {
      endReport.countDown();
    }
    return 0;
  }

  private static String health(BatchPublisher publisher, RsyslogContact contact) {
    String rsyslog = contact.trouble();
    return rsyslog.isEmpty() ? publisher.health() : rsyslog;
  }

  /** Called on SIGTERM; the JVM ends when this returns. */
  private void terminated() {
    endRequest.countDown();
    try {
      endReport.await();
      Runtime.getRuntime().halt(0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
