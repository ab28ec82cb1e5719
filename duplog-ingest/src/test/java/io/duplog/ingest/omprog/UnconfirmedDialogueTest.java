package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.publish.OutgoingBatch;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests when the shim publishes lines if rsyslog does not wait for a confirmation. */
class UnconfirmedDialogueTest {
  /**
   * Line that goes to the first of three queues; the following constants are lines for the other
   * queues.
   */
  private static final String FIRST_QUEUE = "x";

  private static final String FIRST_QUEUE_AGAIN = "0";
  private static final String SECOND_QUEUE = "4";
  private static final String THIRD_QUEUE = "7";

  private final Rsyslog linesMode = new Rsyslog(Mode.LINES);

  @Test
  void line_afterPause_isPublishedImmediately() throws Exception {
    new Steps(Mode.LINES, 1).write("1").passMillis(20).write("2").expectBatches("1", "2");
  }

  @Test
  void lines_continuousFlow_waitForLinger() throws Exception {
    new Steps(Mode.LINES, 1).write("0123").expectBatches("0");
  }

  @Test
  void lines_fullBatch_isPublishedImmediately() throws Exception {
    new Steps(Mode.LINES, 1).write("012345").expectBatches("0", "1234");
  }

  @Test
  void linger_afterBatch_startsAtTheBatch() throws Exception {
    new Steps(Mode.LINES, 1)
        .expectNothingWaits()
        .write("0")
        .passMillis(5)
        .write("12")
        .expectLingerMillis(15)
        .passMillis(15)
        .expectNothingWaits()
        .expectBatches("0", "12");
  }

  @Test
  void transactions_continuousFlow_arePublishedTogether() throws Exception {
    new Steps(Mode.TRANSACTIONS, 1)
        .write("[0]")
        .write("[1]")
        .write("[2]")
        .passMillis(20)
        .expectNothingWaits()
        .expectBatches("0", "12");
  }

  @Test
  void lines_threeQueues_waitForOneLinger() throws Exception {
    new Steps(Mode.LINES, 3)
        .write(FIRST_QUEUE)
        .expectNothingWaits()
        .write(FIRST_QUEUE_AGAIN + SECOND_QUEUE + THIRD_QUEUE)
        .expectLingerMillis(20)
        .passMillis(20)
        .expectNothingWaits()
        .expectBatches(FIRST_QUEUE, FIRST_QUEUE_AGAIN, SECOND_QUEUE, THIRD_QUEUE);
  }

  @Test
  void linger_afterThreeBatches_isThreeTimesAsLong() throws Exception {
    new Steps(Mode.LINES, 3)
        .write(FIRST_QUEUE)
        .write(FIRST_QUEUE_AGAIN + SECOND_QUEUE + THIRD_QUEUE)
        .passMillis(20)
        .expectNothingWaits()
        .write(FIRST_QUEUE_AGAIN)
        .expectLingerMillis(60)
        .passMillis(60)
        .expectNothingWaits()
        .write(FIRST_QUEUE_AGAIN)
        .expectLingerMillis(20)
        .expectBatches(
            FIRST_QUEUE, FIRST_QUEUE_AGAIN, SECOND_QUEUE, THIRD_QUEUE, FIRST_QUEUE_AGAIN);
  }

  @Test
  void linger_fullBatchesOfOneQueue_isOneLingerPerQueue() throws Exception {
    new Steps(Mode.LINES, 3)
        .write(FIRST_QUEUE)
        .write(FIRST_QUEUE_AGAIN + SECOND_QUEUE)
        .write(THIRD_QUEUE.repeat(8))
        .write(THIRD_QUEUE.repeat(3))
        .passMillis(20)
        .expectNothingWaits()
        .write(FIRST_QUEUE_AGAIN)
        .expectLingerMillis(60)
        .expectBatches(
            FIRST_QUEUE,
            THIRD_QUEUE.repeat(4),
            THIRD_QUEUE.repeat(4),
            FIRST_QUEUE_AGAIN,
            SECOND_QUEUE,
            THIRD_QUEUE.repeat(3));
  }

  @Test
  void line_fullBatchesInOtherQueue_keepsItsLinger() throws Exception {
    new Steps(Mode.LINES, 3)
        .write(FIRST_QUEUE)
        .write(FIRST_QUEUE_AGAIN)
        .write(THIRD_QUEUE.repeat(4))
        .passMillis(10)
        .write(THIRD_QUEUE.repeat(4))
        .passMillis(10)
        .expectNothingWaits()
        .expectBatches(
            FIRST_QUEUE, THIRD_QUEUE.repeat(4), THIRD_QUEUE.repeat(4), FIRST_QUEUE_AGAIN);
  }

  /**
   * Performs the steps of a test, with batches of at most four messages and a linger time of 20 ms.
   */
  private static final class Steps {
    private final Rsyslog rsyslog;

    Steps(Mode mode, int queues) {
      String keys = "mode: %s, begin-mark: '[', commit-mark: ']'";
      rsyslog = new Rsyslog(queues, keys.formatted(mode.name().toLowerCase(Locale.ROOT)), 4);
    }

    /**
     * Writes a line for each character, where brackets are transaction marks, and expects no
     * answer.
     */
    Steps write(String lines) throws Exception {
      assertThat(rsyslog.write(lines.split(""))).isEmpty();
      return this;
    }

    Steps passMillis(long millis) throws Exception {
      rsyslog.time.sleep(TimeUnit.MILLISECONDS.toNanos(millis));
      return this;
    }

    /** Expects that lines wait for the given time from now. */
    Steps expectLingerMillis(long millis) throws Exception {
      assertThat(rsyslog.publishGathered()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(millis));
      return this;
    }

    Steps expectNothingWaits() throws Exception {
      assertThat(rsyslog.publishGathered()).isEqualTo(Long.MAX_VALUE);
      return this;
    }

    /**
     * Expects that exactly these batches were published. Each text contains the lines of one batch.
     */
    void expectBatches(String... batches) {
      assertThat(rsyslog.publisher.submittedBatches)
          .extracting(batch -> String.join("", FakePublisher.messagesOf(batch)))
          .containsExactly(batches);
    }
  }

  @Test
  void lines_manyQueues_waitAtMostOneSecondMore() throws Exception {
    Rsyslog manyQueues = new Rsyslog(Mode.LINES, 4, 1 << 16, 64);
    manyQueues.write("first");
    for (int i = 0; i < 2000; i++) {
      manyQueues.write(Integer.toString(i));
    }
    manyQueues.time.sleep(20_000_000);
    assertThat(manyQueues.publishGathered()).isEqualTo(Long.MAX_VALUE);
    manyQueues.write("last");
    assertThat(manyQueues.publishGathered()).isEqualTo(1_020_000_000);
  }

  /** A shim's heap is sized for the gathered messages of one queue. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void lines_severalQueues_gatherNoMoreThanOneQueue(int queues) throws Exception {
    String text = "x".repeat(2_000);
    Rsyslog rsyslog = new Rsyslog(Mode.LINES, 4096, 4096, queues);
    for (int i = 1; i <= 2_000; i++) {
      rsyslog.write(i + text);
      long gathered = i - OutgoingBatch.messagesIn(rsyslog.publisher.submittedBatches);
      assertThat(gathered * text.length()).isLessThanOrEqualTo(1 << 20);
    }
    assertThat(rsyslog.publisher.submittedBatches).hasSizeGreaterThan(queues);
  }

  @Test
  void lines_equalToMarks_areMessages() throws Exception {
    linesMode.write(BEGIN, COMMIT, "");
    assertThat(linesMode.closePipe()).isZero();
    assertThat(linesMode.publisher.messages()).containsExactly(BEGIN, COMMIT, "");
  }

  @Test
  void closePipe_gatheredMessages_arePublished() throws Exception {
    Rsyslog transactions = new Rsyslog(Mode.TRANSACTIONS);
    transactions.write(BEGIN, "1");
    assertThat(transactions.closePipe()).isZero();
    assertThat(transactions.publisher.messages()).containsExactly("1");
  }

  @Test
  void closePipe_brokerUnavailable_returnsUnconfirmedCount() throws Exception {
    linesMode.publisher.confirming = false;
    linesMode.publisher.maxUnconfirmed = 1;
    linesMode.write("1", "2", "3");
    long from = linesMode.time.nanos();
    assertThat(linesMode.closePipe()).isEqualTo(3);
    assertThat(linesMode.time.nanos() - from).isEqualTo(5_000_000_000L);
  }
}
