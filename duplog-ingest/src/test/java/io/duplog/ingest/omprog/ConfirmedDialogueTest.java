package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConfirmedDialogueTest {
  private static final String FAILED = ".....ERROR broker away?\n";

  private final Rsyslog rsyslog = new Rsyslog(Mode.CONFIRM);
  private final FakePublisher publisher = rsyslog.publisher;

  @Test
  void transaction_confirmed_isAnsweredWordByWord() throws Exception {
    assertThat(rsyslog.write(BEGIN, "a", "", COMMIT))
        .isEqualTo("OK\nDEFER_COMMIT\nDEFER_COMMIT\nOK\n");
    assertThat(publisher.messages()).containsExactly("a", "");
  }

  @Test
  void messages_beforeCommit_areNotPublished() throws Exception {
    rsyslog.write(BEGIN, "1", "2", "3", "4", "5", "6");
    assertThat(publisher.submitted).isEmpty();
  }

  @Test
  void transaction_ofNothing_isOk() throws Exception {
    assertThat(rsyslog.transaction()).isEqualTo("OK\n");
    assertThat(publisher.submitted).isEmpty();
  }

  @Test
  void transaction_largerThanABatch_isPublishedInParts() throws Exception {
    assertThat(rsyslog.transaction("1", "2", "3", "4", "5")).isEqualTo("OK\n");
    assertThat(publisher.submitted)
        .extracting(batch -> batch.envelope().count())
        .containsExactly(4, 1);
    assertThat(publisher.stored).hasSize(2);
  }

  @Test
  void commit_withoutConfirm_getsADotASecondAndFailsAfterPatience() throws Exception {
    publisher.confirming = false;
    long from = rsyslog.time.nanos();
    assertThat(rsyslog.transaction("a")).isEqualTo(FAILED);
    assertThat(rsyslog.time.nanos() - from).isEqualTo(5_000_000_000L);
  }

  @Test
  void resend_asItWas_keepsItsIds() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("1", "2", "3", "4", "5");
    rsyslog.transaction("1", "2", "3", "4", "5");
    publisher.confirming = true;
    assertThat(rsyslog.transaction("1", "2", "3", "4", "5")).isEqualTo("OK\n");
    assertThat(publisher.submitted).hasSize(6);
    assertThat(publisher.messages()).containsExactly("1", "2", "3", "4", "5");
  }

  @Test
  void resend_messageByMessage_isThatOfTheOldBatches() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("1", "2", "3", "4", "5");
    publisher.confirming = true;
    for (String message : List.of("1", "2", "3", "4", "5")) {
      assertThat(rsyslog.transaction(message)).isEqualTo("OK\n");
    }
    assertThat(rsyslog.transaction("6")).isEqualTo("OK\n");
    assertThat(publisher.messages()).containsExactly("1", "2", "3", "4", "5", "6");
    assertThat(publisher.submitted).as("each old batch once again, the new one once").hasSize(5);
  }

  @Test
  void resend_failingInTheMiddle_goesOnWhereItFailed() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("1", "2", "3", "4", "5", "6");
    publisher.confirming = true;
    rsyslog.transaction("1", "2", "3");
    publisher.confirming = false;
    assertThat(rsyslog.transaction("4", "5")).isEqualTo(FAILED);
    publisher.confirming = true;
    assertThat(rsyslog.transaction("4", "5")).isEqualTo("OK\n");
    assertThat(rsyslog.transaction("6")).isEqualTo("OK\n");
    assertThat(publisher.messages()).containsExactly("1", "2", "3", "4", "5", "6");
  }

  /** As 8.2302 does it: what fails once more comes after the others, together. */
  @Test
  void resend_messageByMessage_failedOnesLast_isThatOfTheOldBatches() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("1", "2", "3", "4", "5");
    assertThat(rsyslog.transaction("1")).isEqualTo(FAILED);
    assertThat(rsyslog.transaction("2")).isEqualTo(FAILED);
    publisher.confirming = true;
    for (String message : List.of("3", "4", "5")) {
      assertThat(rsyslog.transaction(message)).isEqualTo("OK\n");
    }
    assertThat(rsyslog.transaction("1", "2")).isEqualTo("OK\n");
    assertThat(rsyslog.transaction("1", "6")).isEqualTo("OK\n");
    assertThat(publisher.messages()).containsExactly("1", "2", "3", "4", "5", "1", "6");
  }

  @Test
  void resend_withNewMessagesBehind_publishesBoth() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("1", "2");
    rsyslog.transaction("1", "2", "3");
    publisher.confirming = true;
    assertThat(rsyslog.transaction("1", "2", "3")).isEqualTo("OK\n");
    assertThat(publisher.messages()).containsExactly("1", "2", "3");
  }

  @Test
  void otherMessages_afterAFailure_getANewId() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("1", "2");
    publisher.confirming = true;
    assertThat(rsyslog.transaction("3")).isEqualTo("OK\n");
    assertThat(rsyslog.transaction("1", "2")).isEqualTo("OK\n");
    assertThat(publisher.messages()).as("at worst a repeat").contains("3", "1", "2");
  }

  @Test
  void sameContent_afterSuccess_getsANewId() throws Exception {
    rsyslog.transaction("a", "b");
    rsyslog.transaction("a", "b");
    assertThat(publisher.messages()).containsExactly("a", "b", "a", "b");
  }

  @Test
  void sameContent_afterAResentFailure_getsANewId() throws Exception {
    publisher.confirming = false;
    rsyslog.transaction("a", "a");
    publisher.confirming = true;
    rsyslog.transaction("a", "a");
    rsyslog.transaction("a", "a");
    assertThat(publisher.messages()).containsExactly("a", "a", "a", "a");
  }

  @Test
  void commit_whileAnotherIsOpen_confirmsBoth() throws Exception {
    assertThat(rsyslog.write(BEGIN, "1", BEGIN, "2", COMMIT)).endsWith("OK\n");
    assertThat(publisher.messages()).containsExactly("1", "2");
    assertThat(rsyslog.write("3", COMMIT)).isEqualTo("DEFER_COMMIT\nOK\n");
    assertThat(publisher.messages()).containsExactly("1", "2", "3");
  }

  @Test
  void commit_failingWhileAnotherIsOpen_failsThatOneToo() throws Exception {
    publisher.arriving = false;
    rsyslog.write(BEGIN, "1", BEGIN, "2");
    assertThat(rsyslog.write(COMMIT)).isEqualTo(FAILED);
    publisher.arriving = true;
    assertThat(rsyslog.write(BEGIN)).as("none may begin meanwhile").startsWith(".ERROR");
    assertThat(rsyslog.write("3", COMMIT)).startsWith("DEFER_COMMIT\n.ERROR");
    assertThat(rsyslog.transaction("2", "3")).isEqualTo("OK\n");
    assertThat(rsyslog.transaction("1")).isEqualTo("OK\n");
    assertThat(publisher.messages()).contains("1", "2", "3");
  }

  @Test
  void transaction_largerThanMayBeHeld_isPublishedAheadAndConfirmed() throws Exception {
    String[] noise = noise(80, 40_000);
    Rsyslog wide = new Rsyslog(Mode.CONFIRM, 4, 65_536);
    wide.write(BEGIN);
    wide.write(noise);
    assertThat(wide.publisher.submitted).isNotEmpty();
    assertThat(wide.write(COMMIT)).isEqualTo("OK\n");
    assertThat(wide.publisher.messages()).containsExactly(noise);
  }

  @Test
  void transaction_largerThanMayBeHeld_failsAtItsCommitAlone() throws Exception {
    String[] noise = noise(80, 40_000);
    Rsyslog wide = new Rsyslog(Mode.CONFIRM, 4, 65_536);
    wide.publisher.arriving = false;
    wide.write(BEGIN);
    assertThat(wide.write(noise).replace(".", "")).isEqualTo("DEFER_COMMIT\n".repeat(80));
    wide.publisher.arriving = true;
    assertThat(wide.write(COMMIT)).startsWith(".ERROR");
    assertThat(wide.transaction(noise)).isEqualTo("OK\n");
    assertThat(wide.publisher.messages()).containsExactly(noise);
  }

  @Test
  void leaving_inMidTransaction_dropsItAndOwesNothing() throws Exception {
    rsyslog.write(BEGIN, "1", "2", "3", "4", "5");
    assertThat(rsyslog.leave()).isZero();
    assertThat(publisher.submitted).isEmpty();
  }

  /** Everything that was committed is stored, and nothing twice. */
  @Test
  void randomOutages_resentEitherWay_loseAndRepeatNothing() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      Outages outages = new Outages(seed, 1);
      for (int i = 0; i < 30; i++) {
        outages.commitInOrder(outages.messages(8, 2));
      }
      assertThat(outages.stored()).as("seed %d", seed).isEqualTo(outages.committed());
    }
  }

  /** The same where those that fail alone come after the others. */
  @Test
  void randomOutages_resentOutOfOrder_loseAndRepeatNothing() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      Outages outages = new Outages(seed, 1);
      for (int i = 0; i < 30; i++) {
        outages.commitFailedOnesLast(outages.messages(8, 2 + i));
      }
      assertThat(outages.stored())
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(outages.committed());
    }
  }

  private static String[] noise(int count, int length) {
    Random random = new Random(7);
    String[] messages = new String[count];
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder(length);
      for (int c = 0; c < length; c++) {
        text.append((char) (' ' + random.nextInt(200)));
      }
      messages[i] = text.toString();
    }
    return messages;
  }
}
