package io.duplog.ingest.omprog;

import io.duplog.ingest.batch.AnswerPacing;
import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.ConfirmedTransaction;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.MessageForm;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Talks to rsyslog in the mode {@code confirm}: it says OK to a transaction after RabbitMQ has
 * confirmed all its messages. If a COMMIT fails, rsyslog sends the transaction again. If this
 * program dies before the COMMIT, rsyslog gives the rest of the transaction to the next program. It
 * forgets the deferred messages unless the next program's COMMIT fails (observed with 8.2302 and
 * 8.2610). Therefore, a program whose predecessor died within a transaction fails its first COMMIT,
 * and publishes no message of that transaction.
 *
 * <p>rsyslog may run two workers with one program, for example with a disk-assisted queue and
 * forceSingleInstance. Their transactions then interleave. A COMMIT publishes the messages of both,
 * which is harmless. If a COMMIT fails, the COMMITs of all open transactions must fail, too,
 * because their messages are dropped. No new transaction may begin until all these transactions
 * have ended.
 */
final class ConfirmedDialogue implements Dialogue {
  private static final Logger log = LoggerFactory.getLogger(ConfirmedDialogue.class);

  private final OmprogSettings settings;

  /** Pause in nanoseconds before the answer to a failure, because rsyslog may retry immediately. */
  private final long failurePauseNanos;

  private final Answers answers;
  private final Publisher publisher;
  private final TransactionMark mark;
  private final Time time;
  private final Marks marks;
  private final ConfirmedTransaction transaction;
  private final AnswerPacing pacing;

  /** Number of transactions that rsyslog has begun but not committed. */
  private int openTransactions;

  /** Whether exactly one transaction is open, and it has no messages yet. */
  private boolean openTransactionIsEmpty;

  /** Number of messages since the last COMMIT. */
  private int messagesSinceCommit;

  private boolean interleavingWarned;

  /** Whether the COMMITs of the open transactions must fail, because messages were dropped. */
  private boolean commitMustFail;

  /**
   * Whether the first COMMIT must fail, so that rsyslog sends the deferred messages of a dead shim
   * again.
   */
  private boolean predecessorDiedInTransaction;

  /**
   * Whether to leave the first message of the next transaction unanswered, so that rsyslog gives it
   * to the next program. If the BEGIN were left unanswered, rsyslog would send the message twice
   * (8.2302).
   */
  private boolean endRequested;

  /** Whether a message was left unanswered. */
  private boolean messageUnanswered;

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
    this.predecessorDiedInTransaction = mark.predecessorDiedInTransaction();
    this.commitMustFail = predecessorDiedInTransaction;
    this.time = time;
    this.marks = new Marks(settings.beginMark(), settings.commitMark());
    this.pacing = new AnswerPacing(batch);
    this.transaction =
        new ConfirmedTransaction(
            batch,
            MessageForm.ofText(settings.senderPrefix()),
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
  public void started() throws IOException {
    if (predecessorDiedInTransaction) {
      log.warn(
          "the shim before this one ended in mid-transaction, or may have: rsyslog sends the first"
              + " transaction again, so that nothing is lost");
    }
    answers.ok();
    answers.flush();
  }

  @Override
  public void handleLine(byte[] buffer, int offset, int length)
      throws IOException, InterruptedException {
    if (marks.isBegin(buffer, offset, length)) {
      handleBegin();
    } else if (marks.isCommit(buffer, offset, length)) {
      handleCommit();
    } else if (messageUnanswered
        || (endRequested && openTransactionIsEmpty && transaction.owesNothing())) {
      messageUnanswered = true;
    } else {
      messagesSinceCommit++;
      openTransactionIsEmpty = false;
      mark.markOpen();
      commitMustFail = commitMustFail || !transaction.add(buffer, offset, length, true);
      answers.deferCommit();
    }
  }

  private void handleBegin() throws IOException, InterruptedException {
    long now = time.nanos();
    pacing.transactionBegan(now);
    if (commitMustFail && openTransactions > 0) {
      pauseUntil(now + failurePauseNanos);
      answers.failure(publisher.condition());
    } else {
      openTransactionIsEmpty = openTransactions == 0;
      openTransactions++;
      if (openTransactions == 2 && !interleavingWarned) {
        interleavingWarned = true;
        log.warn(
            "rsyslog runs two transactions at once: leave forceSingleInstance off, with it a failed"
                + " COMMIT takes the other transaction along");
      }
      answers.ok();
    }
  }

  private void handleCommit() throws IOException, InterruptedException {
    long startNanos = time.nanos();
    openTransactions = Math.max(0, openTransactions - 1);
    if (!commitMustFail && transaction.publish()) {
      pauseUntil(pacing.answerAt(messagesSinceCommit));
      transaction.answered();
      answers.ok();
    } else {
      String reason = publisher.condition();
      if (predecessorDiedInTransaction) {
        reason = "the shim before this one ended in mid-transaction";
        predecessorDiedInTransaction = false;
      } else {
        pauseUntil(startNanos + failurePauseNanos);
      }
      log.debug("COMMIT failed: {}", reason);
      answers.failure(reason);
      pacing.transactionFailed(messagesSinceCommit);
      commitMustFail = openTransactions > 0;
    }
    transaction.drop();
    messagesSinceCommit = 0;
  }

  private void pauseUntil(long deadline) throws IOException, InterruptedException {
    long keepAliveNanos = settings.keepAlive().toNanos();
    for (long remainingNanos = deadline - time.nanos();
        remainingNanos > 0;
        remainingNanos = deadline - time.nanos()) {
      time.sleep(Math.min(remainingNanos, keepAliveNanos));
      if (remainingNanos >= keepAliveNanos) {
        answers.keepAlive();
      }
    }
  }

  @Override
  public void linesHandled() throws IOException {
    answers.flush();
    // As long as rsyslog has to send messages again, a successor must know which messages.
    if (openTransactions == 0
        && messagesSinceCommit == 0
        && !predecessorDiedInTransaction
        && transaction.owesNothing()) {
      mark.markClosed();
    }
  }

  @Override
  public long publishGathered() {
    return Long.MAX_VALUE;
  }

  @Override
  public void requestEnd() {
    log.info(
        "the shim was asked to stop: it ends with rsyslog's next message, or when rsyslog closes the"
            + " pipe");
    endRequested = true;
  }

  @Override
  public boolean mayEnd() {
    return messageUnanswered;
  }

  @Override
  public boolean isIdle() {
    return openTransactions == 0 && messagesSinceCommit == 0 && transaction.owesNothing();
  }

  /** Drops uncommitted messages. rsyslog sends them again if it still has them. */
  @Override
  public long ended() {
    if (messagesSinceCommit > 0) {
      log.info("rsyslog left in mid-transaction: dropped what it had not committed");
    }
    publisher.withdraw();
    return 0;
  }
}
