package io.duplog.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.ReportedState;
import io.duplog.observe.Json;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Level;
import io.duplog.senders.Concern;
import io.duplog.senders.SendersState;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that {@link State} is the schema of the state document, also of an older bridge's. */
class StateTest {
  /** Two bridges, a stream that missed messages, and a silent sender: from {@code OneVoiceIT}. */
  private static final String LOSSES = "losses.json";

  /** The same with a sink that accepts nothing, and without Redis. */
  private static final String FAULTS = "faults.json";

  private static String sentence(JsonValue finding) {
    return finding.at(finding.at("sentence").exists() ? "sentence" : "detail").text();
  }

  /**
   * Returns the names without the numbers of senders with each concern, which no command reads:
   * {@link SendersState} only writes them.
   */
  private static SortedSet<String> names(String json) throws IOException {
    SortedSet<String> names = PreviousDocument.names(json);
    for (Concern concern : Concern.values()) {
      names.removeAll(List.of("." + concern.key(), ".senders." + concern.key()));
    }
    return names;
  }

  /** Scripts and older commands read the names, so none may disappear. */
  @Test
  void document_hasTheNamesOfThePreviousOne_andThoseOfSinksAndFilters() throws Exception {
    SortedSet<String> before = PreviousDocument.names(PreviousDocument.read("reported.json"));
    SortedSet<String> now = PreviousDocument.names(ReportedState.document());
    assertThat(now).containsAll(before);
    assertThat(now)
        .filteredOn(name -> !before.contains(name))
        .allMatch(
            name -> name.matches("[.](sinks.*|sink[.](name|counts.*|filtered.*)|.*filtered)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {LOSSES, FAULTS})
  void state_hasAllMembers_ofThePreviousDocument(String name) throws Exception {
    String document = PreviousDocument.read(name);
    assertThat(names(Json.render(Json.read(document, State.class)))).isEqualTo(names(document));
  }

  @Test
  void state_hasAllMembers_ofThisDocument() throws Exception {
    String document = ReportedState.document();
    assertThat(names(Json.render(Json.read(document, State.class)))).containsAll(names(document));
  }

  @Test
  void everyCommand_readsThePreviousDocument() throws Exception {
    String document = PreviousDocument.read(FAULTS);
    JsonValue state = JsonValue.parse(document);
    StatusText status = StatusText.at(document);
    assertThat(status.exitStatus()).isEqualTo(2);
    List<JsonValue> parts = state.at("health").at("parts").list();
    assertThat(parts).isNotEmpty();
    assertThat(parts)
        .allSatisfy(part -> assertThat(status.text()).contains(sentence(part), "lag b: "));
    assertThat(new TopFrame(status, status).lines())
        .contains(status.headline())
        .anyMatch(line -> line.matches("received +[1-9][0-9,]* +[1-9].*"));
    CoverageText coverage = CoverageText.at(document, "1h");
    assertThat(coverage.exitStatus()).isEqualTo(1);
    assertThat(state.at("coverage").at("streams").list())
        .hasSize(2)
        .allSatisfy(stream -> assertThat(coverage.text()).contains(sentence(stream)));
    assertThat(StatusEvents.of(document, Instant.EPOCH))
        .map(event -> JsonValue.parse(Json.render(event)).at("kind").text())
        .contains("bridge", "stream", "sender", "concern");
    assertThat(StatusEvents.of(PreviousDocument.read("reported.json"), Instant.EPOCH))
        .map(event -> JsonValue.parse(Json.render(event)).at("kind").text())
        .contains("period");
  }

  @Test
  void senders_readsThePreviousAnswer() throws Exception {
    String answer = PreviousDocument.read("senders.json");
    SendersText senders = new SendersText(answer);
    assertThat(senders.exitStatus()).isEqualTo(1);
    assertThat(JsonValue.parse(answer).at("concerns").list())
        .isNotEmpty()
        .allSatisfy(
            concern ->
                assertThat(senders.table())
                    .contains(
                        concern.at("level").text().equals("ok")
                            ? concern.at("name").text()
                            : sentence(concern)));
    assertThat(senders.csv().lines()).hasSizeGreaterThan(2);
    assertThat(names(Json.render(Json.read(answer, SendersState.Answer.class))))
        .isEqualTo(names(answer));
  }

  /** A newer bridge may add members, and give some another type. */
  @Test
  void unknownMembers_andOtherTypes_areIgnored() throws Exception {
    State state =
        Json.read(
            """
            {"new":{"x":[1]},"bridge":{"name":"one","uptime_seconds":[7],"started":"soon","new":1},
             "journey":7,"streams":[{"name":"a","received":3,"new":{"x":1},"level":"splendid"}],
             "health":"good","lag":{"streams":{"a":1},"skew_seconds":"x"}}""",
            State.class);

    assertThat(state.facts().bridge()).isEqualTo(new State.Bridge("one", "", null, null, 0, 0));
    assertThat(state.facts().journey()).isEmpty();
    State.Stream stream = state.facts().streams().get(0);
    assertThat(State.count(stream.counts(), "received")).isEqualTo(3);
    assertThat(State.count(stream.counts(), "new")).isZero();
    assertThat(stream.level()).isEqualTo(Level.DOWN);
    assertThat(state.findings().health()).isNull();
    assertThat(state.findings().lag()).isEqualTo(new State.Lag(List.of(), null));
    assertThat(state.findings().degraded()).isEmpty();
    assertThat(Json.render(Map.of("bridge", state.facts().bridge())))
        .as("what is unknown is left out")
        .isEqualTo("{\"bridge\":{\"name\":\"one\",\"uptime_seconds\":0,\"window_seconds\":0}}");
  }
}
