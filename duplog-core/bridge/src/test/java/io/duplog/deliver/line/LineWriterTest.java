package io.duplog.deliver.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.Uninterruptibles;
import io.duplog.deliver.DeliveryRequests;
import io.duplog.deliver.SinkContext;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that the thread which writes lines keeps their order, and reports an output that hangs or
 * breaks.
 */
@Timeout(60)
class LineWriterTest {
  private final FakeOutput output = new FakeOutput();
  private final DeliveryRequests deliveries = new DeliveryRequests();
  private final List<String> broken = new CopyOnWriteArrayList<>();

  private LineSink started(LineOutput other) {
    return new LineSink(
            other, LineFormat.MESSAGE, SinkContext.ofOnly(broken::add, Conditions.ofSystem()))
        .start();
  }

  @Test
  void hungOutput_isNotAvailable_andGivesUpWhatIsNotBeingWritten() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch hang = new CountDownLatch(1);
    AtomicLong clock = new AtomicLong(1);
    FakeOutput hanging = hanging(writing, hang);
    LineSink sink =
        new LineSink(
                hanging, LineFormat.MESSAGE, SinkContext.ofOnly(broken::add, Boards.at(clock::get)))
            .start();
    sink.deliver(deliveries.ofPlainBody("p", "one"));
    writing.await();
    sink.deliver(deliveries.ofPlainBody("q", "two"));
    assertThat(sink.isAvailable()).isTrue();
    clock.addAndGet(TimeUnit.SECONDS.toNanos(11));
    assertThat(sink.isAvailable()).isFalse();

    sink.withdraw();
    assertThat(deliveries.withdrawn()).containsExactly("q");
    hang.countDown();
    Awaitility.await().until(() -> deliveries.accepted().contains("p"));
    assertThat(sink.isAvailable()).isTrue();
    sink.close();
    assertThat(hanging.text()).isEqualTo("one\n");
  }

  @Test
  void brokenOutput_isReportedOnce_andEndsTheWriter() throws Exception {
    output.onAppend = new BrokenOutputException("stdout is closed", new IOException());
    LineSink sink = started(output);
    sink.deliver(deliveries.ofPlainBody("p", "one"));
    Awaitility.await().until(() -> !broken.isEmpty());
    sink.deliver(deliveries.ofPlainBody("q", "two"));
    sink.close();
    assertThat(broken).containsExactly("stdout is closed");
    assertThat(deliveries.accepted()).isEmpty();
    assertThat(output.closed).isTrue();
  }

  @Test
  void defectInTheWriter_isReported_andEndsIt() throws Exception {
    LineSink sink = started(output);
    DeliveryRequests defective =
        new DeliveryRequests() {
          @Override
          protected void accept(String name) {
            throw new IllegalStateException("a defect");
          }
        };
    sink.deliver(defective.ofPlainBody("p", "one"));
    Awaitility.await().until(() -> !broken.isEmpty());
    sink.close();
    assertThat(broken)
        .containsExactly(
            "fake failed (java.lang.IllegalStateException: a defect). See the stack trace in the log.");
  }

  @Test
  void startedSink_deliversFromManyThreads_eachInItsOrder() throws Exception {
    LineSink sink = started(output);
    IntStream.range(0, 4)
        .parallel()
        .forEach(
            thread -> {
              for (int i = 0; i < 500; i++) {
                sink.deliver(deliveries.ofPlainBody(thread + "-" + i, thread + "-" + i));
              }
            });
    Awaitility.await().until(() -> deliveries.accepted().size() == 2000);
    sink.close();
    for (int thread = 0; thread < 4; thread++) {
      String of = thread + "-";
      assertThat(output.text().lines().filter(line -> line.startsWith(of)))
          .containsExactlyElementsOf(IntStream.range(0, 500).mapToObj(i -> of + i).toList());
    }
  }

  @Test
  void writerThatHangs_isNamedByClose() {
    CountDownLatch never = new CountDownLatch(1);
    LineSink sink = started(hanging(new CountDownLatch(1), never));
    sink.deliver(deliveries.ofPlainBody("p", "one"));
    Thread.currentThread().interrupt(); // so that close does not wait for its full time
    assertThatThrownBy(sink::close).hasMessage("fake does not return from its last write");
    assertThat(Thread.interrupted()).isTrue();
    never.countDown();
  }

  private static FakeOutput hanging(CountDownLatch writing, CountDownLatch until) {
    return new FakeOutput() {
      @Override
      public void append(ByteBuffer lines) throws IOException {
        writing.countDown();
        Uninterruptibles.awaitUninterruptibly(until);
        super.append(lines);
      }
    };
  }
}
