package io.duplog.ingest.omprog;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.EncodedBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions with confirmation. A COMMIT is answered with OK only when RabbitMQ has confirmed all
 * of its transaction; rsyslog sends one again whose COMMIT failed. When this program dies before
 * the COMMIT, rsyslog forgets what was deferred (seen with 8.2302 and 8.2610). Nothing is published
 * before the COMMIT, so that a transaction that breaks off leaves no trace; only of one that is
 * larger than what may be held, batches are published ahead.
 *
 * <p>Small transactions in quick succession would cost every station behind as much as large ones.
 * So the answer to a COMMIT waits until rsyslog has gathered a transaction of a good size, by the
 * rate of this one; a linger from its BEGIN at most. A message after a pause does not wait at all,
 * nor does what follows a transaction that rsyslog's own limit cut: it is as large as the one
 * before, and more of them wait.
 *
 * <p>rsyslog may run two workers on one program (a disk-assisted queue with forceSingleInstance
 * does), whose transactions then interleave. A COMMIT publishes the messages of both, which is
 * harmless. When it fails, so must the COMMITs of all transactions that were open then, since their
 * messages are dropped; until they are through, no new one may begin.
 */
final class ConfirmedDialogue implements Dialogue {
  private static final Logger log = LoggerFactory.getLogger(ConfirmedDialogue.class);

  /** Messages of a transaction that would hardly be cheaper, each, if it were larger. */
  private static final int GOOD_SIZE = 512;

  /** From so many messages on, two transactions in a row are hardly equal by chance. */
  private static final int LEAST_CUT = 32;

  private final OmprogSettings settings;
  private final String stream;
  private final long maxHeldBytes;
  private final long lingerNanos;

  /** Before a failure is answered: rsyslog may try again at once. */
  private final long failurePauseNanos;

  private final Answers answers;
  private final Publisher publisher;
  private final Time time;
  private final Marks marks;
  private final Batcher batcher;
  private final BatchIds ids = BatchIds.random();

  /** Transactions begun and not committed. */
  private int open;

  /** When the last of them began, and how long after the one before, while it was gathered. */
  private long begunNanos;

  private long gatheredNanos;

  /** Messages since the last COMMIT, and between that and the one before. */
  private int messages;

  private int messagesBefore;

  private boolean warned;

  /** Of the transaction: batches that wait for the COMMIT. */
  private final List<OutgoingBatch> held = new ArrayList<>();

  private long heldBytes;

  /** Some of the open transactions' messages were dropped: they can only fail. */
  private boolean doomed;

  private final Resend resend = new Resend();

  ConfirmedDialogue(
      OmprogSettings settings,
      BatchSettings batch,
      String stream,
      Answers answers,
      Publisher publisher,
      Time time) {
    this.settings = settings;
    this.stream = stream;
    this.maxHeldBytes = batch.maxUnconfirmed().bytes();
    this.lingerNanos = batch.linger().toNanos();
    this.failurePauseNanos = settings.failurePause().toNanos();
    this.answers = answers;
    this.publisher = publisher;
    this.time = time;
    this.marks = new Marks(settings.beginMark(), settings.commitMark());
    this.batcher = new Batcher(batch, settings.senderPrefix(), publisher.queues(), this::hold);
  }

  @Override
  public void opened() throws IOException {
    answers.ok();
    answers.flush();
  }

  @Override
  public void line(byte[] buffer, int offset, int length) throws IOException, InterruptedException {
    if (marks.isBegin(buffer, offset, length)) {
      begin();
    } else if (marks.isCommit(buffer, offset, length)) {
      commit();
    } else {
      messages++;
      if (!doomed) {
        message(buffer, offset, length);
      }
      answers.deferCommit();
    }
  }

  private void begin() throws IOException, InterruptedException {
    long before = begunNanos;
    begunNanos = time.nanos();
    gatheredNanos = begunNanos - before;
    if (doomed && open > 0) {
      pause(begunNanos + failurePauseNanos);
      answers.failure(publisher.condition());
    } else {
      open++;
      if (open == 2 && !warned) {
        warned = true;
        log.warn(
            "rsyslog runs two transactions at once: leave forceSingleInstance off, with it a failed"
                + " COMMIT takes the other transaction along");
      }
      answers.ok();
    }
  }

  private void message(byte[] buffer, int offset, int length)
      throws IOException, InterruptedException {
    if (!resend.isEmpty()) {
      if (resend.covers(buffer, offset, length)) {
        return;
      }
      resend.expectNoMore();
    }
    batcher.add(buffer, offset, length);
    if (heldBytes > maxHeldBytes) {
      // Of every queue: what is expected again after a failure is what came first.
      batcher.cut();
      publish();
    }
  }

  private void commit() throws IOException, InterruptedException {
    long since = time.nanos();
    open = Math.max(0, open - 1);
    if (!doomed) {
      batcher.cut();
    }
    if (!doomed && publish()) {
      if (messages < LEAST_CUT || messages != messagesBefore) {
        long enough = gatheredNanos / Math.max(1, messages) * GOOD_SIZE;
        pause(begunNanos + Math.min(lingerNanos, enough));
      }
      answers.ok();
    } else {
      String reason = publisher.condition();
      pause(since + failurePauseNanos);
      log.debug("COMMIT failed: {}", reason);
      answers.failure(reason);
      doomed = open > 0;
    }
    batcher.drop();
    messagesBefore = messages;
    messages = 0;
  }

  /** A batch of the transaction is full, or a queue's last. */
  private void hold(EncodedBatch batch, int queue) {
    held.add(OutgoingBatch.of(batch, ids.next(), stream, time.millis(), queue));
    heldBytes += batch.body().length;
  }

  /**
   * Publishes what there is of the transaction, and keeps rsyslog waiting.
   *
   * @return false where RabbitMQ has not confirmed it in time; the transaction is doomed then, and
   *     its batches are kept for when it comes again
   */
  private boolean publish() throws IOException, InterruptedException {
    resend.unconfirmed().forEach(publisher::submit);
    held.forEach(publisher::submit);
    boolean confirmed = awaitConfirmed();
    if (confirmed) {
      resend.committed();
    } else {
      resend.failed(held, publisher.withdraw());
      doomed = true;
    }
    held.clear();
    heldBytes = 0;
    return confirmed;
  }

  private boolean awaitConfirmed() throws IOException, InterruptedException {
    long keepAlive = settings.keepAlive().toNanos();
    long deadline = time.nanos() + settings.patience().toNanos();
    long rest = settings.patience().toNanos();
    while (rest > 0) {
      if (publisher.awaitConfirmed(Math.min(rest, keepAlive))) {
        return true;
      }
      answers.keepAlive();
      rest = deadline - time.nanos();
    }
    return false;
  }

  private void pause(long deadline) throws IOException, InterruptedException {
    long keepAlive = settings.keepAlive().toNanos();
    for (long rest = deadline - time.nanos(); rest > 0; rest = deadline - time.nanos()) {
      time.sleep(Math.min(rest, keepAlive));
      if (rest >= keepAlive) {
        answers.keepAlive();
      }
    }
  }

  @Override
  public void drained() throws IOException {
    answers.flush();
  }

  @Override
  public long linger() {
    return Long.MAX_VALUE;
  }

  @Override
  public boolean isBetweenTransactions() {
    return open == 0;
  }

  @Override
  public boolean takesUnfinishedLine() {
    return false;
  }

  /** What is not committed is dropped: an rsyslog that still has it sends it again, as new. */
  @Override
  public long closed() {
    if (open > 0) {
      log.info("rsyslog left in mid-transaction: dropped what it had not committed");
    }
    publisher.withdraw();
    return 0;
  }
}
