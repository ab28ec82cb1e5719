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
 * One run of the shim, from rsyslog's first line to its last. {@link #run} reads in the caller's
 * thread, a second thread publishes what has lingered long enough, and {@link #stop} may be called
 * from a third. A lock makes them take turns at the dialogue.
 */
public final class Conversation {
  private static final Logger log = LoggerFactory.getLogger(Conversation.class);

  /**
   * Bytes read at once in mode confirm, where messages come one by one. Up to this size the JDK
   * reads without a malloc.
   */
  private static final int CONFIRMED_CHUNK = 8 * 1024;

  /** Bytes read at once in the modes without confirmation: the capacity of a pipe. */
  private static final int UNCONFIRMED_CHUNK = 64 * 1024;

  private static final long EMPTY_PIPE_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final int EMPTY_PIPE_CHECKS = 3;

  private final InputStream in;
  private final boolean confirmed;
  private final long patienceNanos;
  private final Publisher publisher;
  private final Time time;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition gatherChange = lock.newCondition();
  private final Condition endChange = lock.newCondition();

  // Guarded by lock.
  private final LineReader reader;
  private final Dialogue dialogue;
  private boolean lingerIdle;
  private boolean stopping;
  private boolean finished;
  private long unconfirmedMessages;
  private long loggedCutLines;

  /**
   * Prepares a conversation in the configured mode.
   *
   * @param in rsyslog's lines; not buffered
   * @param out where rsyslog reads answers; not buffered, and used only in mode confirm
   * @param mark of this process; used only in mode confirm
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
    this.confirmed = settings.mode() == Mode.CONFIRM;
    this.patienceNanos = settings.patience().toNanos();
    this.publisher = publisher;
    this.time = time;
    this.reader =
        new LineReader(
            in,
            confirmed ? CONFIRMED_CHUNK : UNCONFIRMED_CHUNK,
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
   * Speaks with rsyslog until it closes the pipe or {@link #stop} was called.
   *
   * @return number of messages that rsyslog has handed over and that are not known to be in
   *     RabbitMQ
   */
  public long run() throws InterruptedException {
    if (!confirmed) {
      Thread lingering = new Thread(this::lingerLoop, "linger");
      lingering.setDaemon(true);
      lingering.start();
    }
    try {
      dialogue.opened();
      while (runOnce()) {
        // each turn handles what one read brings
      }
    } catch (IOException e) {
      log.info("rsyslog has closed its pipe ({})", e.getMessage());
    } catch (InterruptedException | RuntimeException | Error e) {
      finish(); // nobody reads any more, so stop() must not wait for a line
      throw e;
    }
    return finish();
  }

  /**
   * Reads once and handles the whole lines that came.
   *
   * @return false if there is nothing more to read
   */
  boolean runOnce() throws IOException, InterruptedException {
    // Without the lock, because it may wait for ever. Nobody else uses the reader before finish().
    boolean more = reader.fill();
    lock.lock();
    try {
      if (finished) {
        return false;
      }
      reader.drain(dialogue::line);
      dialogue.drained();
      if (lingerIdle) {
        gatherChange.signal();
      }
      logCutLines();
      if (stopping && dialogue.isOver()) {
        endChange.signal();
        return false;
      }
      return more;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the conversation without waiting for rsyslog to close the pipe. In mode confirm it ends at
   * the first message of the next transaction, however late that comes: an earlier end would leave
   * deferred messages, which rsyslog forgets, or a BEGIN, whose message rsyslog sends twice. Only a
   * transaction that is open, or has failed, is waited for no longer than the patience. In the
   * other modes it first handles what was read and what is in the pipe, because rsyslog has
   * forgotten that.
   *
   * @return as {@link #run}
   */
  public long stop() throws InterruptedException {
    long deadline = time.nanos() + patienceNanos;
    try {
      // Bytes that a read has just taken from the pipe reach the reader only a little later, so the
      // pipe must be empty in three checks.
      int empty = 0;
      while (!confirmed && empty < EMPTY_PIPE_CHECKS && time.nanos() < deadline) {
        empty = in.available() > 0 ? 0 : empty + 1;
        time.sleep(EMPTY_PIPE_CHECK_NANOS);
      }
    } catch (IOException e) {
      log.debug("stdin is closed: {}", e.getMessage());
    }
    if (!lock.tryLock(deadline - time.nanos(), TimeUnit.NANOSECONDS)) {
      return giveUp();
    }
    try {
      stopping = true;
      if (!finished) {
        dialogue.end();
      }
      long rest = deadline - time.nanos();
      while (!finished && !dialogue.isOver() && (rest > 0 || dialogue.isIdle())) {
        if (rest > 0) {
          rest = endChange.awaitNanos(rest);
        } else {
          endChange.await();
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
        gatherChange.signal(); // ends the lingering thread's wait
        endChange.signal(); // rsyslog has left, so nothing more will come
        unconfirmedMessages = close();
      }
      return unconfirmedMessages;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends while another thread is in the middle of something. In mode confirm that may be a COMMIT,
   * which must not find its batches gone and take them for confirmed; rsyslog sends a transaction
   * again if its COMMIT is not answered.
   */
  private long giveUp() {
    return confirmed ? 0 : OutgoingBatch.messagesIn(publisher.withdraw());
  }

  private long close() throws InterruptedException {
    try {
      if (!confirmed) { // else rsyslog sends a line without a line feed again
        reader.drain(dialogue::line);
        reader.drainUnfinished(dialogue::line);
      }
      return dialogue.closed();
    } catch (IOException e) {
      log.debug("rsyslog is gone: {}", e.getMessage());
      return OutgoingBatch.messagesIn(publisher.withdraw());
    }
  }

  private void logCutLines() {
    long cut = reader.cutLines() - loggedCutLines;
    if (cut > 0) {
      loggedCutLines += cut;
      log.warn(
          "{} lines longer than omprog.max-message were cut to it ({} since the start)",
          cut,
          loggedCutLines);
    }
  }

  private void lingerLoop() {
    lock.lock();
    try {
      while (!finished) {
        long rest = dialogue.linger();
        lingerIdle = rest == Long.MAX_VALUE;
        if (lingerIdle) {
          gatherChange.await();
        } else {
          gatherChange.awaitNanos(rest);
        }
      }
    } catch (IOException | InterruptedException e) {
      log.debug("lingering ended: {}", e.toString());
    } finally {
      lock.unlock();
    }
  }
}
