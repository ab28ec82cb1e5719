package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.status.SendersText;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how {@code duplog senders} prints the senders, as a table and as CSV. */
class SendersTextTest extends SenderInventories {
  @Test
  void goneSender_isShownWithItsExpectedMessages() throws Exception {
    learnRhythm();
    advanceWithoutX(50);
    long last = of(one, "x").record().lastMillis();
    assertThat(of(one, "x").gone().since()).isEqualTo(Instant.ofEpochMilli(last));
    assertThat(of(one, "x").gone().missing()).isBetween(5.0, 7.0);
    SendersText text = text(one, "only", "gone");
    assertThat(text.exitStatus()).isEqualTo(1);
    assertThat(text.table())
        .contains("2 senders known; 1 of 1 found\n1 sender is gone (silent on all paths) (x). ")
        .containsPattern(
            "\n  x has been silent on all paths since .* UTC; it would have spoken about 6 times, and never left out more than 1");
    expect(one, "{sender: x, every: 10m}");
    updateEveryTenSeconds(1);
    assertThat(text(one, "only", "gone").table()).contains("; it has to speak every 600 s.\n");
  }

  @Test
  void wrongClockAndMalformedHeaders_areShown() throws Exception {
    receive(
        one,
        A,
        "x +7205 m",
        "x +99999 only the first of a row is looked at",
        "y -340 m",
        "z broken");
    receiveOnBoth(one, "w m");
    advance(Duration.ofSeconds(6), one);
    receive(one, A, "z m");
    advance(Duration.ofSeconds(6), one);

    updateEveryTenSeconds(2);

    assertThat(found(one, Concern.CLOCK)).containsExactly("x", "y");
    assertThat(only("clock"))
        .contains(
            "\n  The clock of x is 7,205 s ahead of ours; a wrong time zone would explain that.\n")
        .contains("\n  The clock of y is 340 s behind ours.\n")
        .contains("2 of 2 found");
    assertThat(only("malformed"))
        .contains("1 of 1 found")
        .contains(
            "\n  z sent headers without a priority, or without a time to be trusted, in 1 of 2 messages that were checked.\n");
  }

  @Test
  void lateCutOrRefusedMessages_areShownWithTheirSenders() throws Exception {
    String longest = "m".repeat(1_024);
    for (int i = 0; i < 3; i++) {
      receiveOnBoth(one, "x " + longest);
      receive(one, A, "y " + longest.substring(5), "z m");
      advance(Duration.ofSeconds(6), one);
    }
    receiveOnBoth(one, "z -70 m");
    advance(Duration.ofSeconds(6), one);
    for (int i = 0; i < 2; i++) {
      one.refused(DeliveryRequests.batch(true, "y m", "x m", "nobody"), 2 * i);
      one.refused(DeliveryRequests.batch(true, "unknown m"), 0);
      one.refused(DeliveryRequests.batch(true, "y m", "x m"), 0);
      advance(Duration.ofSeconds(6), one);
    }

    SenderReport y = of(one, "y");
    assertThat(y.record().totals()).isEqualTo(new Totals(3, 3 * 1_019, 3, 1_019, 3));
    assertThat(y.record().lastMillis()).as("refused later").isEqualTo(BEGIN + 12_000);
    assertThat(only("cut"))
        .contains("1 of 1 found")
        .contains(
            "\n  x sent 3 messages of 1,024 bytes, but no longer ones; they seem to be cut.\n");
    assertThat(only("refused"))
        .contains("1 of 1 found")
        .contains("\n  The sink refused 3 messages of y, and put them into a dead-letter queue.\n");
    assertThat(only("late"))
        .contains("1 of 1 found")
        .contains(
            "\n  z sent late: 1 of 4 messages that were checked came a minute or more later than the one before, by their own times.\n");
  }

  @Test
  void unheardSender_isShown() throws Exception {
    expect(one, "{sender: x}, {sender: y}");
    receiveOnBoth(one, "y m");
    updateEveryTenSeconds(3);
    SendersText text = text(one, "only", "unheard");
    assertThat(text.exitStatus()).isEqualTo(1);
    assertThat(text.table())
        .isEqualTo(
            """
            1 senders known; 1 of 1 found
            1 sender is expected and was not heard (x). Their messages are in no log. Check their targets, and whether coverage.sender-list has the address that rsyslog sees.
            Not urgent, see --only: new 1

            sender                                  first                last                       messages  hosts
            x                                                                                              0
              x is expected, and no stream has brought a message from it.
            """);
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          only  | silent   | y
          only  | one-path | x
          only  | new      | yx
          find  | x        | x
          sort  | sender   | xy
          sort  | messages | yx
          sort  | first    | yx
          limit | 1        | y
          """)
  void query_returnsTheMatchingSenders(String word, String value, String expected)
      throws Exception {
    one.runOnce();
    receiveOnA("x", 5);
    receiveAndLoseB("y");

    SendersText answer = text(one, word, value);

    assertThat(answer.exitStatus()).isEqualTo(1);
    assertThat(
            answer
                .csv()
                .lines()
                .skip(1)
                .map(line -> line.substring(1, 2))
                .distinct()
                .collect(Collectors.joining()))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"only, some", "sort, age", "limit, -1", "limit, 10001", "limit, ten"})
  void invalidQuery_isRejected(String word, String value) {
    assertThatThrownBy(() -> text(one, word, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(word + " must be");
  }

  @Test
  void tableAndCsv_showSilentPaths_andEscapeSenders() throws Exception {
    receiveAndLoseB("=\u001b[2J\"x");
    SendersText text = text(one, "find", "");

    assertThat(text.table())
        .isEqualTo(
            """
            1 senders known; 1 of 1 found
            1 sender is silent on one path (=?[2J"x on b). Their messages have one path left. Check their second target and the firewall before that node.
            Not urgent, see --only: new 1

            sender                                  first                last                       messages  hosts
            =?[2J"x                                 2026-11-26T10:00:00Z 2026-11-26T10:00:50Z              6
              =?[2J"x has been silent on b since 2026-11-26 10:00 UTC; 5 of its messages came by other streams.
              =?[2J"x was first heard at 2026-11-26 10:00 UTC.
            """);
    assertThat(text.csv())
        .isEqualTo(
            """
            sender,first,last,messages,bytes,stream,state,last_on_stream,copies,missed_since,gone_missing,volume,numbers_missing,clock_ahead_seconds,malformed,late,cut,refused,concerns
            "'=?[2J""x",2026-11-26T10:00:00Z,2026-11-26T10:00:50Z,6,56,a,heard,2026-11-26T10:00:50Z,6,0,0,,0,0,0,0,0,0,silent new
            "'=?[2J""x",2026-11-26T10:00:00Z,2026-11-26T10:00:50Z,6,56,b,silent,2026-11-26T10:00:00Z,1,5,0,,0,0,0,0,0,0,silent new
            """);
  }
}
