package io.duplog.ingest.omprog;

import io.duplog.ingest.batch.BatchSettings;
import io.duplog.ingest.batch.LineReader;
import io.duplog.ingest.batch.Time;
import io.duplog.ingest.batch.TransactionMark;
import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads messages from rsyslog's omprog, has them published, and answers, from rsyslog's first line
 * to its last. {@link #run} reads on the caller's thread, a second thread publishes gathered
 * messages after the linger time, and any thread may call {@link #stop}. A lock gives one thread at
 * a time access to the {@link Dialogue}. Thread-safe.
 */
public final class Conversation {
  private static final Logger log = LoggerFactory.getLogger(Conversation.class);

  /**
   * Maximum size of a read in mode confirm, in which messages arrive one by one. Up to this size
   * the JDK reads without a malloc.
   */
  private static final int CONFIRM_MODE_READ_BYTES = 8 * 1024;

  /** Maximum size of a read in the modes without confirmation: the capacity of a pipe. */
  private static final int OTHER_MODES_READ_BYTES = 64 * 1024;

  private static final long EMPTY_PIPE_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int EMPTY_PIPE_CHECKS = 3;

  private final InputStream in;
  private final boolean confirmMode;
  private final long patienceNanos;
  private final Publisher publisher;
  private final Time time;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition messagesGathered = lock.newCondition();
  private final Condition endPossible = lock.newCondition();

  // Guarded by lock.
  private final LineReader reader;
  private final Dialogue dialogue;
  private boolean lingerThreadIdle;
  private boolean stopRequested;
  private boolean finished;
  private long unconfirmedMessages;
  private long loggedCutLines;

  /**
   * Creates a conversation in the configured mode.
   *
   * @param in stream of rsyslog's lines; not buffered
   * @param out stream for answers to rsyslog; not buffered, and used only in mode confirm
   * @param mark transaction mark of this process; used only in mode confirm
   */
  public Conversation(
      OmprogSettings settings,
      BatchSettings batch,
      String stream,
      InputStream in,
      OutputStream out,
      Publisher publisher,
      TransactionMark mark,
      Time time) {
    this.in = in;
    this.confirmMode = settings.mode() == Mode.CONFIRM;
    this.patienceNanos = settings.patience().toNanos();
    this.publisher = publisher;
    this.time = time;
    this.reader =
        new LineReader(
            in,
            confirmMode ? CONFIRM_MODE_READ_BYTES : OTHER_MODES_READ_BYTES,
            settings.maxMessage().toIntExact());
    this.dialogue =
        switch (settings.mode()) {
          case CONFIRM ->
              new ConfirmedDialogue(
                  settings, batch, stream, new Answers(out), publisher, mark, time);
          case TRANSACTIONS, LINES ->
              new UnconfirmedDialogue(settings, batch, stream, publisher, time);
        };
  }

  /**
   * Handles rsyslog's lines until rsyslog closes the pipe or {@link #stop} is called.
   *
   * @return number of messages from rsyslog that RabbitMQ has not confirmed
   */
  public long run() throws InterruptedException {
    if (!confirmMode) {
      Thread lingerThread = new Thread(this::runLingerThread, "linger");
      lingerThread.setDaemon(true);
      lingerThread.start();
    }
    try {
      dialogue.started();
      while (runOnce()) {
        // each iteration handles the lines of one read
      }
    } catch (IOException e) {
      log.info("rsyslog has closed its pipe ({})", e.getMessage());
    } catch (InterruptedException | RuntimeException | Error e) {
      finish(); // no thread reads any more, so stop() must not wait for a line
      throw e;
    }
    return finish();
  }

  /**
   * Reads once and handles the complete lines.
   *
   * @return false if the conversation has ended
   */
  boolean runOnce() throws IOException, InterruptedException {
    // Does not hold the lock, because the read may block forever. No other thread uses the reader
    // before finish().
    boolean hasMore = reader.fill();
    lock.lock();
    try {
      if (finished) {
        return false;
      }
      reader.drain(dialogue::handleLine);
      dialogue.linesHandled();
      if (lingerThreadIdle) {
        messagesGathered.signal();
      }
      logCutLines();
      if (stopRequested && dialogue.mayEnd()) {
        endPossible.signal();
        return false;
      }
      return hasMore;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the conversation without waiting for rsyslog to close the pipe. In mode confirm it ends at
   * the first message of the next transaction, however late that message arrives. An earlier end
   * would lose deferred messages, which rsyslog forgets, or duplicate the message after a BEGIN,
   * which rsyslog sends twice. It waits for an open or failed transaction, but no longer than the
   * patience. In the other modes it first handles all lines that were read or are in the pipe,
   * because rsyslog has already forgotten them.
   *
   * @return as {@link #run}
   */
  public long stop() throws InterruptedException {
    long deadline = time.nanos() + patienceNanos;
    try {
      // Bytes that a read has just taken from the pipe reach the reader a little later. Therefore
      // the pipe must be empty in three checks in a row.
      int emptyChecks = 0;
      while (!confirmMode && emptyChecks < EMPTY_PIPE_CHECKS && time.nanos() < deadline) {
        emptyChecks = in.available() > 0 ? 0 : emptyChecks + 1;
        time.sleep(EMPTY_PIPE_CHECK_NANOS);
      }
    } catch (IOException e) {
      log.debug("stdin is closed: {}", e.getMessage());
    }
    if (!lock.tryLock(deadline - time.nanos(), TimeUnit.NANOSECONDS)) {
      return abandon();
    }
    try {
      stopRequested = true;
      if (!finished) {
        dialogue.requestEnd();
      }
      long remainingNanos = deadline - time.nanos();
      while (!finished && !dialogue.mayEnd() && (remainingNanos > 0 || dialogue.isIdle())) {
        if (remainingNanos > 0) {
          remainingNanos = endPossible.awaitNanos(remainingNanos);
        } else {
          endPossible.await();
        }
      }
      return finish();
    } finally {
      lock.unlock();
    }
  }

  private long finish() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (!finished) {
        finished = true;
        messagesGathered.signal(); // ends the wait of the linger thread
        endPossible.signal(); // rsyslog has closed the pipe, so further lines can't arrive
        unconfirmedMessages = close();
      }
      return unconfirmedMessages;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends while another thread holds the lock. That thread may be handling a COMMIT in mode confirm.
   * If its batches were withdrawn, it would mistake them for confirmed; so they are left, and
   * rsyslog sends a transaction with an unanswered COMMIT again.
   */
  private long abandon() {
    return confirmMode ? 0 : OutgoingBatch.messagesIn(publisher.withdraw());
  }

  private long close() throws InterruptedException {
    try {
      if (!confirmMode) { // in mode confirm, rsyslog sends an unfinished line again
        reader.drain(dialogue::handleLine);
        reader.drainUnfinished(dialogue::handleLine);
      }
      return dialogue.ended();
    } catch (IOException e) {
      log.debug("rsyslog is gone: {}", e.getMessage());
      return OutgoingBatch.messagesIn(publisher.withdraw());
    }
  }

  private void logCutLines() {
    long newCutLines = reader.cutLines() - loggedCutLines;
    if (newCutLines > 0) {
      loggedCutLines += newCutLines;
      log.warn(
          "{} lines longer than omprog.max-message were cut to it ({} since the start)",
          newCutLines,
          loggedCutLines);
    }
  }

  private void runLingerThread() {
    lock.lock();
    try {
      while (!finished) {
        long remainingNanos = dialogue.publishGathered();
        lingerThreadIdle = remainingNanos == Long.MAX_VALUE;
        if (lingerThreadIdle) {
          messagesGathered.await();
        } else {
          messagesGathered.awaitNanos(remainingNanos);
        }
      }
    } catch (IOException | InterruptedException e) {
      log.debug("lingering ended: {}", e.toString());
    } finally {
      lock.unlock();
    }
  }
}
