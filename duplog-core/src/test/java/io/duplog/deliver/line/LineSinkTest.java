package io.duplog.deliver.line;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.duplog.deliver.Parcels;
import io.duplog.wire.MessageBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LineSinkTest {
  /** Takes everything, unless told to fail. */
  private static class FakeOutput implements LineOutput {
    final ByteArrayOutputStream written = new ByteArrayOutputStream();
    final List<String> calls = new ArrayList<>();
    @Nullable IOException onPrepare;
    @Nullable IOException onAppend;
    @Nullable IOException onCommit;
    int takesBytes = Integer.MAX_VALUE;
    volatile boolean reopened;
    volatile boolean closed;

    String text() {
      return written.toString(ISO_8859_1);
    }

    @Override
    public String name() {
      return "fake";
    }

    @Override
    public void prepare() throws IOException {
      if (onPrepare != null) {
        throw onPrepare;
      }
    }

    @Override
    public void mark() {
      calls.add("mark");
    }

    @Override
    public void append(ByteBuffer lines) throws IOException {
      calls.add("append");
      if (onAppend != null) {
        int take = Math.min(takesBytes, lines.remaining());
        for (int i = 0; i < take; i++) {
          written.write(lines.get());
        }
        throw onAppend;
      }
      while (lines.hasRemaining()) {
        written.write(lines.get());
      }
    }

    @Override
    public void commit() throws IOException {
      calls.add("commit");
      if (onCommit != null) {
        throw onCommit;
      }
    }

    @Override
    public long idleNanos() {
      return Long.MAX_VALUE;
    }

    @Override
    public void reopen() {
      reopened = true;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final FakeOutput output = new FakeOutput();
  private final Parcels parcels = new Parcels();
  private final List<String> broken = new ArrayList<>();
  private long nanos = 7;

  private LineSink sink(LineFormat format) {
    return new LineSink(output, format, broken::add, () -> nanos);
  }

  @Test
  void message_isItsOwnLine_withoutItsSender() {
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(parcels.ofSenders("p", "10.0.0.1 <13>one two", "10.0.0.2 ", "nosender"));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("<13>one two\n\nnosender\n");
  }

  @Test
  void message_withItsSender_hasItInFront() {
    LineSink sink = sink(LineFormat.SENDER_AND_MESSAGE);
    sink.deliver(parcels.ofSenders("p", "10.0.0.1 <13>one"));
    sink.deliver(parcels.ofPlainBody("q", "foreign body"));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("10.0.0.1 <13>one\nforeign body\n");
  }

  @Test
  void bytes_passUntouched_apartFromLineFeeds() {
    StringBuilder all = new StringBuilder();
    for (char c = 0; c < 256; c++) {
      all.append(c);
    }
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(parcels.ofPlainBody("p", all + "\n"));
    sink.runOnce();
    assertThat(output.text()).isEqualTo(all.toString().replace("\n", "#012") + "#012\n");
  }

  @Test
  void unchosenMessages_areLeftOut() {
    MessageBatch batch = Parcels.batch(false, "a", "b", "c", "d");
    BitSet chosen = new BitSet();
    chosen.set(1);
    chosen.set(3);
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(parcels.of("p", batch, chosen));
    sink.runOnce();
    assertThat(output.text()).isEqualTo("b\nd\n");
  }

  @Test
  void parcelsThatWait_areWrittenTogether_andAcceptedAfterTheCommit() {
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(parcels.ofPlainBody("p", "a"));
    sink.deliver(parcels.ofPlainBody("q", "b"));
    sink.runOnce();
    assertThat(output.calls).containsExactly("mark", "append", "commit");
    assertThat(parcels.accepted()).containsExactly("p", "q");
  }

  @Test
  void moreThanABuffer_isWrittenInOrder_withLongLinesWhole() {
    LineSink sink = sink(LineFormat.MESSAGE);
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      String message = (i + "\n") + "x".repeat(i == 20 ? 3_000_000 : 100_000);
      expected.append(message.replace("\n", "#012")).append('\n');
      sink.deliver(parcels.ofPlainBody("p" + i, message));
    }
    while (sink.runOnce() == 0) {
      // The next group.
    }
    assertThat(output.text()).isEqualTo(expected.toString());
    assertThat(parcels.accepted()).hasSize(40);
  }

  @Test
  void failedWrite_acceptsNothing_andGoesOnWhereItStopped_afterAPause() {
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(parcels.ofPlainBody("p", "one"));
    sink.deliver(parcels.ofPlainBody("q", "two"));
    output.onAppend = new IOException("No space left on device");
    output.takesBytes = "one\n".length();

    long pause = sink.runOnce();
    assertThat(pause).isPositive();
    assertThat(parcels.accepted()).isEmpty();

    output.onAppend = null;
    sink.deliver(parcels.ofPlainBody("r", "three"));
    assertThat(sink.runOnce()).isEqualTo(pause);
    assertThat(output.text()).isEqualTo("one\n");

    nanos += pause;
    assertThat(sink.runOnce()).isZero();
    assertThat(parcels.accepted()).containsExactly("p", "q");
    sink.runOnce();
    assertThat(output.text()).isEqualTo("one\ntwo\nthree\n");
    assertThat(parcels.accepted()).containsExactly("p", "q", "r");
  }

  @Test
  void pauses_growToABound_andBeginAnewAfterASuccess() {
    LineSink sink = sink(LineFormat.MESSAGE);
    output.onPrepare = new IOException("No space left on device");
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      long pause = sink.runOnce();
      millis.add(TimeUnit.NANOSECONDS.toMillis(pause));
      nanos += pause;
    }
    assertThat(millis).containsExactly(250L, 500L, 1000L, 2000L, 4000L, 5000L, 5000L);
    output.onPrepare = null;
    sink.runOnce();
    output.onPrepare = new IOException("again");
    assertThat(TimeUnit.NANOSECONDS.toMillis(sink.runOnce())).isEqualTo(250);
  }

  @Test
  void lostLines_areAllWrittenAgain_withTheSameMark() {
    LineSink sink = sink(LineFormat.MESSAGE);
    sink.deliver(parcels.ofPlainBody("p", "one"));
    sink.deliver(parcels.ofPlainBody("q", "two"));
    output.onCommit = new LinesLostException(new IOException("Input/output error"));
    nanos += sink.runOnce();
    assertThat(parcels.accepted()).isEmpty();

    output.onCommit = null;
    output.written.reset(); // as the output promises: cut back to the mark
    sink.runOnce();
    assertThat(output.text()).isEqualTo("one\ntwo\n");
    assertThat(parcels.accepted()).containsExactly("p", "q");
    assertThat(output.calls).containsExactly("mark", "append", "commit", "append", "commit");
  }

  @Test
  void failingOutput_isNotAvailable_untilAWriteSucceeds() {
    LineSink sink = sink(LineFormat.MESSAGE);
    assertThat(sink.isAvailable()).isTrue();
    sink.deliver(parcels.ofPlainBody("p", "one"));
    output.onAppend = new IOException("No space left on device");
    output.takesBytes = 0;
    nanos += sink.runOnce();
    assertThat(sink.isAvailable()).isFalse();

    output.onAppend = null;
    sink.runOnce();
    assertThat(sink.isAvailable()).isTrue();
  }

  @Test
  void hungOutput_isNotAvailable_andGivesUpWhatIsNotBeingWritten() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch hang = new CountDownLatch(1);
    AtomicLong clock = new AtomicLong(1);
    FakeOutput hanging =
        new FakeOutput() {
          @Override
          public void append(ByteBuffer lines) throws IOException {
            writing.countDown();
            Uninterruptibles.awaitUninterruptibly(hang);
            super.append(lines);
          }
        };
    LineSink sink = new LineSink(hanging, LineFormat.MESSAGE, broken::add, clock::get).start();
    sink.deliver(parcels.ofPlainBody("p", "one"));
    writing.await();
    sink.deliver(parcels.ofPlainBody("q", "two"));
    assertThat(sink.isAvailable()).isTrue();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(11));
    assertThat(sink.isAvailable()).isFalse();

    sink.withdraw();
    assertThat(parcels.withdrawn()).containsExactly("q");
    hang.countDown();
    Awaitility.await().until(() -> parcels.accepted().contains("p"));
    assertThat(sink.isAvailable()).isTrue();
    sink.close();
    assertThat(hanging.text()).isEqualTo("one\n");
  }

  @Test
  void withdraw_givesUpAllButOneParcel_whichIsWrittenWhenThatWorks() {
    LineSink sink = sink(LineFormat.MESSAGE);
    for (String name : List.of("p", "q", "r")) {
      sink.deliver(parcels.ofPlainBody(name, name));
    }
    output.onAppend = new IOException("No space left on device");
    output.takesBytes = 0;
    nanos += sink.runOnce();
    sink.deliver(parcels.ofPlainBody("s", "s"));

    sink.withdraw();
    assertThat(parcels.withdrawn()).containsExactlyInAnyOrder("q", "r", "s");
    assertThat(sink.isAvailable()).isFalse();

    output.onAppend = null;
    sink.runOnce();
    assertThat(output.text()).isEqualTo("p\n");
    assertThat(parcels.accepted()).containsExactly("p");
    assertThat(sink.isAvailable()).isTrue();
  }

  @Test
  void brokenOutput_isReportedOnce_andEndsTheWriter() throws Exception {
    output.onAppend = new BrokenOutputException("stdout is closed", new IOException());
    CountDownLatch told = new CountDownLatch(1);
    LineSink sink =
        new LineSink(
            output,
            LineFormat.MESSAGE,
            line -> {
              broken.add(line);
              told.countDown();
            },
            System::nanoTime);
    sink.start();
    sink.deliver(parcels.ofPlainBody("p", "one"));
    told.await();
    sink.deliver(parcels.ofPlainBody("q", "two"));
    sink.close();
    assertThat(broken).containsExactly("stdout is closed");
    assertThat(parcels.accepted()).isEmpty();
    assertThat(output.closed).isTrue();
  }

  @Test
  void defectInTheWriter_isReported_andEndsIt() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    LineSink sink =
        new LineSink(
            output,
            LineFormat.MESSAGE,
            line -> {
              broken.add(line);
              told.countDown();
            },
            System::nanoTime);
    Parcels defective =
        new Parcels() {
          @Override
          protected void accept(String name) {
            throw new IllegalStateException("a defect");
          }
        };
    sink.start();
    sink.deliver(defective.ofPlainBody("p", "one"));
    told.await();
    sink.close();
    assertThat(broken)
        .containsExactly(
            "fake failed (java.lang.IllegalStateException: a defect): ending, nothing more is"
                + " settled");
  }

  @Test
  void startedSink_deliversFromManyThreads_eachInItsOrder() throws Exception {
    LineSink sink = new LineSink(output, LineFormat.MESSAGE, broken::add, System::nanoTime).start();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      String thread = "t" + t + "-";
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < 500; i++) {
                  sink.deliver(parcels.ofPlainBody(thread + i, thread + i));
                }
              }));
    }
    threads.forEach(Thread::start);
    Awaitility.await().until(() -> parcels.accepted().size() == 2000);
    sink.close();
    List<String> lines = output.text().lines().toList();
    for (int t = 0; t < 4; t++) {
      String thread = "t" + t + "-";
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        expected.add(thread + i);
      }
      assertThat(lines.stream().filter(line -> line.startsWith(thread))).isEqualTo(expected);
    }
  }

  @Test
  void reopen_reachesTheOutput_thoughNothingIsWritten() throws Exception {
    LineSink sink = new LineSink(output, LineFormat.MESSAGE, broken::add, System::nanoTime).start();
    sink.reopen();
    Awaitility.await().until(() -> output.reopened);
    sink.close();
  }

  @Test
  void writerThatHangs_isNamedByClose() {
    CountDownLatch never = new CountDownLatch(1);
    LineOutput hanging = new HangingOutput(never);
    LineSink sink = new LineSink(hanging, LineFormat.MESSAGE, broken::add, System::nanoTime);
    sink.start();
    Thread.currentThread().interrupt(); // so that close does not wait for its full time
    assertThatThrownBy(sink::close).hasMessage("hanging does not return from its last write");
    assertThat(Thread.interrupted()).isTrue();
    never.countDown();
  }

  private record HangingOutput(CountDownLatch never) implements LineOutput {
    @Override
    public String name() {
      return "hanging";
    }

    @Override
    public void prepare() throws IOException {
      try {
        never.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void mark() {}

    @Override
    public void append(ByteBuffer lines) {}

    @Override
    public void commit() {}

    @Override
    public long idleNanos() {
      return Long.MAX_VALUE;
    }

    @Override
    public void reopen() {}

    @Override
    public void close() {}
  }
}
