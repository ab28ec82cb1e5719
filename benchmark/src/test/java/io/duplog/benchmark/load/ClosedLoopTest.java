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

/**
 * Tests that each client of the closed-loop load waits for its shims, that every message is
 * confirmed once on each path, and that failures are reported.
 */
class ClosedLoopTest {
  private static final NumberedLines LINES = NumberedLines.accessLog(1);
  private static final String PREFIX = "h ";
  private static final int CLIENTS = 3;
  private static final int MESSAGES_PER_BATCH = 5;
  private static final long MESSAGES_PER_ROUND = (long) CLIENTS * MESSAGES_PER_BATCH;

  /** Shims by client, then by path. */
  private final List<List<FakeShim>> shims = new ArrayList<>();

  private Pace pace = unlimitedPace();

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "2, 3"})
  void stop_batchesRefusedOnOnePath_everyMessageIsConfirmedOnceOnEachPath(int paths, int refusals)
      throws Exception {
    List<FakeShim> client = addShims(paths).get(1);
    client.get(0).refuse(refusals);
    try (ClosedLoop loop = start()) {
      Awaitility.await().until(() -> loop.sent() >= 10 * MESSAGES_PER_ROUND);

      loop.stop();
      long end = loop.sent();

      assertThat(loop.record().requiredTallies()).hasSize(paths);
      assertThat(loop.refusals()).isEqualTo(refusals);
      assertThat(client.get(0).batches()).isEqualTo(client.get(paths - 1).batches() + refusals);
      assertHasAllBelow(end);
    }
    assertThat(allShims()).allMatch(FakeShim::isClosed);
  }

  @Test
  void stop_clientWaitsForConfirmation_sendsNoOtherBatchAndEndsSameRound() throws Exception {
    FakeShim fast = addShims(2).get(0).get(0);
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

      assertThat(end).isGreaterThanOrEqualTo(20 * MESSAGES_PER_ROUND).isEqualTo(loop.sent());
      assertHasAllBelow(end);
    }
  }

  @Test
  void batches_confirmed_haveTimesOfTheirMessages() throws Exception {
    try (ClosedLoop loop = startWithNewShims(2)) {
      Awaitility.await().until(() -> loop.sent() >= 100 * MESSAGES_PER_ROUND);
      loop.stop();
      long end = loop.sent();

      assertThat(loop.batches())
          .allMatch(b -> b.dueNanos() <= b.sentNanos() && b.sentNanos() <= b.confirmedNanos());
      List<Long> sent = loop.batches().stream().map(ClosedLoop.Batch::dueNanos).toList();
      assertThat(sent).hasSize((int) (end / MESSAGES_PER_BATCH));
      List<Long> due =
          LongStream.iterate(0, serial -> serial < end, serial -> serial + MESSAGES_PER_BATCH)
              .map(loop::dueNanos)
              .boxed()
              .sorted()
              .toList();
      assertThat(due.equals(sent.stream().sorted().toList())).isTrue();
      assertThat(loop.dueNanos(MESSAGES_PER_BATCH - 1)).isEqualTo(loop.dueNanos(0));
      assertThat(loop.dueNanos(MESSAGES_PER_ROUND))
          .as("of the next round")
          .isGreaterThan(loop.dueNanos(0));
    }
  }

  @Test
  void pace_limitReached_holdsBatchesBackUntilStop() throws Exception {
    AtomicLong delivered = new AtomicLong();
    // The limit allows a whole round, and all but one message of the next.
    pace = new Flood(delivered::get, 2 * MESSAGES_PER_ROUND - 1);
    try (ClosedLoop loop = startWithNewShims(2)) {
      Awaitility.await().until(() -> batches() == 2 * (2 * CLIENTS - 1));
      Awaitility.await().until(() -> loop.sent() == MESSAGES_PER_ROUND);
      delivered.set(1);
      Awaitility.await().until(() -> loop.sent() == 2 * MESSAGES_PER_ROUND);

      loop.stop();
      long end = loop.sent();

      assertThat(end)
          .as("includes the batch that each client held back")
          .isEqualTo(3 * MESSAGES_PER_ROUND);
      assertHasAllBelow(end);
    }
  }

  @ParameterizedTest
  @CsvSource({"true,  the receiver has ended", "false, 'expected DEFER_COMMIT, the answer was OK'"})
  void stop_receiverEndedOrAnsweredUnexpectedly_reportsReason(boolean ends, String why)
      throws Exception {
    try (ClosedLoop loop = startWithNewShims(2)) {
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
  void close_confirmationOutstanding_doesNotWait() throws Exception {
    FakeShim heldShim = addShims(1).get(0).get(0);
    heldShim.hold();
    ClosedLoop loop = start();
    Awaitility.await().until(() -> heldShim.batches() == 1);
    loop.close();
    assertThat(allShims()).allMatch(FakeShim::isClosed);
  }

  private static Pace unlimitedPace() {
    return new Flood(() -> 0, Long.MAX_VALUE);
  }

  private ClosedLoop startWithNewShims(int paths) throws IOException {
    addShims(paths);
    return start();
  }

  private ClosedLoop start() throws IOException {
    ClosedLoop loop =
        new ClosedLoop(
            LINES,
            PREFIX,
            MESSAGES_PER_BATCH,
            pace,
            shims.stream()
                .map(
                    clientShims ->
                        clientShims.stream().map(shim -> shim.path(MESSAGES_PER_BATCH)).toList())
                .toList());
    loop.awaitReceivers();
    loop.start();
    return loop;
  }

  private List<List<FakeShim>> addShims(int paths) throws IOException {
    for (int client = 0; client < CLIENTS; client++) {
      List<FakeShim> clientShims = new ArrayList<>();
      for (int path = 0; path < paths; path++) {
        clientShims.add(new FakeShim());
      }
      shims.add(clientShims);
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
   * Asserts that each path has the clients' messages, which together are all numbers below the end.
   */
  private void assertHasAllBelow(long end) {
    List<String> all = LongStream.range(0, end).mapToObj(ClosedLoopTest::line).sorted().toList();
    for (int path = 0; path < shims.get(0).size(); path++) {
      int pathIndex = path;
      List<String> confirmed =
          shims.stream()
              .flatMap(clientShims -> clientShims.get(pathIndex).confirmedMessages().stream())
              .sorted()
              .toList();
      assertThat(confirmed.equals(all)).as("path %s has each once", path).isTrue();
    }
  }

  private static String line(long serial) {
    byte[] bytes = new byte[LINES.length()];
    LINES.write(serial, bytes, 0);
    return PREFIX + new String(bytes, StandardCharsets.US_ASCII);
  }
}
