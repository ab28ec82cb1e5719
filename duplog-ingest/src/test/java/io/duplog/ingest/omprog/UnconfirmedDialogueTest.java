package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.wire.Partition;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UnconfirmedDialogueTest {
  /** Messages, the n-th for the n-th of three queues. */
  private static final String[] ONE_FOR_EACH = oneForEach(3);

  private final Rsyslog lines = new Rsyslog(Mode.LINES);
  private final Rsyslog transactions = new Rsyslog(Mode.TRANSACTIONS);
  private final Rsyslog threeQueues = new Rsyslog(Mode.LINES, 4, 1 << 16, 3);

  @Test
  void line_afterAPause_isPublishedAtOnce() throws Exception {
    lines.write("1");
    assertThat(lines.publisher.messages()).containsExactly("1");
    lines.time.sleep(20_000_000);
    lines.write("2");
    assertThat(lines.publisher.messages()).containsExactly("1", "2");
  }

  @Test
  void lines_inAFlow_makeABatchOfTheCount() throws Exception {
    lines.write("0", "1", "2", "3");
    assertThat(lines.publisher.messages()).containsExactly("0");
    lines.write("4", "5");
    assertThat(lines.publisher.messages()).containsExactly("0", "1", "2", "3", "4");
    assertThat(lines.publisher.submitted).hasSize(2);
  }

  @Test
  void lines_lingeringLongEnough_arePublished() throws Exception {
    assertThat(lines.linger()).isEqualTo(Long.MAX_VALUE);
    lines.write("0");
    lines.time.sleep(5_000_000);
    lines.write("1", "2");
    assertThat(lines.linger()).as("counted from the last batch").isEqualTo(15_000_000);
    lines.time.sleep(15_000_000);
    assertThat(lines.linger()).isEqualTo(Long.MAX_VALUE);
    assertThat(lines.publisher.messages()).containsExactly("0", "1", "2");
    assertThat(lines.publisher.submitted).hasSize(2);
  }

  @Test
  void lines_forSeveralQueues_waitForALingerForEachBatchOfTheLastCut() throws Exception {
    threeQueues.write("first");
    assertThat(threeQueues.linger()).isEqualTo(Long.MAX_VALUE);
    threeQueues.write(ONE_FOR_EACH);
    assertThat(threeQueues.linger()).as("one batch was published").isEqualTo(20_000_000);
    threeQueues.time.sleep(20_000_000);
    assertThat(threeQueues.linger()).isEqualTo(Long.MAX_VALUE);
    assertThat(threeQueues.publisher.submitted).hasSize(4);

    threeQueues.write(ONE_FOR_EACH[0]);
    assertThat(threeQueues.linger()).as("three batches were published").isEqualTo(60_000_000);
    threeQueues.time.sleep(60_000_000);
    assertThat(threeQueues.linger()).isEqualTo(Long.MAX_VALUE);
    assertThat(threeQueues.publisher.submitted).hasSize(5);
    threeQueues.write(ONE_FOR_EACH[0]);
    assertThat(threeQueues.linger()).as("one was published").isEqualTo(20_000_000);
  }

  @Test
  void fullBatches_forSeveralQueues_delayNothingByMoreThanALingerForEachQueue() throws Exception {
    threeQueues.write("first", ONE_FOR_EACH[0], ONE_FOR_EACH[1]);
    for (int i = 0; i < 5 * 4; i++) {
      threeQueues.write(ONE_FOR_EACH[2]);
    }
    assertThat(threeQueues.publisher.submitted).hasSize(1 + 5);
    threeQueues.time.sleep(20_000_000);
    assertThat(threeQueues.linger()).isEqualTo(Long.MAX_VALUE);
    threeQueues.write(ONE_FOR_EACH[0]);
    assertThat(threeQueues.linger()).isEqualTo(60_000_000);
  }

  @Test
  void lines_forManyQueues_waitForASecondMore_atMost() throws Exception {
    Rsyslog manyQueues = new Rsyslog(Mode.LINES, 4, 1 << 16, 64);
    manyQueues.write("first");
    for (int i = 0; i < 2000; i++) {
      manyQueues.write(Integer.toString(i));
    }
    manyQueues.time.sleep(20_000_000);
    assertThat(manyQueues.linger()).isEqualTo(Long.MAX_VALUE);
    manyQueues.write("last");
    assertThat(manyQueues.linger()).isEqualTo(1_020_000_000);
  }

  @Test
  void lines_thatLookLikeMarks_areMessages() throws Exception {
    lines.write(BEGIN, COMMIT);
    assertThat(lines.leave()).isZero();
    assertThat(lines.publisher.messages()).containsExactly(BEGIN, COMMIT);
  }

  @Test
  void anyLine_isNotAnswered() throws Exception {
    assertThat(lines.write("1", "", "2")).isEmpty();
    assertThat(transactions.write(BEGIN, "1", COMMIT)).isEmpty();
  }

  @Test
  void transactions_inQuickSuccession_goTogether() throws Exception {
    transactions.write(BEGIN, "0", COMMIT, BEGIN, "1", COMMIT, BEGIN, "2", COMMIT);
    assertThat(transactions.publisher.messages()).containsExactly("0");
    transactions.time.sleep(20_000_000);
    transactions.linger();
    assertThat(transactions.publisher.messages()).containsExactly("0", "1", "2");
    assertThat(transactions.publisher.submitted).hasSize(2);
  }

  @Test
  void leaving_publishesWhatWasGathered() throws Exception {
    transactions.write(BEGIN, "1");
    assertThat(transactions.leave()).isZero();
    assertThat(transactions.publisher.messages()).containsExactly("1");
  }

  @Test
  void leaving_whileTheBrokerIsAway_tellsHowManyAreUnconfirmed() throws Exception {
    lines.publisher.confirming = false;
    lines.publisher.room = 1;
    lines.write("1", "2", "3");
    long from = lines.time.nanos();
    assertThat(lines.leave()).isEqualTo(3);
    assertThat(lines.time.nanos() - from).isEqualTo(5_000_000_000L);
  }

  private static String[] oneForEach(int queues) {
    Partition partition = new Partition(false, queues);
    String[] messages = new String[queues];
    for (int i = 0; i < 1_000; i++) {
      byte[] message = Integer.toString(i).getBytes(StandardCharsets.ISO_8859_1);
      messages[partition.of(message, 0, message.length)] = Integer.toString(i);
    }
    return messages;
  }
}
