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
 * Transactions with confirmation. A COMMIT is answered with OK only after RabbitMQ has confirmed
 * its whole transaction; rsyslog sends a transaction again if its COMMIT failed. If this program
 * dies before the COMMIT, rsyslog gives the rest of the transaction to the next program, and
 * forgets what was deferred unless that COMMIT fails (seen with 8.2302 and 8.2610). So a program
 * whose predecessor died in mid-transaction fails its first COMMIT and publishes nothing of it.
 *
 * <p>Nothing is published before the COMMIT, so that a transaction that breaks off leaves no trace;
 * only if a transaction is larger than what may be held, batches are published ahead.
 *
 * <p>Small transactions in quick succession would each cost every station as much as a large one.
 * So the answer to a COMMIT waits until rsyslog has gathered a transaction of a good size, by the
 * rate of this one, and no longer than a linger from its BEGIN. A message after a pause does not
 * wait at all. Nor does what follows a transaction that rsyslog's own limit cut: such a transaction
 * is as large as the one before, and more messages wait already.
 *
 * <p>rsyslog may run two workers on one program (a disk-assisted queue with forceSingleInstance
 * does), whose transactions then interleave. A COMMIT publishes the messages of both, which is
 * harmless. If it fails, the COMMITs of all transactions that were open then must fail, too,
 * because their messages are dropped. No new transaction may begin until all of those are over.
 */
final class ConfirmedDialogue implements Dialogue {
  private static final Logger log = LoggerFactory.getLogger(ConfirmedDialogue.class);

  /** Number of messages above which a larger transaction hardly costs less per message. */
  private static final int GOOD_SIZE = 512;

  /** Least number of messages at which two equal transactions in a row count as cut by rsyslog. */
  private static final int LEAST_CUT = 32;

  private final OmprogSettings settings;
  private final String stream;
  private final long maxHeldBytes;
  private final long lingerNanos;

  /** Pause in nanoseconds before a failure is answered, because rsyslog may retry at once. */
  private final long failurePauseNanos;

  private final Answers answers;
  private final Publisher publisher;
  private final TransactionMark mark;
  private final Time time;
  private final Marks marks;
  private final Batcher batcher;
  private final BatchIds ids = BatchIds.random();

  /** Number of transactions that rsyslog has begun and not committed. */
  private int open;

  /** Whether one transaction is open, and no message of it has come. */
  private boolean fresh;

  /**
   * Time in nanoseconds at which the last transaction began. {@link #gatheredNanos} is the time
   * since the one before began, in which rsyslog gathered the messages.
   */
  private long begunNanos;

  private long gatheredNanos;

  /**
   * Number of messages since the last COMMIT; {@link #messagesBefore} is the number before that
   * COMMIT.
   */
  private int messages;

  private int messagesBefore;

  /** Whether rsyslog sends a failed transaction again, one message at a time. */
  private boolean replaying;

  private boolean warned;

  /** Batches of the open transactions, which wait for a COMMIT. */
  private final List<OutgoingBatch> held = new ArrayList<>();

  private long heldBytes;

  /** Whether the open transactions' COMMITs must fail, because some messages were dropped. */
  private boolean doomed;

  /**
   * Whether the first COMMIT must fail, so that rsyslog sends again what a dead shim had deferred.
   */
  private boolean predecessorBrokeOff;

  /**
   * Whether the first message of the next transaction is to stay unanswered. rsyslog then gives it
   * to the next program. If BEGIN stays unanswered, rsyslog sends the message twice (8.2302).
   */
  private boolean ending;

  /** Whether a message stayed unanswered. */
  private boolean over;

  private final Resend resend = new Resend();

  ConfirmedDialogue(
      OmprogSettings settings,
      BatchSettings batch,
      String stream,
      Answers answers,
      Publisher publisher,
      TransactionMark mark,
      Time time) {
    this.settings = settings;
    this.stream = stream;
    this.maxHeldBytes = batch.maxUnconfirmed().bytes();
    this.lingerNanos = batch.linger().toNanos();
    this.failurePauseNanos = settings.failurePause().toNanos();
    this.answers = answers;
    this.publisher = publisher;
    this.mark = mark;
    this.predecessorBrokeOff = mark.predecessorBrokeOff();
    this.doomed = predecessorBrokeOff;
    this.time = time;
    this.marks = new Marks(settings.beginMark(), settings.commitMark());
    this.batcher = new Batcher(batch, settings.senderPrefix(), publisher.queues(), this::hold);
  }

  @Override
  public void opened() throws IOException {
    if (predecessorBrokeOff) {
      log.warn(
          "the shim before this one ended in mid-transaction, or may have: rsyslog sends the first"
              + " transaction again, so that nothing is lost");
    }
    answers.ok();
    answers.flush();
  }

  @Override
  public void line(byte[] buffer, int offset, int length) throws IOException, InterruptedException {
    if (marks.isBegin(buffer, offset, length)) {
      begin();
    } else if (marks.isCommit(buffer, offset, length)) {
      commit();
    } else if (over || (ending && fresh && resend.isEmpty())) {
      over = true;
    } else {
      messages++;
      fresh = false;
      mark.begun();
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
      fresh = open == 0;
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
      // Cuts the batches of all queues, because after a failure a prefix of the transaction is
      // expected.
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
      replaying &= messages <= 1;
      if (!replaying && (messages < LEAST_CUT || messages != messagesBefore)) {
        long enough = gatheredNanos / Math.max(1, messages) * GOOD_SIZE;
        pause(begunNanos + Math.min(lingerNanos, enough));
      }
      answers.ok();
    } else {
      String reason = publisher.condition();
      if (predecessorBrokeOff) {
        reason = "the shim before this one ended in mid-transaction";
        predecessorBrokeOff = false;
      } else {
        pause(since + failurePauseNanos);
      }
      log.debug("COMMIT failed: {}", reason);
      answers.failure(reason);
      replaying = true;
      doomed = open > 0;
    }
    batcher.drop();
    messagesBefore = messages;
    messages = 0;
  }

  /** Called when a batch of the open transaction is full or was cut. */
  private void hold(EncodedBatch batch, int queue) {
    held.add(OutgoingBatch.of(batch, ids.next(), stream, time.millis(), queue));
    heldBytes += batch.body().length;
  }

  /**
   * Publishes what there is of the transaction while rsyslog waits.
   *
   * @return false if RabbitMQ has not confirmed it in time; then the transaction is doomed, and its
   *     batches are kept for when rsyslog sends it again
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
    if (open == 0 && messages == 0) {
      mark.ended();
    }
  }

  @Override
  public long linger() {
    return Long.MAX_VALUE;
  }

  @Override
  public void end() {
    log.info("told to end: waits for rsyslog's next message, and no longer than omprog.patience");
    ending = true;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public boolean takesUnfinishedLine() {
    return false;
  }

  /** Drops uncommitted messages; an rsyslog that still has them sends them again. */
  @Override
  public long closed() {
    if (messages > 0) {
      log.info("rsyslog left in mid-transaction: dropped what it had not committed");
    }
    publisher.withdraw();
    return 0;
  }
}
