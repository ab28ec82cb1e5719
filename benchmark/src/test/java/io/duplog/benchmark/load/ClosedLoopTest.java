package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the load that sends only as fast as the shims confirm. */
class ClosedLoopTest {
  private static final NumberedLines LINES = NumberedLines.accessLog(1);
  private static final String BEFORE = "h ";
  private static final int CLIENTS = 3;
  private static final int BATCH = 5;
  private static final long ROUND = (long) CLIENTS * BATCH;

  /** Shims by client, then by path. */
  private final List<List<FakeShim>> shims = new ArrayList<>();

  private Pace pace = freely();

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "2, 3"})
  void everyNumberBelowTheEnd_isConfirmedOnceOnEachPath_whereABatchIsRefusedToo(
      int paths, int refusals) throws Exception {
    List<FakeShim> client = shims(paths).get(1);
    client.get(0).refuse(refusals);
    try (ClosedLoop loop = start()) {
      Awaitility.await().until(() -> loop.sent() >= 10 * ROUND);

      loop.stop();
      long end = loop.sent();

      assertThat(loop.record().promised()).hasSize(paths);
      assertThat(loop.refusals()).isEqualTo(refusals);
      assertThat(client.get(0).batches()).isEqualTo(client.get(paths - 1).batches() + refusals);
      assertHasAllBelow(end);
    }
    assertThat(allShims()).allMatch(FakeShim::isClosed);
  }

  @Test
  void clientThatLagsBehind_sendsNoOtherBatch_andIsGivenTimeToEndTheSameRound() throws Exception {
    FakeShim fast = shims(2).get(0).get(0);
    FakeShim slow = shims.get(0).get(1);
    slow.hold();
    try (ClosedLoop loop = start()) {
      Awaitility.await().until(() -> shims.get(2).get(0).batches() > 20);
      Awaitility.await().until(() -> slow.batches() == 1);
      assertThat(fast.batches()).isEqualTo(1);
      assertThat(loop.sent()).isZero();
      slow.release();

      loop.stop();
      long end = loop.sent();

      assertThat(end).isGreaterThanOrEqualTo(20 * ROUND).isEqualTo(loop.sent());
      assertHasAllBelow(end);
    }
  }

  @Test
  void batches_haveTheTimesOfTheirMessages() throws Exception {
    try (ClosedLoop loop = started(2)) {
      Awaitility.await().until(() -> loop.sent() >= 100 * ROUND);
      loop.stop();
      long end = loop.sent();

      assertThat(loop.batches())
          .allMatch(b -> b.dueNanos() <= b.sentNanos() && b.sentNanos() <= b.confirmedNanos());
      List<Long> sent = loop.batches().stream().map(ClosedLoop.Batch::dueNanos).toList();
      assertThat(sent).hasSize((int) (end / BATCH));
      List<Long> due =
          LongStream.iterate(0, serial -> serial < end, serial -> serial + BATCH)
              .map(loop::dueNanos)
              .boxed()
              .sorted()
              .toList();
      assertThat(due.equals(sent.stream().sorted().toList())).isTrue();
      assertThat(loop.dueNanos(BATCH - 1)).isEqualTo(loop.dueNanos(0));
      assertThat(loop.dueNanos(ROUND)).as("of the next round").isGreaterThan(loop.dueNanos(0));
    }
  }

  @Test
  void pace_holdsBatchesBack_untilTheEnd() throws Exception {
    AtomicLong delivered = new AtomicLong();
    // Room for a round, and for all but one message of the next.
    pace = new Flood(delivered::get, 2 * ROUND - 1);
    try (ClosedLoop loop = started(2)) {
      Awaitility.await().until(() -> batches() == 2 * (2 * CLIENTS - 1));
      Awaitility.await().until(() -> loop.sent() == ROUND);
      delivered.set(1);
      Awaitility.await().until(() -> loop.sent() == 2 * ROUND);

      loop.stop();
      long end = loop.sent();

      assertThat(end).as("with the batch that each held back").isEqualTo(3 * ROUND);
      assertHasAllBelow(end);
    }
  }

  @ParameterizedTest
  @CsvSource({"true,  the receiver has ended", "false, 'expected DEFER_COMMIT, the answer was OK'"})
  void receiverThatEnds_orAnswersWhatNobodyExpects_isReported(boolean ends, String why)
      throws Exception {
    try (ClosedLoop loop = started(2)) {
      FakeShim shim = shims.get(2).get(1);
      if (ends) {
        shim.end();
      } else {
        shim.answerMessagesWith("OK");
      }
      Awaitility.await().until(loop::isOver);
      assertThatThrownBy(loop::stop)
          .isInstanceOf(IOException.class)
          .hasMessage("a connection broke: " + why);
    }
  }

  @Test
  void close_doesNotWaitForAConfirmation() throws Exception {
    FakeShim held = shims(1).get(0).get(0);
    held.hold();
    ClosedLoop loop = start();
    Awaitility.await().until(() -> held.batches() == 1);
    loop.close();
    assertThat(allShims()).allMatch(FakeShim::isClosed);
  }

  private static Pace freely() {
    return new Flood(() -> 0, Long.MAX_VALUE);
  }

  private ClosedLoop started(int paths) throws IOException {
    shims(paths);
    return start();
  }

  private ClosedLoop start() throws IOException {
    ClosedLoop loop =
        new ClosedLoop(
            LINES,
            BEFORE,
            BATCH,
            pace,
            shims.stream()
                .map(ofClient -> ofClient.stream().map(shim -> shim.path(BATCH)).toList())
                .toList());
    loop.awaitReceivers();
    loop.start();
    return loop;
  }

  private List<List<FakeShim>> shims(int paths) throws IOException {
    for (int client = 0; client < CLIENTS; client++) {
      List<FakeShim> ofClient = new ArrayList<>();
      for (int path = 0; path < paths; path++) {
        ofClient.add(new FakeShim());
      }
      shims.add(ofClient);
    }
    return shims;
  }

  private int batches() {
    return allShims().stream().mapToInt(FakeShim::batches).sum();
  }

  private List<FakeShim> allShims() {
    return shims.stream().flatMap(List::stream).toList();
  }

  /**
   * Asserts that each path has the clients' messages, which together are all those below the end.
   */
  private void assertHasAllBelow(long end) {
    List<String> all = LongStream.range(0, end).mapToObj(ClosedLoopTest::line).sorted().toList();
    for (int path = 0; path < shims.get(0).size(); path++) {
      int chosen = path;
      List<String> confirmed =
          shims.stream()
              .flatMap(ofClient -> ofClient.get(chosen).confirmed().stream())
              .sorted()
              .toList();
      assertThat(confirmed.equals(all)).as("path %s has each once", path).isTrue();
    }
  }

  private static String line(long serial) {
    byte[] bytes = new byte[LINES.length()];
    LINES.write(serial, bytes, 0);
    return BEFORE + new String(bytes, StandardCharsets.US_ASCII);
  }
}
