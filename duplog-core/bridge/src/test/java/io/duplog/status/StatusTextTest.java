package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the text that {@code duplog status}, {@code top} and {@code coverage} print about a
 * bridge's state.
 */
class StatusTextTest {
  private static final String DOCUMENT =
      """
      {"bridge":{"name":"one","version":"0.1.0","now":"2026-11-21T12:00:0%d.500Z",
        "started":"2026-11-21T10:00:00Z","uptime_seconds":7200},
       "journey":{"received":%d,"kept":1000,"dropped":900,"in_flight":100},
       "streams":[{"name":"a","received":1500,"kept":1000},{"name":"b","received":500}],
       "health":{"level":"%s","summary":"A summary.","parts":[
         {"name":"stream a","level":"ok","detail":"connected, reading"},
         {"name":"redis","level":"%s","detail":"refused: \\u001b[2Jpassing","runbook":"operations#x"}]},
       "coverage":{"streams":[{"stream":"b","messages":1000,"missed":31,"missed_percent":3.1,
         "senders":[{"sender":"10.1.2.6","missed":1},{"sender":"10.1.2.7","missed":30}]}]},
       "lag":{"streams":[{"stream":"a","age_seconds":1.2,"depth":7,"state":"well"}]},
       "warnings":[{"at":"2026-11-21T12:00:00Z","level":"WARN","text":"redis went","times":1}],
       "other":[1,{"x":null}],"flag":true}
      """;

  private static StatusText look(int second, int received, String state) throws StatusException {
    return StatusText.at(DOCUMENT.formatted(second, received, state, state));
  }

  @ParameterizedTest
  @CsvSource({"ok,0", "attention,1", "degraded,1", "down,2", "unheard-of,2"})
  void exitStatus_followsTheLevel_andTheFirstLineHasTheSummary(String level, int status)
      throws Exception {
    StatusText look = look(1, 2000, level);

    assertThat(look.exitStatus()).isEqualTo(status);
    assertThat(look.text()).startsWith("bridge one: A summary. (version 0.1.0, up 2 h)\n");
  }

  @ParameterizedTest
  @CsvSource({"well,0", "degraded,1", "not-ready,2"})
  void exitStatus_followsTheStateOfABridgeBeforeThereWereLevels(String state, int status)
      throws Exception {
    String document = DOCUMENT.formatted(1, 2000, state, state).replace("\"level\"", "\"state\"");

    assertThat(StatusText.at(document).exitStatus()).isEqualTo(status);
  }

  @Test
  void text_saysPartsJourneyAndLag_andSteersNoTerminal() throws Exception {
    assertThat(look(1, 2000, "degraded").text().lines().skip(1))
        .containsExactly(
            "  redis                degraded   refused: ?[2Jpassing [docs: operations#x]",
            "  stream a             ok         connected, reading",
            "received 2,000 = delivered 1,000 + dropped 900 + in flight 100",
            "lag a: last delivery 1 s ago, 7 in the queue, well");
  }

  @Test
  void frame_hasRates_fromTheDifferenceOfTwoDocuments() throws Exception {
    assertThat(new TopFrame(look(1, 1000, "ok"), look(3, 2000, "ok")).lines())
        .contains(
            "copies                         a               b             all             now",
            "received                   1,500             500           2,000           500/s",
            "delivered                  1,000               0           1,000             0/s")
        .contains("2026-11-21T12:00:00Z WARN redis went");
  }

  @Test
  void frame_ofOneDocumentAlone_hasNoRates() throws Exception {
    StatusText only = look(1, 1000, "ok");

    assertThat(new TopFrame(only, only).lines())
        .contains(
            "received                   1,500             500           1,000               -");
  }

  @Test
  void whatIsNoStateDocument_isRefused() {
    assertThatThrownBy(() -> StatusText.at("<html>"))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("not come from a bridge");
    assertThatThrownBy(() -> StatusText.at("{}")).isInstanceOf(StatusException.class);
  }

  private static final String COVERAGE =
      """
      {"bridge":{"name":"one"},"coverage":{"warn_percent":1,"dedup_window_seconds":600,
       "from":"2026-11-21T14:20:00Z","settled_until":"2026-11-21T15:20:00Z","not_compared":12,
       "streams":[
        {"stream":"syslog-a","messages":120000,"missed":0,"missed_percent":0,"missed_at_least":0,
         "level":"ok","sentence":"syslog-a missed none."},
        {"stream":"syslog-b","messages":120000,"missed":372,"missed_percent":0.31,"missed_at_least":360,
         "level":"%s","sentence":"syslog-b missed some.",
         "senders":[{"sender":"10.1.2.7","messages":74400,"missed":372,"missed_percent":0.5},
                    {"sender":"10.1.2.8","messages":7,"missed":0,"missed_percent":0}]}],
       "last_5m":{"settled_until":null,"sentence":"Nothing is settled yet.","streams":[]},
       "mismatches":[%s]},"lag":{"x":[1]}}
      """;

  private static CoverageText coverage(String levelOfB, String mismatches, String since)
      throws Exception {
    return CoverageText.at(COVERAGE.formatted(levelOfB, mismatches), since);
  }

  @Test
  void coverage_showsStreams_andTheSendersThatTheyMissed_andTheirSentences() throws Exception {
    assertThat(coverage("ok", "", "1h").text())
        .isEqualTo(
            """
            from 2026-11-21T14:20:00Z until 2026-11-21T15:20:00Z

                                           messages       missed         %
            syslog-a                        120,000            0      0.00
            syslog-b                        120,000          372      0.31
              10.1.2.7                       74,400          372      0.50

            syslog-a missed none.
            syslog-b missed some.
            """);
  }

  @ParameterizedTest
  @CsvSource({"ok, 1h, 0", "attention, 1h, 1", "degraded, 1h, 1", "attention, 5m, 0"})
  void exitStatusOfCoverage_followsTheLevelOfTheRange(String level, String since, int status)
      throws Exception {
    assertThat(coverage(level, "", since).exitStatus()).isEqualTo(status);
  }

  @Test
  void mismatch_isShownSideBySide() throws Exception {
    CoverageText look =
        coverage(
            "ok",
            """
            {"one":"syslog-a","other":"syslog-b","level":"attention","sentence":"They differ.",
             "example":{"one":"10.1.2.7 x","other":"10.9.2.7 x","offset":3,"cause":"addresses differ"}}\
            """,
            "1h");

    assertThat(look.exitStatus()).isEqualTo(1);
    assertThat(look.text())
        .endsWith(
            """
            They differ.
              syslog-a             10.1.2.7 x
              syslog-b             10.9.2.7 x
              they differ from byte 3 on: addresses differ
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'lost_by_all':{'sentence':'Both lost some.'},'streams' | 'streams' | Both lost some.",
        "'node':{'dropped':300,'sentence':'It dropped some.'},'senders' | 'senders' | It dropped some."
      },
      quoteCharacter = '`')
  void estimate_andWhatTheNodeItselfLost_standBelowTheStreams(
      String with, String member, String words) throws Exception {
    String document =
        COVERAGE
            .formatted("ok", "")
            .replaceFirst(member.replace('\'', '"'), with.replace('\'', '"'));
    assertThat(CoverageText.at(document, "1h").text()).endsWith("\n" + words + "\n");
  }

  @Test
  void sendersThatWereAskedFor_areShown_evenIfNothingWasMissed() throws Exception {
    String answer =
        JsonObject.render(
            JsonValue.parse(
                    COVERAGE
                        .formatted("ok", "")
                        .replace(
                            "\"not_compared\":12,",
                            "\"asked\":{\"found\":1,\"sentence\":\"It names one.\"},"))
                .at("coverage")
                .value());

    assertThat(CoverageText.ofAnswer(answer, "1h").text())
        .contains("\n  10.1.2.8                            7            0      0.00\n")
        .contains("\nIt names one.\n");
  }

  @Test
  void coverageOfNothingSettled_isSaid() throws Exception {
    assertThat(coverage("ok", "", "5m").text()).isEqualTo("Nothing is settled yet.\n");
  }

  @Test
  void coverageAsJson_isTheSectionAsItCame() throws Exception {
    assertThat(coverage("ok", "", "1h").json())
        .startsWith("{\"warn_percent\":1")
        .endsWith("\"mismatches\":[]}");
  }

  @Test
  void coverageThatIsNotThere_isAnError() {
    assertThatThrownBy(() -> CoverageText.at("{\"coverage\":null}", "1h"))
        .hasMessageContaining("coverage.enabled is false");
    assertThatThrownBy(() -> CoverageText.at("<html>", "1h"))
        .hasMessageContaining("not come from a bridge");
    assertThatThrownBy(() -> CoverageText.at("{}", "2h")).hasMessageContaining("5m, 1h or 24h");
  }
}
