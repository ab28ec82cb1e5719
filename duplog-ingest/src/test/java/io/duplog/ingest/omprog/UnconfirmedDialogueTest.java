package io.duplog.ingest.omprog;

import static io.duplog.ingest.omprog.Rsyslog.BEGIN;
import static io.duplog.ingest.omprog.Rsyslog.COMMIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.ingest.batch.FakePublisher;
import io.duplog.ingest.publish.OutgoingBatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnconfirmedDialogueTest {
  private final Rsyslog lines = new Rsyslog(Mode.LINES);

  /**
   * Each character is a line, and brackets are the marks. {@code ~20} lets 20 ms pass; {@code =20}
   * expects that something waits for 20 ms more, {@code =-} that nothing does. A batch has four
   * messages at most, and the linger is 20 ms. Of three queues the first gets 0 and x, the second
   * 4, the third 7. Last is what was published, a word a batch.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          after a pause, at once      | lines        | 1 | 1 ~20 2                       | 1 2
          in a flow, not yet          | lines        | 1 | 0123                          | 0
          in a flow, a full batch     | lines        | 1 | 012345                        | 0 1234
          linger from the last batch  | lines        | 1 | =- 0 ~5 12 =15 ~15 =-         | 0 12
          transactions, together      | transactions | 1 | [0] [1] [2] ~20 =-            | 0 12
          one batch, one linger       | lines        | 3 | x =- 047 =20 ~20 =-           | x 0 4 7
          three, three; one, one      | lines        | 3 | x 047 ~20 =- 0 =60 ~60 =- 0 =20 | x 0 4 7 0
          full ones, a linger a queue | lines        | 3 | x 04 77777777 777 ~20 =- 0 =60 | x 7777 7777 0 4 777
          straggler, its own linger   | lines        | 3 | x 0 7777 ~10 7777 ~10 =-      | x 7777 7777 0
          """)
  void lines_arePublishedInTime_andNeverAnswered(
      String name, String mode, int queues, String script, String published) throws Exception {
    String keys = "mode: %s, begin-mark: '[', commit-mark: ']'".formatted(mode);
    Rsyslog rsyslog = new Rsyslog(queues, keys, 4);
    for (String word : script.split(" ", -1)) {
      switch (word.charAt(0)) {
        case '~' -> rsyslog.time.sleep(nanos(word));
        case '=' -> assertThat(rsyslog.linger()).as("%s: %s", name, word).isEqualTo(nanos(word));
        default -> assertThat(rsyslog.write(word.split(""))).isEmpty();
      }
    }
    assertThat(
            rsyslog.publisher.submitted.stream()
                .map(batch -> String.join("", FakePublisher.messagesOf(batch)))
                .collect(Collectors.joining(" ")))
        .as(name)
        .isEqualTo(published);
  }

  private static long nanos(String word) {
    return word.equals("=-")
        ? Long.MAX_VALUE
        : TimeUnit.MILLISECONDS.toNanos(Long.parseLong(word.substring(1)));
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

  /** The heap of a shim is made for what one queue gathers. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void severalQueues_gatherNoMoreThanOneWould(int queues) throws Exception {
    String text = "x".repeat(2_000);
    Rsyslog rsyslog = new Rsyslog(Mode.LINES, 4096, 4096, queues);
    for (int i = 1; i <= 2_000; i++) {
      rsyslog.write(i + text);
      long gathered = i - OutgoingBatch.messagesIn(rsyslog.publisher.submitted);
      assertThat(gathered * text.length()).isLessThanOrEqualTo(1 << 20);
    }
    assertThat(rsyslog.publisher.submitted).hasSizeGreaterThan(queues);
  }

  @Test
  void lines_thatLookLikeMarks_areMessages() throws Exception {
    lines.write(BEGIN, COMMIT, "");
    assertThat(lines.leave()).isZero();
    assertThat(lines.publisher.messages()).containsExactly(BEGIN, COMMIT, "");
  }

  @Test
  void leaving_publishesWhatWasGathered() throws Exception {
    Rsyslog transactions = new Rsyslog(Mode.TRANSACTIONS);
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
