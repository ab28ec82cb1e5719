package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.observe.Json;
import io.duplog.observe.JsonValue;
import io.duplog.status.PreviousDocument;
import io.duplog.status.SendersText;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the search for senders by address, network or host name, and the names and limits in its
 * answers.
 */
class SenderSearchTest extends SenderInventories {
  @BeforeEach
  void receiveHostNames() throws Exception {
    receive(one, A, "10.1.2.7 @r1.example.com m", "10.1.2.70 @r10 m", "10.2.0.1 @10.2.0.1 m");
    receive(one, A, "fe80::1 @R2 m");
    advance(Duration.ofSeconds(6), one);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.1.2.7    | 10.1.2.7
          10.1.2.     | 10.1.2.7 10.1.2.70
          10.1.0.0/16 | 10.1.2.7 10.1.2.70
          10.1.2.7/32 | 10.1.2.7
          fe80::/10   | fe80::1
          r1          | 10.1.2.7
          R1          | 10.1.2.7
          r10         | 10.1.2.70
          r           | 10.1.2.7 10.1.2.70 fe80::1
          example     | 10.1.2.7
          r2          | fe80::1
          r3          | ''
          ''          | 10.1.2.7 10.1.2.70 10.2.0.1 fe80::1
          """)
  void text_matchesSenders_byAddressPartNetworkOrHost(String text, String senders)
      throws Exception {
    assertThat(
            one.report()
                .map(SenderReport::sender)
                .filter(search(one).parse(text))
                .sorted()
                .collect(Collectors.joining(" ")))
        .isEqualTo(senders);
    assertThat(text(one, "find", text).csv().lines().skip(1).map(line -> line.split("\"", -1)[1]))
        .containsOnly(senders.isEmpty() ? new String[0] : senders.split(" ", -1));
  }

  @Test
  void answer_hasTheNamesOfThePreviousOne() throws Exception {
    expect(one, "{sender: u1}");
    receiveAndLoseB("10.9.9.9");

    assertThat(PreviousDocument.names(Json.render(SendersQuery.of(search(one), Map.of()))))
        .isEqualTo(PreviousDocument.names(PreviousDocument.read("senders.json")));
  }

  @Test
  void invalidNetwork_isRejected() {
    assertThatThrownBy(() -> search(one).parse("10.1.2.3/16"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void hostNames_fromAllBridges_areTheLatestFourWithoutTheAddress() throws Exception {
    for (String host : new String[] {"a", "b", "c", "a", "d", "e"}) {
      receive(one, A, "10.1.2.7 @" + host + " m");
      advance(Duration.ofSeconds(6), one);
    }
    two.runOnce();

    assertThat(of(two, "10.1.2.7").record().headers().hosts()).containsExactly("e", "d", "a", "c");
    assertThat(of(two, "10.2.0.1").record().headers().hosts()).isEmpty();
    assertThat(text(two, "find", "d").table())
        .endsWith("  e d a c\n  10.1.2.7 was first heard at 2026-11-26 10:00 UTC.\n");
  }

  @Test
  void limit_appliesToUnheardSenders_inTextAndJson() throws Exception {
    expect(one, "{sender: u1}, {sender: u2}, {sender: u3}");
    updateEveryTenSeconds(3);
    SendersText text =
        new SendersText(
            Json.render(SendersQuery.of(search(one), Map.of("only", "unheard", "limit", "2"))));

    assertThat(text.table()).contains("2 of 3 found").contains("\nu1 ").contains("\nu2 ");
    assertThat(text.table()).doesNotContain("\nu3 ");
    assertThat(
            JsonValue.parse(Json.render(SendersQuery.of(search(one), Map.of("limit", "2"))))
                .at("some_unheard")
                .list())
        .hasSize(2);
  }
}
