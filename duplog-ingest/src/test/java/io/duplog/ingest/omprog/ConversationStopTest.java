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

/** Tests a shim that is told to end while it reads, for example by an upgrade. */
class ConversationStopTest {
  /**
   * A dialogue without confirmation: rsyslog has forgotten what it wrote, so all of that is
   * published.
   */
  private final Rsyslog lines = new Rsyslog(1, "mode: lines, patience: 10m", 4);

  private final Rsyslog confirm = confirming("500ms");
  private final Pipe pipe = new Pipe();
  private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
  private final CountDownLatch stuck = new CountDownLatch(1);

  private FutureTask<Long> run;
  private FutureTask<Long> stop;
  private Thread reading;
  private Thread stopping;

  private static Rsyslog confirming(String patience) {
    return new Rsyslog(1, "patience: " + patience + ", keep-alive: 100ms, failure-pause: 100ms", 4);
  }

  private void start(Rsyslog rsyslog) {
    Conversation conversation = rsyslog.conversation(pipe, answers);
    run = new FutureTask<>(conversation::run);
    stop = new FutureTask<>(conversation::stop);
    reading = new Thread(run, "reading");
    stopping = new Thread(stop, "stopping");
    reading.start();
  }

  /** Any message that comes after the stop ends the run, and is not published. */
  @AfterEach
  void end() throws Exception {
    pipe.untilTaken.countDown();
    pipe.untilGiven.countDown();
    stuck.countDown();
    pipe.write("late\n");
    assertThat(run.get(1, TimeUnit.MINUTES)).isZero();
    assertThat(lines.publisher.messages()).doesNotContain("late");
  }

  private void awaitAnswers(String expected) {
    await().until(() -> answers.toString(ISO_8859_1).matches("(?s)" + expected));
  }

  @Test
  void stop_withLinesInThePipe_waitsUntilTheyAreRead() throws Exception {
    pipe.untilTaken = new CountDownLatch(1);
    lines.time.atSleep(
        5,
        () -> {
          pipe.untilTaken.countDown();
          await().until(() -> pipe.reads.get() == 3);
        });
    start(lines);
    await().until(() -> pipe.reads.get() == 1);
    pipe.write("a\nb\n");
    pipe.write("c\n");

    stopping.start();

    assertThat(stop.get()).isZero();
    assertThat(lines.publisher.messages()).containsExactly("a", "b", "c");
  }

  /** The pipe is empty then, and the lines are not yet where the reader keeps them. */
  @Test
  void stop_withinARead_waitsForWhatItTakes() throws Exception {
    pipe.untilGiven = new CountDownLatch(1);
    lines.time.atSleep(
        1,
        () -> {
          pipe.untilGiven.countDown();
          await().until(() -> pipe.reads.get() == 2);
        });
    start(lines);
    pipe.write("a\nb\n");
    await().until(() -> pipe.taken.get() == 1);

    stopping.start();

    assertThat(stop.get()).isZero();
    assertThat(lines.publisher.messages()).containsExactly("a", "b");
  }

  @Test
  void stop_aheadOfTheReader_publishesTheLinesThatItHasRead() throws Exception {
    start(lines);
    pipe.write("first\n");
    await().until(() -> pipe.reads.get() == 2);
    // The second one lingers. The thread that sends it then has the turn until there is room.
    CountDownLatch sent = new CountDownLatch(1);
    lines.publisher.beforeRoom = FakePublisher.waiting(sent, stuck);
    pipe.write("second\n");
    await().until(() -> pipe.reads.get() == 3);
    lines.time.sleep(20_000_000);
    sent.await();

    stopping.start();
    await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
    pipe.write("a\nb\nunfinished");
    await().until(() -> pipe.taken.get() == 3 && reading.getState() == Thread.State.WAITING);
    stuck.countDown();

    assertThat(stop.get()).isZero();
    assertThat(lines.publisher.messages())
        .containsExactly("first", "second", "a", "b", "unfinished");
  }

  /** rsyslog gives the message to the next program, and sends neither of them twice. */
  @Test
  void stop_endsAtTheFirstMessageOfTheNextTransaction_whichStaysUnanswered() throws Exception {
    Rsyslog patient = confirming("5m");
    start(patient);
    pipe.write("BEGIN TRANSACTION\na\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\n");
    stopping.start();
    await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);

    pipe.write("b\nCOMMIT TRANSACTION\n");
    pipe.write("BEGIN TRANSACTION\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\nOK\nOK\n");
    pipe.write("c\n");

    assertThat(stop.get()).isZero();
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\nOK\nOK\n");
    assertThat(patient.publisher.messages()).containsExactly("a", "b");
  }

  /** If the shim ended without the next message, rsyslog would send that twice. */
  @Test
  void stop_whenNoMessageComes_waitsForOneBeyondThePatience() throws Exception {
    start(confirm);
    pipe.write("BEGIN TRANSACTION\na\nCOMMIT TRANSACTION\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nOK\n");

    stopping.start();
    await().until(() -> stopping.getState() == Thread.State.WAITING);
    pipe.write("BEGIN TRANSACTION\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nOK\nOK\n");
    pipe.write("b\n");

    assertThat(stop.get()).isZero();
    assertThat(confirm.publisher.messages()).containsExactly("a");
  }

  @Test
  void stop_whenRsyslogClosesThePipe_endsWithoutAMessage() throws Exception {
    start(confirm);
    awaitAnswers("OK\n");

    stopping.start();
    await().until(() -> stopping.getState() == Thread.State.WAITING);
    pipe.write("");

    assertThat(stop.get()).isZero();
  }

  @Test
  void stop_whenATransactionIsNotCommitted_endsAfterThePatience() throws Exception {
    start(confirm);
    pipe.write("BEGIN TRANSACTION\na\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\n");

    stopping.start();

    assertThat(stop.get()).isZero();
    assertThat(confirm.publisher.messages()).isEmpty();
  }

  /**
   * Batches that were withdrawn meanwhile must not look confirmed, because rsyslog would forget
   * them.
   */
  @Test
  void stop_thatCannotWaitForACommit_leavesItWithoutOk() throws Exception {
    confirm.publisher.arriving = false;
    CountDownLatch asked = new CountDownLatch(1);
    confirm.publisher.beforeConfirm = FakePublisher.waiting(asked, stuck);
    start(confirm);
    pipe.write("BEGIN TRANSACTION\na\nCOMMIT TRANSACTION\n");
    asked.await();

    stopping.start();
    assertThat(stop.get()).isZero();
    stuck.countDown();

    awaitAnswers("OK\nOK\nDEFER_COMMIT\n.*[^.]\n");
    assertThat(answers.toString(ISO_8859_1).substring("OK\nOK\n".length())).doesNotContain("OK");
    pipe.write("");
  }

  /** Gives one write a read, as late as the test wants. An empty write ends the pipe. */
  private static final class Pipe extends InputStream {
    private final LinkedBlockingQueue<byte[]> written = new LinkedBlockingQueue<>();

    /** Reads that were begun, and those that have taken something from the pipe. */
    final AtomicInteger reads = new AtomicInteger();

    final AtomicInteger taken = new AtomicInteger();

    volatile CountDownLatch untilTaken = new CountDownLatch(0);
    volatile CountDownLatch untilGiven = new CountDownLatch(0);

    void write(String text) {
      written.add(text.getBytes(ISO_8859_1));
    }

    @Override
    public int read(byte[] target, int offset, int length) throws InterruptedIOException {
      reads.incrementAndGet();
      try {
        untilTaken.await();
        byte[] bytes = written.take();
        taken.incrementAndGet();
        untilGiven.await();
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
      return written.stream().mapToInt(bytes -> bytes.length).sum();
    }
  }
}
