package io.duplog.ingest.bulk;

import io.duplog.ingest.batch.AnswerPacing;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.ConfirmedTransaction;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.omprog.OmprogSettings;
import io.duplog.ingest.publish.Publisher;
import io.duplog.ingest.publish.RsyslogContact;
import io.duplog.wire.MessageForm;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the messages of each HTTP request from rsyslog as one transaction, and recognises
 * messages that are sent again. Transactions of several rsyslog workers may fail at the same time
 * and be sent again alternately, and a request does not identify its worker. Therefore this class
 * remembers the batches that failed transactions of all workers left in RabbitMQ, and recognizes a
 * message that any worker sends again. Not thread-safe.
 */
final class BulkTransactions {
  private static final Logger log = LoggerFactory.getLogger(BulkTransactions.class);

  /**
   * Time after the last failure until the batches of failed transactions are forgotten. Otherwise a
   * new message could be mistaken for an equal message of a transaction that rsyslog has lost.
   */
  private static final long REMEMBER_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final int maxMessageBytes;
  private final boolean senderPrefixed;
  private final RsyslogContact contact;
  private final Time time;
  private final AnswerPacing pacing;
  private final ConfirmedTransaction transaction;
  private final TransactionMark mark;
  private long lastFailureNanos;
  private int messageCount;
  private boolean publishAheadFailed;
  private long cutMessages;

  BulkTransactions(
      BatchSettings settings,
      OmprogSettings omprog,
      String stream,
      Publisher publisher,
      RsyslogContact contact,
      TransactionMark mark,
      Time time) {
    this.maxMessageBytes = omprog.maxMessage().toIntExact();
    this.senderPrefixed = omprog.senderPrefix();
    this.contact = contact;
    this.time = time;
    this.transaction =
        new ConfirmedTransaction(
            settings,
            MessageForm.ofText(omprog.senderPrefix()),
            stream,
            publisher,
            omprog.patience(),
            omprog.patience(),
            () -> {},
            mark,
            time);
    this.mark = mark;
    this.lastFailureNanos = time.nanos(); // a transaction of a predecessor may have failed
    this.pacing = new AnswerPacing(settings);
    pacing.transactionFailed(0); // a predecessor may have left a transaction unanswered
  }

  /**
   * Reads a request and publishes its messages.
   *
   * @param afterReading called when the whole request was read, before the wait for RabbitMQ
   * @return whether RabbitMQ has confirmed all messages; otherwise rsyslog must send them again
   * @throws UnreadableException if the body is not that of a bulk request; the message is for the
   *     operator
   * @throws IOException if the connection is lost before the end of the request; its messages are
   *     then dropped
   */
  boolean publish(InputStream body, Runnable afterReading)
      throws IOException, InterruptedException {
    messageCount = 0;
    publishAheadFailed = false;
    long now = time.nanos();
    pacing.transactionBegan(now);
    if (now - lastFailureNanos > REMEMBER_NANOS) {
      transaction.expectNoMore();
    }
    mark.markOpen();
    BulkReader reader = new BulkReader(body, maxMessageBytes, this::handleMessage, this::handleRun);
    boolean confirmed = false;
    try {
      reader.run();
      contact.handedOver();
      afterReading.run();
      confirmed = !publishAheadFailed && transaction.publish();
    } finally {
      logCutMessages(reader.cutMessages());
      transaction.drop();
      contact.answered();
      if (!confirmed) {
        pacing.transactionFailed(messageCount);
        lastFailureNanos = time.nanos();
      }
    }
    long remainingNanos = confirmed ? pacing.answerAt(messageCount) - time.nanos() : 0;
    if (remainingNanos > 0) {
      time.sleep(remainingNanos);
    }
    return confirmed;
  }

  /**
   * Called immediately before the answer, after {@link #publish} has returned true. From now on, a
   * successor must not expect these messages again.
   */
  void answering() {
    transaction.answered();
    if (transaction.owesNothing()) { // otherwise a successor must know which messages
      mark.markClosed();
    }
  }

  /**
   * Called with the id of rsyslog's run. Batches that a predecessor left apply only to the rsyslog
   * that it served.
   */
  private void handleRun(String run) {
    if (mark.serve(run)) {
      transaction.seekLeftovers();
    }
  }

  private void handleMessage(byte[] buffer, int offset, int length)
      throws IOException, InterruptedException {
    if (contact.isProbe(buffer, offset, length, senderPrefixed)) {
      return;
    }
    messageCount++;
    publishAheadFailed = publishAheadFailed || !transaction.add(buffer, offset, length, false);
  }

  private void logCutMessages(long newCutMessages) {
    if (newCutMessages > 0) {
      cutMessages += newCutMessages;
      log.warn(
          "{} lines longer than omprog.max-message were cut to it ({} since the start)",
          newCutMessages,
          cutMessages);
    }
  }
}
