package io.duplog.ingest;

import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.omprog.Conversation;
import io.duplog.ingest.omprog.Mode;
import io.duplog.ingest.publish.BatchPublisher;
import io.duplog.ingest.publish.Publishing;
import io.duplog.ingest.publish.RsyslogContact;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a shim that rsyslog's omprog has started: it reads messages from standard input and
 * publishes them to RabbitMQ. The calling thread reads from rsyslog while the publisher connects.
 */
final class Shim {
  private static final Logger log = LoggerFactory.getLogger(Shim.class);

  private final BatchPublisher publisher;
  private final TransactionMark mark;
  private final Conversation conversation;

  Shim(IngestConfig config) {
    publisher = publisher(config, null);
    mark =
        config.omprog().mode() == Mode.CONFIRM
            ? TransactionMark.ofThisProcess(config.stream(), config.batch())
            : TransactionMark.none();
    conversation =
        new Conversation(
            config.omprog(),
            config.batch(),
            config.stream(),
            new FileInputStream(FileDescriptor.in),
            new FileOutputStream(FileDescriptor.out),
            publisher,
            mark,
            Time.SYSTEM);
  }

  /**
   * Returns a publisher for this node's stream. The caller starts it.
   *
   * @param contact last contact with rsyslog, for the heartbeats, or null if this process ends with
   *     rsyslog
   */
  static BatchPublisher publisher(IngestConfig config, @Nullable RsyslogContact contact) {
    if (!config.broker().persistent()) {
      log.warn("broker.persistent is false: a restart of RabbitMQ loses what it has confirmed");
    }
    return Publishing.to(
        config.broker(),
        config.heartbeat(),
        contact,
        config.stream(),
        config.batch().maxUnconfirmed().bytes());
  }

  /**
   * Runs until rsyslog closes its pipe.
   *
   * @return the exit status: 0, or 1 if messages may be lost
   */
  int run() throws InterruptedException {
    publisher
        .start(); // may throw; so the hook, which waits for the conversation, is added afterwards
    Runtime.getRuntime().addShutdownHook(new Thread(this::onTermination, "terminate"));
    return conversation.run() == 0 ? 0 : 1;
  }

  /** Called on SIGTERM, and when the JVM exits after the end of the conversation. */
  private void onTermination() {
    try {
      long unconfirmedMessages = conversation.stop();
      mark.close();
      if (unconfirmedMessages > 0) {
        log.error(
            "{} messages may be lost: rsyslog has handed them over, RabbitMQ has not confirmed"
                + " them",
            unconfirmedMessages);
      }
      publisher.close();
      Runtime.getRuntime().halt(unconfirmedMessages == 0 ? 0 : 1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
