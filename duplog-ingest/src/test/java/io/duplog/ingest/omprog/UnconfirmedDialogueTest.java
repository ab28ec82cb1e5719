package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnconfirmedDialogueTest {
  private final Rsyslog lines = new Rsyslog(Mode.LINES);
  private final Rsyslog transactions = new Rsyslog(Mode.TRANSACTIONS);

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
}
