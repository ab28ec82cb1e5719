package io.duplog.ingest.omprog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** A shim that is told to end, by an upgrade say, while rsyslog speaks with it in mode confirm. */
class ConfirmedStopTest {
  private final Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
  private final PipedOutputStream pipe = new PipedOutputStream();
  private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
  private final SlowPublisher publisher = new SlowPublisher(rsyslog.publisher);
  private final FutureTask<Long> run;
  private final FutureTask<Long> stop;
  private final Thread stopping;

  ConfirmedStopTest() throws Exception {
    OmprogSettings usual = rsyslog.omprog();
    OmprogSettings omprog =
        new OmprogSettings(
            usual.mode(),
            usual.beginMark(),
            usual.commitMark(),
            usual.senderPrefix(),
            usual.maxMessage(),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMillis(100));
    Conversation conversation =
        new Conversation(
            omprog,
            rsyslog.batch(),
            "syslog-a",
            new PipedInputStream(pipe),
            answers,
            publisher,
            rsyslog.time);
    run = new FutureTask<>(conversation::run);
    stop = new FutureTask<>(conversation::stop);
    stopping = new Thread(stop, "stopping");
    Thread reading = new Thread(run, "reading");
    reading.setDaemon(true);
    reading.start();
  }

  private void write(String lines) throws Exception {
    pipe.write(lines.getBytes(ISO_8859_1));
    pipe.flush();
  }

  private void awaitAnswers(String expected) {
    await().until(() -> answers.toString(ISO_8859_1).equals(expected));
  }

  @Test
  void stop_inMidTransaction_endsAfterItsCommit() throws Exception {
    write("BEGIN TRANSACTION\na\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\n");
    stopping.start();
    await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);

    write("b\nCOMMIT TRANSACTION\n");

    assertThat(stop.get()).isZero();
    assertThat(run.get()).isZero();
    assertThat(answers.toString(ISO_8859_1)).isEqualTo("OK\nOK\nDEFER_COMMIT\nDEFER_COMMIT\nOK\n");
    assertThat(rsyslog.publisher.messages()).containsExactly("a", "b");
  }

  @Test
  void stop_betweenTransactions_endsAtOnce() throws Exception {
    write("BEGIN TRANSACTION\na\nCOMMIT TRANSACTION\n");
    awaitAnswers("OK\nOK\nDEFER_COMMIT\nOK\n");

    stopping.start();
    assertThat(stop.get()).isZero();

    assertThat(rsyslog.publisher.messages()).containsExactly("a");
    pipe.close();
    assertThat(run.get()).isZero();
  }

  /** What was withdrawn meanwhile must not look confirmed: rsyslog would forget it. */
  @Test
  void stop_thatCannotWaitForACommit_leavesItWithoutOk() throws Exception {
    rsyslog.publisher.arriving = false;
    rsyslog.publisher.confirming = false;
    publisher.hold();
    write("BEGIN TRANSACTION\na\nCOMMIT TRANSACTION\n");
    publisher.awaitHeld();

    stopping.start();
    assertThat(stop.get()).isZero();
    publisher.release();

    await().until(() -> answers.toString(ISO_8859_1).matches("(?s)OK\nOK\nDEFER_COMMIT\n.*[^.]\n"));
    assertThat(answers.toString(ISO_8859_1).substring("OK\nOK\n".length())).doesNotContain("OK");
  }

  /** Lets a COMMIT begin to wait only when the test says so. */
  private static final class SlowPublisher implements Publisher {
    private final Publisher publisher;
    private final CountDownLatch held = new CountDownLatch(1);
    private volatile CountDownLatch released = new CountDownLatch(0);

    SlowPublisher(Publisher publisher) {
      this.publisher = publisher;
    }

    void hold() {
      released = new CountDownLatch(1);
    }

    void awaitHeld() throws InterruptedException {
      held.await();
    }

    void release() {
      released.countDown();
    }

    @Override
    public void submit(OutgoingBatch batch) {
      publisher.submit(batch);
    }

    @Override
    public boolean awaitRoom(long nanos) throws InterruptedException {
      return publisher.awaitRoom(nanos);
    }

    @Override
    public boolean awaitConfirmed(long nanos) throws InterruptedException {
      held.countDown();
      released.await();
      return publisher.awaitConfirmed(nanos);
    }

    @Override
    public List<OutgoingBatch> withdraw() {
      return publisher.withdraw();
    }

    @Override
    public String condition() {
      return publisher.condition();
    }

    @Override
    public void close() {
      publisher.close();
    }
  }
}
