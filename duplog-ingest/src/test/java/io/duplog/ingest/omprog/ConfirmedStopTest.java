package io.duplog.ingest.omprog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** A shim that is told to end, by an upgrade say, while rsyslog speaks with it in mode confirm. */
class ConfirmedStopTest {
  private final Rsyslog rsyslog =
      new Rsyslog(1, "patience: 500ms, keep-alive: 100ms, failure-pause: 100ms", 4);
  private final PipedOutputStream pipe = new PipedOutputStream();
  private final ByteArrayOutputStream answers = new ByteArrayOutputStream();
  private final FutureTask<Long> run;
  private final FutureTask<Long> stop;
  private final Thread stopping;

  ConfirmedStopTest() throws Exception {
    Conversation conversation = rsyslog.conversation(new PipedInputStream(pipe), answers);
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
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    rsyslog.publisher.beforeConfirm =
        () -> {
          asked.countDown();
          Rsyslog.await(released);
        };
    write("BEGIN TRANSACTION\na\nCOMMIT TRANSACTION\n");
    asked.await();

    stopping.start();
    assertThat(stop.get()).isZero();
    released.countDown();

    await().until(() -> answers.toString(ISO_8859_1).matches("(?s)OK\nOK\nDEFER_COMMIT\n.*[^.]\n"));
    assertThat(answers.toString(ISO_8859_1).substring("OK\nOK\n".length())).doesNotContain("OK");
  }
}
