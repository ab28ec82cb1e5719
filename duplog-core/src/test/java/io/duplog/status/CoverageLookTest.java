package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoverageLookTest {
  private static final String DOCUMENT =
      """
      {"bridge":{"name":"one"},"coverage":{"warn_percent":1,"dedup_window_seconds":600,
       "from":"2026-11-21T14:20:00Z","settled_until":"2026-11-21T15:20:00Z","not_compared":12,
       "streams":[
        {"stream":"syslog-a","messages":120000,"missed":0,"missed_percent":0,"missed_at_least":0},
        {"stream":"syslog-b","messages":120000,"missed":%d,"missed_percent":0.31,"missed_at_least":%d,
         "senders":[{"sender":"10.1.2.7","messages":74400,"missed":372,"missed_percent":0.5},
                    {"sender":"10.1.2.8","messages":7,"missed":0,"missed_percent":0}]}],
       "last_5m":{"settled_until":null,"streams":[]},
       "mismatches":[%s]},"lag":{"x":[1]}}
      """;

  private static CoverageLook look(int missed, String mismatches, String since) throws Exception {
    return CoverageLook.at(DOCUMENT.formatted(missed, missed - 12, mismatches), since);
  }

  @Test
  void table_showsStreams_andTheSendersThatTheyMissed() throws Exception {
    assertThat(look(372, "", "1h").text())
        .isEqualTo(
            """
            from 2026-11-21T14:20:00Z until 2026-11-21T15:20:00Z; incomplete: up to 12 messages could not be compared

                                           messages       missed         %
            syslog-a                        120,000            0      0.00
            syslog-b                        120,000          372      0.31
              10.1.2.7                       74,400          372      0.50
            """);
  }

  @ParameterizedTest
  @CsvSource({"372, 0", "1212, 0", "1213, 1"})
  void exitStatus_isOne_whereMoreThanTheThresholdWasMissedForSure(int missed, int status)
      throws Exception {
    assertThat(look(missed, "", "1h").exitStatus()).isEqualTo(status);
  }

  @Test
  void mismatch_isShownSideBySide() throws Exception {
    CoverageLook look =
        look(
            0,
            """
            {"one":"syslog-a","other":"syslog-b","example":{"one":"10.1.2.7 x","other":"10.9.2.7 x",
             "offset":3,"cause":"addresses differ"}}""",
            "1h");

    assertThat(look.exitStatus()).isEqualTo(1);
    assertThat(look.text())
        .endsWith(
            """

            syslog-a and syslog-b share almost no messages though both bring many
              syslog-a             10.1.2.7 x
              syslog-b             10.9.2.7 x
              they differ from byte 3 on: addresses differ
            """);
  }

  @Test
  void partsOfTheLedger_thatAreMissing_areNamed() throws Exception {
    String document =
        DOCUMENT
            .formatted(372, 360, "")
            .replace(
                "\"not_compared\":12,",
                """
                "not_compared":12,"ledger_parts":6,"ledger_parts_missing":[
                 {"part":1,"counted_from":null,"counted_until":null},{"part":4}],""");

    assertThat(CoverageLook.at(document, "1h").text().lines().skip(1).findFirst())
        .contains(
            "incomplete: without the messages of part 1, 4 of the ledger's 6,"
                + " for all or some of that time");
  }

  @Test
  void nothingSettled_isSaid() throws Exception {
    assertThat(look(0, "", "5m").text()).startsWith("nothing is settled yet").contains("600 s");
  }

  @Test
  void json_isTheSectionAsItCame() throws Exception {
    assertThat(look(0, "", "1h").json())
        .startsWith("{\"warn_percent\":1")
        .endsWith("\"mismatches\":[]}");
  }

  @Test
  void whatIsNotThere_isAnError() {
    assertThatThrownBy(() -> CoverageLook.at("{\"coverage\":null}", "1h"))
        .hasMessageContaining("coverage.enabled is false");
    assertThatThrownBy(() -> CoverageLook.at("<html>", "1h")).hasMessageContaining("no bridge");
    assertThatThrownBy(() -> CoverageLook.at("{}", "2h")).hasMessageContaining("5m, 1h or 24h");
  }
}
