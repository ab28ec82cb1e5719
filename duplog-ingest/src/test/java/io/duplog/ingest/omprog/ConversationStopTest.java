package io.duplog.ingest.omprog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.ingest.batch.FakePublisher;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a shim which is stopped, as during an upgrade, publishes the lines that it has read
 * before it ends.
 */
class ConversationStopTest {
  /**
   * rsyslog in mode lines, which forgets its lines once they are in the pipe; the shim must publish
   * all of them.
   */
  private final Rsyslog linesMode = new Rsyslog(1, "mode: lines, patience: 10m", 4);

  private final Rsyslog confirmMode = confirmModeWith("500ms");
  private final Pipe pipe = new Pipe();
  private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
  private final CountDownLatch publisherRelease = new CountDownLatch(1);

  private FutureTask<Long> runTask;
  private FutureTask<Long> stopTask;
  private Thread readThread;
  private Thread stopThread;

  private static Rsyslog confirmModeWith(String patience) {
    return new Rsyslog(1, "patience: " + patience + ", keep-alive: 100ms, failure-pause: 100ms", 4);
  }

  private void start(Rsyslog rsyslog) {
    Conversation conversation = rsyslog.conversation(pipe, answers);
    runTask = new FutureTask<>(conversation::run);
    stopTask = new FutureTask<>(conversation::stop);
    readThread = new Thread(runTask, "reading");
    stopThread = new Thread(stopTask, "stopping");
    readThread.start();
  }

  /** Ends the run: a message that arrives after the stop is not published. */
  @AfterEach
  void end() throws Exception {
    pipe.takePermit.countDown();
    pipe.returnPermit.countDown();
    publisherRelease.countDown();
    pipe.write("late\n");
    assertThat(runTask.get(1, TimeUnit.MINUTES)).isZero();
    assertThat(linesMode.publisher.messages()).doesNotContain("late");
  }

  private void awaitAnswers(String expected) {
    await().until(() -> answers.toString(ISO_8859_1).matches("(?s)" + expected));
  }

  @Test
  void stop_linesInPipe_waitsUntilTheyAreRead() throws Exception {
    pipe.takePermit = new CountDownLatch(1);
    linesMode.time.atSleep(
        5,
        () -> {
          pipe.takePermit.countDown();
          await().until(() -> pipe.startedReads.get() == 3);
        });
    start(linesMode);
    await().until(() -> pipe.startedReads.get() == 1);
    pipe.write("a\nb\n");
    pipe.write("c\n");

    stopThread.start();

    assertThat(stopTask.get()).isZero();
    assertThat(linesMode.publisher.messages()).containsExactly("a", "b", "c");
  }

  /**
   * During the read, the pipe is already empty, and the lines are not yet in the reader's buffer.
   */
  @Test
  void stop_duringRead_publishesItsLines() throws Exception {
    pipe.returnPermit = new CountDownLatch(1);
    linesMode.time.atSleep(
        1,
        () -> {
          pipe.returnPermit.countDown();
          await().until(() -> pipe.startedReads.get() == 2);
        });
    start(linesMode);
    pipe.write("a\nb\n");
    await().until(() -> pipe.takenWrites.get() == 1);

    stopThread.start();

    assertThat(stopTask.get()).isZero();
    assertThat(linesMode.publisher.messages()).containsExactly("a", "b");
  }

  @Test
  void stop_beforeReaderGetsLock_publishesReadLines() throws Exception {
    start(linesMode);
    pipe.write("first\n");
    await().until(() -> pipe.startedReads.get() == 2);
    // The second line waits for the linger time. The thread that publishes it then holds the lock
    // until the publisher accepts more batches.
    CountDownLatch publishing = new CountDownLatch(1);
    linesMode.publisher.beforeRoom = FakePublisher.waiting(publishing, publisherRelease);
    pipe.write("second\n");
    await().until(() -> pipe.startedReads.get() == 3);
    linesMode.time.sleep(20_000_000);
    publishing.await();

    stopThread.start();
    await().until(() -> stopThread.getState() == Thread.State.TIMED_WAITING);
    pipe.write("a\nb\nunfinished");
    await()
        .until(() -> pipe.takenWrites.get() == 3 && readThread.getState() == Thread.State.WAITING);
    publisherRelease.countDown();

    assertThat(stopTask.get()).isZero();
    assertThat(linesMode.publisher.messages())
        .containsExactly("first", "second", "a", "b", "unfinished");
  }

  /** rsyslog sends the unanswered message to the next program, and sends no message twice. */
  @Test
  void stop_openTransaction_endsAtFirstMessageOfNextTransaction() throws Exception {
    Rsyslog patientRsyslog = confirmModeWith("5m");
    start(patientRsyslog);
    pipe.write("BEGIN TRANSACTION\na\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\n");
    stopThread.start();
    await().until(() -> stopThread.getState() == Thread.State.TIMED_WAITING);

    pipe.write("b\nCOMMIT TRANSACTION\n");
    pipe.write("BEGIN TRANSACTION\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\nOK\nOK\n");
    pipe.write("c\n");

    assertThat(stopTask.get()).isZero();
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\nOK\nOK\n");
    assertThat(patientRsyslog.publisher.messages()).containsExactly("a", "b");
  }

  /** If the shim ended before the next message, rsyslog would send that message twice. */
  @Test
  void stop_noOpenTransaction_waitsForNextMessageBeyondPatience() throws Exception {
    start(confirmMode);
    pipe.write("BEGIN TRANSACTION\na\nCOMMIT TRANSACTION\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nOK\n");

    stopThread.start();
    await().until(() -> stopThread.getState() == Thread.State.WAITING);
    pipe.write("BEGIN TRANSACTION\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nOK\nOK\n");
    pipe.write("b\n");

    assertThat(stopTask.get()).isZero();
    assertThat(confirmMode.publisher.messages()).containsExactly("a");
  }

  @Test
  void stop_pipeClosed_endsWithoutMessage() throws Exception {
    start(confirmMode);
    awaitAnswers("OK\n");

    stopThread.start();
    await().until(() -> stopThread.getState() == Thread.State.WAITING);
    pipe.write("");

    assertThat(stopTask.get()).isZero();
  }

  @Test
  void stop_uncommittedTransaction_endsAfterPatience() throws Exception {
    start(confirmMode);
    pipe.write("BEGIN TRANSACTION\na\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\n");

    stopThread.start();

    assertThat(stopTask.get()).isZero();
    assertThat(confirmMode.publisher.messages()).isEmpty();
  }

  /**
   * A COMMIT whose batches were withdrawn must not be answered with OK, because rsyslog would
   * forget the messages.
   */
  @Test
  void stop_duringUnconfirmedCommit_isNotAnsweredOk() throws Exception {
    confirmMode.publisher.arriving = false;
    CountDownLatch awaitingConfirm = new CountDownLatch(1);
    confirmMode.publisher.beforeConfirm = FakePublisher.waiting(awaitingConfirm, publisherRelease);
    start(confirmMode);
    pipe.write("BEGIN TRANSACTION\na\nCOMMIT TRANSACTION\n");
    awaitingConfirm.await();

    stopThread.start();
    assertThat(stopTask.get()).isZero();
    publisherRelease.countDown();

    awaitAnswers("OK\nOK\nDEFER_COMMIT\n.*[^.]\n");
    assertThat(answers.toString(ISO_8859_1).substring("OK\nOK\n".length())).doesNotContain("OK");
    pipe.write("");
  }

  /**
   * Simulates rsyslog's pipe: each read returns one write, when the test permits it. An empty write
   * closes the pipe.
   */
  private static final class Pipe extends InputStream {
    private final LinkedBlockingQueue<byte[]> writes = new LinkedBlockingQueue<>();

    /** Number of reads that have started. */
    final AtomicInteger startedReads = new AtomicInteger();

    /** Number of reads that have taken a write from the pipe. */
    final AtomicInteger takenWrites = new AtomicInteger();

    volatile CountDownLatch takePermit = new CountDownLatch(0);
    volatile CountDownLatch returnPermit = new CountDownLatch(0);

    void write(String text) {
      writes.add(text.getBytes(ISO_8859_1));
    }

    @Override
    public int read(byte[] target, int offset, int length) throws InterruptedIOException {
      startedReads.incrementAndGet();
      try {
        takePermit.await();
        byte[] bytes = writes.take();
        takenWrites.incrementAndGet();
        returnPermit.await();
        System.arraycopy(bytes, 0, target, offset, bytes.length);
        return bytes.length == 0 ? -1 : bytes.length;
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int available() {
      return writes.stream().mapToInt(bytes -> bytes.length).sum();
    }
  }
}
