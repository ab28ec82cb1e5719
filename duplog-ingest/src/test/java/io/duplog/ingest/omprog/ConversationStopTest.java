package io.duplog.ingest.omprog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A shim that is told to end while it reads. Without confirmation rsyslog has forgotten what it
 * wrote, so all of that is published, wherever the reading thread stands.
 */
class ConversationStopTest {
  private final Pipe pipe = new Pipe();
  private final Rsyslog rsyslog = new Rsyslog(1, "mode: lines, patience: 10m", 4);
  private final FakeTime time = rsyslog.time;
  private final FakePublisher publisher = rsyslog.publisher;
  private final CountDownLatch room = new CountDownLatch(1);
  private final Conversation conversation =
      rsyslog.conversation(pipe, OutputStream.nullOutputStream());
  private final FutureTask<Long> run = new FutureTask<>(conversation::run);
  private final Thread reading = new Thread(run, "reading");

  @AfterEach
  void end() throws Exception {
    pipe.untilTaken.countDown();
    pipe.untilGiven.countDown();
    room.countDown();
    pipe.write("");
    run.get();
  }

  @Test
  void stop_withLinesInThePipe_waitsUntilTheyAreRead() throws Exception {
    pipe.untilTaken = new CountDownLatch(1);
    time.atSleep(
        5,
        () -> {
          pipe.untilTaken.countDown();
          await().until(() -> pipe.reads.get() == 3);
        });
    reading.start();
    await().until(() -> pipe.reads.get() == 1);
    pipe.write("a\nb\n");
    pipe.write("c\n");

    assertThat(conversation.stop()).isZero();

    assertThat(publisher.messages()).containsExactly("a", "b", "c");
  }

  /** The pipe is empty then, and the lines are not yet where the reader keeps them. */
  @Test
  void stop_withinARead_waitsForWhatItTakes() throws Exception {
    pipe.untilGiven = new CountDownLatch(1);
    time.atSleep(
        1,
        () -> {
          pipe.untilGiven.countDown();
          await().until(() -> pipe.reads.get() == 2);
        });
    reading.start();
    pipe.write("a\nb\n");
    await().until(() -> pipe.taken.get() == 1);

    assertThat(conversation.stop()).isZero();

    assertThat(publisher.messages()).containsExactly("a", "b");
  }

  @Test
  void stop_aheadOfTheReader_publishesTheLinesThatItHasRead() throws Exception {
    reading.start();
    pipe.write("first\n");
    await().until(() -> pipe.reads.get() == 2);
    // The second one lingers. The thread that sends it then has the turn until there is room.
    CountDownLatch sent = new CountDownLatch(1);
    publisher.beforeRoom =
        () -> {
          sent.countDown();
          Rsyslog.await(room);
        };
    pipe.write("second\n");
    await().until(() -> pipe.reads.get() == 3);
    time.sleep(20_000_000);
    sent.await();

    FutureTask<Long> stop = new FutureTask<>(conversation::stop);
    Thread stopping = new Thread(stop, "stopping");
    stopping.start();
    await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
    pipe.write("a\nb\nunfinished");
    await().until(() -> pipe.taken.get() == 3 && reading.getState() == Thread.State.WAITING);
    room.countDown();

    assertThat(stop.get()).isZero();
    assertThat(publisher.messages()).containsExactly("first", "second", "a", "b", "unfinished");
  }

  /** Gives one write a read, as late as the test wants. What is empty ends it. */
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
