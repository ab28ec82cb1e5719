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

/**
 * Tests that a load sends each message once to each stream at the given pace, and stops at the same
 * message on all.
 */
class WorkloadTest {
  private static final NumberedLines LINES = NumberedLines.plain(1);
  private static final String PREFIX = "h ";

  /** Number of messages. It lies in the middle of a block. */
  private static final long MESSAGE_COUNT = 10_007;

  private static final Flood UNLIMITED_PACE = new Flood(() -> 0, Long.MAX_VALUE);

  private final List<FakeReceiver> streams = List.of(new FakeReceiver(), new FakeReceiver());

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void stop_paceLimited_everyMessageIsOnceOnEachStream(int connections) throws Exception {
    AtomicLong limit = new AtomicLong(MESSAGE_COUNT);
    try (Workload load = newWorkload(sentByAll -> limit.get(), connections)) {
      load.start();
      Awaitility.await().until(() -> load.sent() == MESSAGE_COUNT);
      limit.set(MESSAGE_COUNT + 30);
      Awaitility.await().until(() -> load.sent() == MESSAGE_COUNT + 30);

      load.stop();

      long end = load.sent();
      assertThat(end).isGreaterThanOrEqualTo(MESSAGE_COUNT + 30);
      assertThat(load.record().requiredTallies())
          .hasSize(2)
          .allMatch(tally -> tally.total() == end);
      streams.forEach(stream -> stream.assertHasOnceEachBelow(end));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void stop_oneStreamBlocked_otherStopsAtMaximumLeadAndBothEndAtSameNumber(int connections)
      throws Exception {
    FakeReceiver free = streams.get(0);
    FakeReceiver blocked = streams.get(1);
    blocked.writePermit.acquire();
    try (Workload load = newWorkload(UNLIMITED_PACE, connections)) {
      load.start();
      Awaitility.await().until(() -> free.serials.size() == Flood.MAX_LEAD);
      assertThat(load.sent()).isZero();
      assertThat(blocked.serials.size()).isZero();

      blocked.writePermit.release();
      Awaitility.await().until(() -> load.sent() > Flood.MAX_LEAD);
      load.stop();
      long end = load.sent();

      free.assertHasOnceEachBelow(end);
      blocked.assertHasOnceEachBelow(end);
    }
  }

  @Test
  void stop_connectionBroken_reportsReason() throws Exception {
    streams.get(1).bytesLeft.set(1_000);
    Workload load = newWorkload(UNLIMITED_PACE, 2);
    load.start();
    Awaitility.await().until(load::isOver);
    assertThatThrownBy(load::stop)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a connection broke: the receiver is gone");
    assertThatThrownBy(load::close).hasMessageContaining("the receiver is gone");
  }

  @Test
  void close_connectionBlocked_closesOthersWithoutWaiting() throws Exception {
    streams.get(1).writePermit.acquire();
    Workload load = newWorkload(sentByAll -> MESSAGE_COUNT, 1);
    load.start();
    Awaitility.await().until(() -> streams.get(1).writePermit.hasQueuedThreads());

    load.close();

    assertThat(streams.get(0).closeCount).hasValue(1);
    assertThat(streams.get(1).closeCount).hasValue(0);
    streams.get(1).writePermit.release();
  }

  @Test
  void close_notStartedAndOneFails_closesEveryConnection() throws Exception {
    streams.get(0).bytesLeft.set(0);
    Workload load = newWorkload(sentByAll -> MESSAGE_COUNT, 3);
    assertThatThrownBy(load::close).hasMessageContaining("the receiver is gone");
    assertThat(streams.get(0).closeCount).hasValue(3);
    assertThat(streams.get(1).closeCount).hasValue(3);
  }

  @Test
  void dueNanos_schedule_isDueTimeOfPace() {
    Schedule pace = new Schedule(1_000, Duration.ofSeconds(1), 1);
    assertThat(newWorkload(pace, 1).dueNanos(7)).isPositive().isEqualTo(pace.dueNanos(7));
  }

  private Workload newWorkload(Pace pace, int connections) {
    return new Workload(
        LINES,
        PREFIX,
        pace,
        streams.stream()
            .map(stream -> Collections.<OutputStream>nCopies(connections, stream))
            .toList());
  }

  /** Receives everything that is sent on all connections of a stream. */
  private static final class FakeReceiver extends OutputStream {
    private static final int LINE_BYTES = PREFIX.length() + LINES.length() + 1;

    private final List<Long> serials = Collections.synchronizedList(new ArrayList<>());

    /** Held by the writing thread, or by the test to block the writers. */
    private final Semaphore writePermit = new Semaphore(1);

    private final AtomicLong bytesLeft = new AtomicLong(Long.MAX_VALUE);
    private final AtomicInteger closeCount = new AtomicInteger();

    @Override
    public void write(int b) {
      throw new UnsupportedOperationException("lines come as a whole");
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      writePermit.acquireUninterruptibly();
      try {
        bytesLeft.addAndGet(-length);
        failIfBroken();
        assertThat(length % LINE_BYTES).isZero();
        for (int at = offset; at < offset + length; at += LINE_BYTES) {
          assertThat(bytes[at]).isEqualTo((byte) 'h');
          assertThat(bytes[at + LINE_BYTES - 1]).isEqualTo((byte) '\n');
          serials.add(LINES.serialOf(bytes, at + PREFIX.length(), LINES.length()));
        }
      } finally {
        writePermit.release();
      }
    }

    private void failIfBroken() throws IOException {
      if (bytesLeft.get() <= 0) {
        throw new IOException("the receiver is gone");
      }
    }

    @Override
    public void close() throws IOException {
      closeCount.incrementAndGet();
      failIfBroken();
    }

    void assertHasOnceEachBelow(long end) {
      assertThat(
              serials.stream().sorted().toList().equals(LongStream.range(0, end).boxed().toList()))
          .isTrue();
    }
  }
}
