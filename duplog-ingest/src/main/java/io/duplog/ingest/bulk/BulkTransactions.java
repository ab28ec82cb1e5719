package io.duplog.ingest.bulk;

import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.ConfirmedTransaction;
import io.duplog.ingest.batch.Pace;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.omprog.OmprogSettings;
import io.duplog.ingest.publish.Publisher;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes one request after the other, each as a transaction. rsyslog may have several workers
 * whose transactions fail at once, and none says which it is: what each failed one has left in
 * RabbitMQ is kept apart, and found again by the first message that is sent again. For one thread
 * at a time.
 */
final class BulkTransactions {
  private static final Logger log = LoggerFactory.getLogger(BulkTransactions.class);

  /**
   * Number of failed transactions that are kept apart: rsyslog's disk queue has a worker beside
   * that of the memory queue, and a restart may begin another pair. With one more, the oldest is
   * forgotten, and its messages may come twice.
   */
  private static final int MOST = 4;

  private final BatchSettings settings;
  private final OmprogSettings agreed;
  private final String stream;
  private final Publisher publisher;
  private final Time time;
  private final Pace pace;

  /** The one used last stands last. */
  private final Deque<ConfirmedTransaction> transactions = new ArrayDeque<>();

  /** The one of the request that is being read; null before its first message. */
  private @Nullable ConfirmedTransaction current;

  private int messages;
  private boolean failed;
  private long cut;

  BulkTransactions(
      BatchSettings settings,
      OmprogSettings agreed,
      String stream,
      Publisher publisher,
      Time time) {
    this.settings = settings;
    this.agreed = agreed;
    this.stream = stream;
    this.publisher = publisher;
    this.time = time;
    this.pace = new Pace(settings);
    pace.failed(0); // a shim before this one may have left a transaction without an answer
  }

  /**
   * Reads a request and publishes its messages.
   *
   * @param atEnd called when the whole request was read, before the wait for RabbitMQ
   * @return whether RabbitMQ has confirmed all of them; if not, rsyslog must send them again
   * @throws IOException if the request breaks off; then nothing of it counts
   */
  boolean take(InputStream body, Runnable atEnd) throws IOException, InterruptedException {
    current = null;
    messages = 0;
    failed = false;
    pace.begun(time.nanos());
    BulkReader reader = new BulkReader(body, agreed.maxMessage().toIntExact(), this::message);
    boolean confirmed = false;
    try {
      reader.run();
      atEnd.run();
      confirmed = !failed && (current == null || current.publish());
    } finally {
      logCut(reader.cut());
      if (current != null) {
        current.drop();
      }
      if (!confirmed) {
        pace.failed(messages);
      }
    }
    long rest = confirmed ? pace.answerAt(messages) - time.nanos() : 0;
    if (rest > 0) {
      time.sleep(rest);
    }
    return confirmed;
  }

  private void message(byte[] buffer, int offset, int length)
      throws IOException, InterruptedException {
    messages++;
    if (current == null) {
      current = chosen(buffer, offset, length);
    }
    failed = failed || !current.add(buffer, offset, length);
  }

  /**
   * Returns the transaction that this message was part of when it failed, or else one that has
   * nothing left to be sent again.
   */
  private ConfirmedTransaction chosen(byte[] buffer, int offset, int length) {
    ConfirmedTransaction chosen =
        transactions.stream()
            .filter(each -> each.expects(buffer, offset, length))
            .findFirst()
            .or(() -> transactions.stream().filter(ConfirmedTransaction::owesNothing).findFirst())
            .orElseGet(() -> transactions.size() < MOST ? another() : transactions.getFirst());
    transactions.remove(chosen);
    transactions.addLast(chosen);
    return chosen;
  }

  private ConfirmedTransaction another() {
    return new ConfirmedTransaction(
        settings,
        agreed.senderPrefix(),
        stream,
        publisher,
        agreed.patience(),
        agreed.patience(),
        () -> {},
        time);
  }

  private void logCut(long more) {
    if (more > 0) {
      cut += more;
      log.warn(
          "{} lines longer than omprog.max-message were cut to it ({} since the start)", more, cut);
    }
  }
}
