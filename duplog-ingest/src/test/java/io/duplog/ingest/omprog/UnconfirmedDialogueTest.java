package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnconfirmedDialogueTest {
  private final Rsyslog lines = new Rsyslog(Mode.LINES);
  private final Rsyslog transactions = new Rsyslog(Mode.TRANSACTIONS);

  @Test
  void lines_upToTheCount_makeABatch() throws Exception {
    lines.write("1", "2", "3");
    assertThat(lines.publisher.submitted).isEmpty();
    lines.write("4", "5");
    assertThat(lines.publisher.messages()).containsExactly("1", "2", "3", "4");
  }

  @Test
  void lines_lingeringLongEnough_arePublished() throws Exception {
    assertThat(lines.linger()).isEqualTo(Long.MAX_VALUE);
    lines.write("1");
    lines.time.sleep(5_000_000);
    lines.write("2");
    assertThat(lines.linger()).as("counted from the first one").isEqualTo(15_000_000);
    lines.time.sleep(15_000_000);
    assertThat(lines.linger()).isEqualTo(Long.MAX_VALUE);
    assertThat(lines.publisher.messages()).containsExactly("1", "2");
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
  void commit_endsTheBatch() throws Exception {
    transactions.write(BEGIN, "1", "2", COMMIT, BEGIN, "3");
    assertThat(transactions.publisher.messages()).containsExactly("1", "2");
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
    lines.write("1", "2", "3");
    long from = lines.time.nanos();
    assertThat(lines.leave()).isEqualTo(3);
    assertThat(lines.time.nanos() - from).isEqualTo(5_000_000_000L);
  }
}
