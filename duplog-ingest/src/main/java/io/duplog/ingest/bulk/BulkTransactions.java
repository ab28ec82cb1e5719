package io.duplog.ingest.bulk;

import io.duplog.ingest.batch.AnswerPacing;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.ConfirmedTransaction;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.omprog.OmprogSettings;
import io.duplog.ingest.publish.Publisher;
import io.duplog.ingest.publish.RsyslogContact;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes one request after the other, each as a transaction. rsyslog may have several workers
 * whose transactions fail at once and are sent again by turns, and none says which it is. So what
 * all of them have left in RabbitMQ is remembered together: a message that is sent again is found,
 * whoever sends it. For one thread at a time.
 */
final class BulkTransactions {
  private static final Logger log = LoggerFactory.getLogger(BulkTransactions.class);

  /**
   * Time in nanoseconds since the last failure after which what was left in RabbitMQ is forgotten,
   * so that no new message is ever taken for one of a transaction that rsyslog has lost.
   */
  private static final long FORGET_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final int maxMessageBytes;
  private final boolean senderPrefixed;
  private final RsyslogContact contact;
  private final Time time;
  private final AnswerPacing pacing;
  private final ConfirmedTransaction transaction;
  private final TransactionMark mark;
  private long failedNanos;
  private int messages;
  private boolean failed;
  private long cut;

  BulkTransactions(
      BatchSettings settings,
      OmprogSettings agreed,
      String stream,
      Publisher publisher,
      RsyslogContact contact,
      TransactionMark mark,
      Time time) {
    this.maxMessageBytes = agreed.maxMessage().toIntExact();
    this.senderPrefixed = agreed.senderPrefix();
    this.contact = contact;
    this.time = time;
    this.transaction =
        new ConfirmedTransaction(
            settings,
            agreed.senderPrefix(),
            stream,
            publisher,
            agreed.patience(),
            agreed.patience(),
            () -> {},
            mark,
            time);
    this.mark = mark;
    this.failedNanos = time.nanos(); // a predecessor may have failed
    this.pacing = new AnswerPacing(settings);
    pacing.failed(0); // a shim before this one may have left a transaction without an answer
  }

  /**
   * Reads a request and publishes its messages.
   *
   * @param atEnd called when the whole request was read, before the wait for RabbitMQ
   * @return whether RabbitMQ has confirmed all of them; if not, rsyslog must send them again
   * @throws UnreadableException if it is no bulk request, in words for an operator
   * @throws IOException if the request breaks off; then nothing of it counts
   */
  boolean take(InputStream body, Runnable atEnd) throws IOException, InterruptedException {
    messages = 0;
    failed = false;
    long now = time.nanos();
    pacing.begun(now);
    if (now - failedNanos > FORGET_NANOS) {
      transaction.expectNoMore();
    }
    mark.begun();
    BulkReader reader = new BulkReader(body, maxMessageBytes, this::message, this::run);
    boolean confirmed = false;
    try {
      reader.run();
      contact.handedOver();
      atEnd.run();
      confirmed = !failed && transaction.publish();
    } finally {
      logCut(reader.cut());
      transaction.drop();
      contact.answered();
      if (!confirmed) {
        pacing.failed(messages);
        failedNanos = time.nanos();
      }
    }
    long rest = confirmed ? pacing.answerAt(messages) - time.nanos() : 0;
    if (rest > 0) {
      time.sleep(rest);
    }
    return confirmed;
  }

  /**
   * Called after {@link #take} has returned true, right before the answer: a successor must not
   * expect these messages any more.
   */
  void answering() {
    transaction.answered();
    if (transaction.owesNothing()) { // else a successor has to know what
      mark.ended();
    }
  }

  /**
   * Called with the run of rsyslog. Batches that a predecessor has left count only for the rsyslog
   * that it served.
   */
  private void run(String run) {
    if (mark.serve(run)) {
      transaction.seekLeftovers();
    }
  }

  private void message(byte[] buffer, int offset, int length)
      throws IOException, InterruptedException {
    if (contact.isProbe(buffer, offset, length, senderPrefixed)) {
      return;
    }
    messages++;
    failed = failed || !transaction.add(buffer, offset, length, false);
  }

  private void logCut(long more) {
    if (more > 0) {
      cut += more;
      log.warn(
          "{} lines longer than omprog.max-message were cut to it ({} since the start)", more, cut);
    }
  }
}
