package io.duplog.ingest.omprog;

import io.duplog.ingest.batch.AnswerPacing;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.ConfirmedTransaction;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.Publisher;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers rsyslog's transactions. A COMMIT is answered with OK only after RabbitMQ has confirmed
 * its whole transaction; rsyslog sends a transaction again if its COMMIT failed. If this program
 * dies before the COMMIT, rsyslog gives the rest of the transaction to the next program, and
 * forgets what was deferred unless that COMMIT fails (seen with 8.2302 and 8.2610). So a program
 * whose predecessor died in mid-transaction fails its first COMMIT and publishes nothing of it.
 *
 * <p>rsyslog may run two workers on one program (a disk-assisted queue with forceSingleInstance
 * does), whose transactions then interleave. A COMMIT publishes the messages of both, which is
 * harmless. If it fails, the COMMITs of all transactions that were open then must fail, too,
 * because their messages are dropped. No new transaction may begin until all of those are over.
 */
final class ConfirmedDialogue implements Dialogue {
  private static final Logger log = LoggerFactory.getLogger(ConfirmedDialogue.class);

  private final OmprogSettings settings;

  /** Pause in nanoseconds before a failure is answered, because rsyslog may retry at once. */
  private final long failurePauseNanos;

  private final Answers answers;
  private final Publisher publisher;
  private final TransactionMark mark;
  private final Time time;
  private final Marks marks;
  private final ConfirmedTransaction transaction;
  private final AnswerPacing pacing;

  /** Number of transactions that rsyslog has begun and not committed. */
  private int openTransactions;

  /** Whether one transaction is open, and no message of it has come. */
  private boolean fresh;

  /** Number of messages since the last COMMIT. */
  private int messages;

  private boolean warned;

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

  ConfirmedDialogue(
      OmprogSettings settings,
      BatchSettings batch,
      String stream,
      Answers answers,
      Publisher publisher,
      TransactionMark mark,
      Time time) {
    this.settings = settings;
    this.failurePauseNanos = settings.failurePause().toNanos();
    this.answers = answers;
    this.publisher = publisher;
    this.mark = mark;
    this.predecessorBrokeOff = mark.predecessorBrokeOff();
    this.doomed = predecessorBrokeOff;
    this.time = time;
    this.marks = new Marks(settings.beginMark(), settings.commitMark());
    this.pacing = new AnswerPacing(batch);
    this.transaction =
        new ConfirmedTransaction(
            batch,
            settings.senderPrefix(),
            stream,
            publisher,
            settings.patience(),
            settings.keepAlive(),
            answers::keepAlive,
            mark,
            time);
    transaction.seekLeftovers();
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
    } else if (over || (ending && fresh && transaction.owesNothing())) {
      over = true;
    } else {
      messages++;
      fresh = false;
      mark.begun();
      doomed = doomed || !transaction.add(buffer, offset, length, true);
      answers.deferCommit();
    }
  }

  private void begin() throws IOException, InterruptedException {
    long now = time.nanos();
    pacing.begun(now);
    if (doomed && openTransactions > 0) {
      pause(now + failurePauseNanos);
      answers.failure(publisher.condition());
    } else {
      fresh = openTransactions == 0;
      openTransactions++;
      if (openTransactions == 2 && !warned) {
        warned = true;
        log.warn(
            "rsyslog runs two transactions at once: leave forceSingleInstance off, with it a failed"
                + " COMMIT takes the other transaction along");
      }
      answers.ok();
    }
  }

  private void commit() throws IOException, InterruptedException {
    long since = time.nanos();
    openTransactions = Math.max(0, openTransactions - 1);
    if (!doomed && transaction.publish()) {
      pause(pacing.answerAt(messages));
      transaction.answered();
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
      pacing.failed(messages);
      doomed = openTransactions > 0;
    }
    transaction.drop();
    messages = 0;
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
    // While rsyslog has to send something again, a successor has to know what.
    if (openTransactions == 0
        && messages == 0
        && !predecessorBrokeOff
        && transaction.owesNothing()) {
      mark.ended();
    }
  }

  @Override
  public long linger() {
    return Long.MAX_VALUE;
  }

  @Override
  public void end() {
    log.info("told to end: ends with rsyslog's next message, or when rsyslog closes the pipe");
    ending = true;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public boolean isIdle() {
    return openTransactions == 0 && messages == 0 && transaction.owesNothing();
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
