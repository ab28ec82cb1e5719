package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that messages are sent at a pace, and each once on each stream. */
class WorkloadTest {
  private static final NumberedLines LINES = NumberedLines.plain(1);
  private static final String BEFORE = "h ";

  /** Number of messages, which is in the middle of a block. */
  private static final long SOME = 10_007;

  private static final Flood FREELY = new Flood(() -> 0, Long.MAX_VALUE);

  private final List<Received> streams = List.of(new Received(), new Received());

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void pace_isKept_andEveryNumberBelowTheEnd_isOnceOnEachStream(int connections) throws Exception {
    AtomicLong limit = new AtomicLong(SOME);
    try (Workload load = workload(sentByAll -> limit.get(), connections)) {
      load.start();
      Awaitility.await().until(() -> load.sent() == SOME);
      limit.set(SOME + 30);
      Awaitility.await().until(() -> load.sent() == SOME + 30);

      load.stop();

      long end = load.sent();
      assertThat(end).isGreaterThanOrEqualTo(SOME + 30);
      assertThat(load.record().promised()).hasSize(2).allMatch(tally -> tally.total() == end);
      streams.forEach(stream -> stream.assertHasOnceEachBelow(end));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void streamThatIsBlockedForAWhile_holdsTheOtherAtTheLead_andBothEndAtTheSameNumber(
      int connections) throws Exception {
    Received free = streams.get(0);
    Received blocked = streams.get(1);
    blocked.gate.acquire();
    try (Workload load = workload(FREELY, connections)) {
      load.start();
      Awaitility.await().until(() -> free.serials.size() == Flood.LEAD);
      assertThat(load.sent()).isZero();
      assertThat(blocked.serials.size()).isZero();

      blocked.gate.release();
      Awaitility.await().until(() -> load.sent() > Flood.LEAD);
      load.stop();
      long end = load.sent();

      free.assertHasOnceEachBelow(end);
      blocked.assertHasOnceEachBelow(end);
    }
  }

  @Test
  void brokenConnection_isReported() throws Exception {
    streams.get(1).bytesLeft.set(1_000);
    Workload load = workload(FREELY, 2);
    load.start();
    Awaitility.await().until(load::isOver);
    assertThatThrownBy(load::stop)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a connection broke: the receiver is gone");
    assertThatThrownBy(load::close).hasMessageContaining("the receiver is gone");
  }

  @Test
  void close_doesNotWaitForABlockedConnection_andClosesTheOthers() throws Exception {
    streams.get(1).gate.acquire();
    Workload load = workload(sentByAll -> SOME, 1);
    load.start();
    Awaitility.await().until(() -> streams.get(1).gate.hasQueuedThreads());

    load.close();

    assertThat(streams.get(0).closed).hasValue(1);
    assertThat(streams.get(1).closed).hasValue(0);
    streams.get(1).gate.release();
  }

  @Test
  void close_beforeTheStart_closesEveryConnection_evenIfOneFails() throws Exception {
    streams.get(0).bytesLeft.set(0);
    Workload load = workload(sentByAll -> SOME, 3);
    assertThatThrownBy(load::close).hasMessageContaining("the receiver is gone");
    assertThat(streams.get(0).closed).hasValue(3);
    assertThat(streams.get(1).closed).hasValue(3);
  }

  @Test
  void messages_areDueWhenThePaceSaysSo() {
    Schedule pace = new Schedule(1_000, Duration.ofSeconds(1), 1);
    assertThat(workload(pace, 1).dueNanos(7)).isPositive().isEqualTo(pace.dueNanos(7));
  }

  private Workload workload(Pace pace, int connections) {
    return new Workload(
        LINES,
        BEFORE,
        pace,
        streams.stream()
            .map(stream -> Collections.<OutputStream>nCopies(connections, stream))
            .toList());
  }

  /** Receives everything that comes on all connections of a stream. */
  private static final class Received extends OutputStream {
    private static final int LINE = BEFORE.length() + LINES.length() + 1;

    private final List<Long> serials = Collections.synchronizedList(new ArrayList<>());

    /** Semaphore that is held by the thread that writes, or that blocks the others. */
    private final Semaphore gate = new Semaphore(1);

    private final AtomicLong bytesLeft = new AtomicLong(Long.MAX_VALUE);
    private final AtomicInteger closed = new AtomicInteger();

    @Override
    public void write(int b) {
      throw new UnsupportedOperationException("lines come as a whole");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      gate.acquireUninterruptibly();
      try {
        bytesLeft.addAndGet(-length);
        failIfBroken();
        assertThat(length % LINE).isZero();
        for (int at = offset; at < offset + length; at += LINE) {
          assertThat(bytes[at]).isEqualTo((byte) 'h');
          assertThat(bytes[at + LINE - 1]).isEqualTo((byte) '\n');
          serials.add(LINES.serialOf(bytes, at + BEFORE.length(), LINES.length()));
        }
      } finally {
        gate.release();
      }
    }

    private void failIfBroken() throws IOException {
      if (bytesLeft.get() <= 0) {
        throw new IOException("the receiver is gone");
      }
    }

    @Override
    public void close() throws IOException {
      closed.incrementAndGet();
      failIfBroken();
    }

    void assertHasOnceEachBelow(long end) {
      assertThat(
              serials.stream().sorted().toList().equals(LongStream.range(0, end).boxed().toList()))
          .isTrue();
    }
  }
}
