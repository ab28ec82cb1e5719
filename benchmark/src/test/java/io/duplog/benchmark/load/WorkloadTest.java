package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadTest {
  private static final NumberedLines LINES = NumberedLines.plain(1);
  private static final byte[] BEFORE = {'h', ' '};

  /** In the middle of a block. */
  private static final long SOME = 10_007;

  private final List<Received> streams = List.of(new Received(), new Received());

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 10})
  void everyNumberBelowTheEnd_isOnceOnEachStream(int connections) throws Exception {
    try (Workload load = workload(new UpTo(SOME), connections)) {
      load.start();
      Awaitility.await().until(() -> load.sent() == SOME);

      long end = load.stop();

      assertThat(end).isGreaterThanOrEqualTo(SOME);
      assertThat(load.sent()).isEqualTo(end);
      assertThat(load.copies()).isEqualTo(2);
      for (Received stream : streams) {
        stream.assertHasOnceEachBelow(end);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void stoppedInFullRun_endsAllStreamsAtTheSameNumber(int connections) throws Exception {
    try (Workload load = workload(new Flood(() -> 0, Long.MAX_VALUE), connections)) {
      load.start();
      Awaitility.await().until(() -> load.sent() > SOME);

      long end = load.stop();

      for (Received stream : streams) {
        stream.assertHasOnceEachBelow(end);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void streamThatIsBlockedForAWhile_holdsTheOtherAtTheLead_andGetsAll(int connections)
      throws Exception {
    Received free = streams.get(0);
    Received blocked = streams.get(1);
    blocked.block();
    try (Workload load = workload(new Flood(() -> 0, Long.MAX_VALUE), connections)) {
      load.start();
      Awaitility.await().until(() -> free.count() == Flood.LEAD);
      assertThat(load.sent()).isZero();
      assertThat(blocked.count()).isZero();

      blocked.unblock();
      Awaitility.await().until(() -> load.sent() > Flood.LEAD);
      long end = load.stop();

      free.assertHasOnceEachBelow(end);
      blocked.assertHasOnceEachBelow(end);
    }
  }

  @Test
  void pace_isKept() throws Exception {
    UpTo pace = new UpTo(100);
    try (Workload load = workload(pace, 1)) {
      load.start();
      Awaitility.await().until(() -> load.sent() == 100);
      pace.limit = 130;
      Awaitility.await().until(() -> load.sent() == 130);
      assertThat(load.dueNanos(7)).isEqualTo(pace.dueNanos(7));
      assertThat(load.stop()).isEqualTo(130);
    }
  }

  @Test
  void brokenConnection_isReported() throws Exception {
    streams.get(1).breakAfter(1_000);
    Workload load = workload(new Flood(() -> 0, Long.MAX_VALUE), 2);
    load.start();
    Awaitility.await().until(load::isBroken);
    assertThatThrownBy(load::stop)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a connection broke: the receiver is gone");
    assertThatThrownBy(load::close).hasMessageContaining("the receiver is gone");
  }

  @Test
  void close_doesNotWaitForABlockedConnection_andClosesTheOthers() throws Exception {
    streams.get(1).block();
    Workload load = workload(new UpTo(SOME), 1);
    load.start();
    Awaitility.await().until(() -> streams.get(1).isWaiting());

    load.close();

    assertThat(streams.get(0).closed).isEqualTo(1);
    assertThat(streams.get(1).closed).isZero();
    streams.get(1).unblock();
  }

  @Test
  void close_beforeTheStart_closesEveryConnection_evenIfOneFails() throws Exception {
    streams.get(0).breakAfter(0);
    Workload load = workload(new UpTo(SOME), 3);
    assertThatThrownBy(load::close).hasMessageContaining("the receiver is gone");
    assertThat(streams.get(0).closed).isEqualTo(3);
    assertThat(streams.get(1).closed).isEqualTo(3);
  }

  private Workload workload(Pace pace, int connections) {
    List<List<OutputStream>> outputs = new ArrayList<>();
    for (Received stream : streams) {
      List<OutputStream> ofStream = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        ofStream.add(stream.connection());
      }
      outputs.add(ofStream);
    }
    return new Workload(LINES, BEFORE, pace, outputs);
  }

  /** All at once, up to a number. */
  private static final class UpTo implements Pace {
    private volatile long limit;

    UpTo(long limit) {
      this.limit = limit;
    }

    @Override
    public void begin() {}

    @Override
    public long allowed(long sentByAll) {
      return limit;
    }

    @Override
    public long dueNanos(long serial) {
      return 1_000 + serial;
    }
  }

  /** What came on all connections of a stream. */
  private static final class Received {
    private final List<Long> serials = new ArrayList<>();
    private boolean blocked;
    private int waiting;
    private long bytesLeft = Long.MAX_VALUE;
    private volatile int closed;

    OutputStream connection() {
      return new OutputStream() {
        @Override
        public void write(int b) {
          throw new UnsupportedOperationException("lines come as a whole");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          take(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
          closeOne();
        }
      };
    }

    private synchronized void take(byte[] bytes, int offset, int length) throws IOException {
      awaitUnblocked();
      bytesLeft -= length;
      failIfBroken();
      int lineLength = BEFORE.length + LINES.length() + 1;
      assertThat(length % lineLength).isZero();
      for (int at = offset; at < offset + length; at += lineLength) {
        assertThat(bytes[at]).isEqualTo(BEFORE[0]);
        assertThat(bytes[at + lineLength - 1]).isEqualTo((byte) '\n');
        serials.add(LINES.serialOf(bytes, at + BEFORE.length, LINES.length()));
      }
    }

    private void awaitUnblocked() throws IOException {
      try {
        while (blocked) {
          waiting++;
          wait();
          waiting--;
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    private void failIfBroken() throws IOException {
      if (bytesLeft <= 0) {
        throw new IOException("the receiver is gone");
      }
    }

    private synchronized void closeOne() throws IOException {
      closed++;
      failIfBroken();
    }

    synchronized void block() {
      blocked = true;
    }

    synchronized void unblock() {
      blocked = false;
      notifyAll();
    }

    synchronized boolean isWaiting() {
      return waiting > 0;
    }

    synchronized void breakAfter(long bytes) {
      bytesLeft = bytes;
    }

    synchronized int count() {
      return serials.size();
    }

    synchronized void assertHasOnceEachBelow(long end) {
      List<Long> sorted = serials.stream().sorted().toList();
      assertThat(sorted).hasSize((int) end).doesNotHaveDuplicates();
      assertThat(sorted.get(0)).isZero();
      assertThat(sorted.get(sorted.size() - 1)).isEqualTo(end - 1);
    }
  }
}
