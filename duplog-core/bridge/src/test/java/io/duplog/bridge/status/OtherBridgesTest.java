package io.duplog.bridge.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.DedupConfig;
import io.duplog.dedup.BridgeNotes;
import io.duplog.observe.Boards;
import io.duplog.observe.Condition;
import io.duplog.observe.Conditions;
import io.duplog.observe.Counters;
import io.duplog.observe.End;
import io.duplog.observe.Json;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.status.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests that each bridge's page shows the health, the version and the rates of the other bridges on
 * the same Redis.
 */
class OtherBridgesTest {
  private final Counters counters = new Counters(List.of("a", "b"));
  private long seconds;
  private final Conditions board = Boards.at(() -> TimeUnit.SECONDS.toNanos(seconds));
  private final OtherBridges one = bridge("one", DedupConfig.Store.REDIS);
  private final OtherBridges two = bridge("two", DedupConfig.Store.REDIS);

  private OtherBridges bridge(String name, DedupConfig.Store store) {
    return new OtherBridges(name, store, () -> new Health(board), counters, board);
  }

  private List<BridgeNotes.Note> notes(OtherBridges... bridges) {
    List<BridgeNotes.Note> notes = new ArrayList<>();
    for (OtherBridges bridge : bridges) {
      notes.addAll(bridge.notes());
    }
    return notes;
  }

  @Test
  void bridge_showsTheOthersLevelVersionAndRates_withTheirSentence() {
    board.add("redis", () -> "connected");
    counters.of("a").received.add(1000);
    counters.of("a").add(End.KEPT, 500);
    seconds = 10;
    one.notes();
    board.report(new Condition("redis", Level.DEGRADED, "refused = no", Runbook.STORE_AWAY));
    one.read(notes(two));

    assertThat(Json.render(one.section()))
        .startsWith("{\"sentence\":\"2 bridges share the work.\",\"bridges\":[{\"name\":\"one\",")
        .contains(
            "{\"name\":\"two\",\"state\":\"degraded\",\"level\":\"degraded\",\"detail\":\"Delivering,"
                + " degraded. redis: refused = no.\",\"runbook\":\"runbook#duplogstoreaway\",")
        .endsWith(
            "\"received_per_second\":100.0,\"delivered_per_second\":50.0,\"age_seconds\":0}]}");
  }

  @Test
  void silentBridge_isShown_withWhatToDo() {
    String text = two.notes().get(0).text();
    one.read(List.of(new BridgeNotes.Note("status of two", text, 45_000)));

    assertThat(Json.render(one.section()))
        .contains("Bridge two has reported nothing for 45 s. The other bridges do its work. Start")
        .contains("\"level\":\"degraded\"", "runbook#duplogbridgedown");
  }

  /** The headline of a bridge must not say ok while another bridge is down. */
  @Test
  void silentBridge_isInTheHeadlineOfTheOthers_untilItReportsAgain() {
    board.add(OtherBridges.COMPONENT, one::work);
    String text = two.notes().get(0).text();
    one.read(List.of(new BridgeNotes.Note("status of two", text, 20_000)));
    assertThat(board.condition(OtherBridges.COMPONENT).isOk()).isTrue();

    one.read(List.of(new BridgeNotes.Note("status of two", text, 45_000)));
    assertThat(board.condition(OtherBridges.COMPONENT).level()).isEqualTo(Level.ATTENTION);
    assertThat(new Health(board).state("one").sentence())
        .contains("Bridge two has reported nothing for 45 s");

    one.read(notes(two));
    assertThat(board.condition(OtherBridges.COMPONENT).sentence())
        .isEqualTo("2 bridges share the work.");
  }

  /**
   * The last note of a bridge whose host has failed still says that everything is fine, until the
   * note expires.
   */
  @Test
  void outdatedNote_isNotShownAsNow() {
    String text = two.notes().get(0).text();
    one.read(List.of(new BridgeNotes.Note("status of two", text, 11_000)));

    assertThat(Json.render(one.section()))
        .contains("Bridge two has reported nothing for 11 s. It may be down.")
        .contains("\"level\":\"attention\"", "runbook#duplogbridgedown");

    one.read(List.of(new BridgeNotes.Note("status of two", text, 9_000)));
    assertThat(Json.render(one.section())).doesNotContain("It may be down");
  }

  @Test
  void noteOfAnotherVersion_passesForNoGoodLevel() {
    one.read(
        List.of(
            new BridgeNotes.Note("status of two", "nonsense", 0),
            new BridgeNotes.Note("status of three", "level=splendid\nreceived=many", 0),
            new BridgeNotes.Note("settings of four", "level=ok", 0)));

    assertThat(Json.render(one.section()))
        .contains(
            "\"name\":\"two\",\"state\":\"not-ready\"",
            "\"name\":\"three\",\"state\":\"not-ready\"")
        .doesNotContain("four");
  }

  @Test
  void bridgeAlone_saysWhy() {
    assertThat(Json.render(one.section())).contains("it can't read the others' notes");
    one.read(notes(one));
    assertThat(Json.render(one.section())).contains("No other bridge uses this Redis.");
    one.read(notes(one, two));
    seconds = 11;
    assertThat(Json.render(one.section()))
        .contains("it can't read the others' notes")
        .doesNotContain("\"two\"");
    assertThat(Json.render(bridge("one", DedupConfig.Store.MEMORY).section()))
        .contains("without Redis, bridges don't know of each other");
  }

  @Test
  void note_isShort_whateverIsWrong() {
    board.add("redis", () -> "");
    board.report(new Condition("redis", Level.DOWN, "a\nb".repeat(500), Runbook.STORE_AWAY));

    assertThat(one.notes().get(0).text()).hasSizeLessThan(OtherBridges.MOST_CHARACTERS);
    one.read(notes(two));
    assertThat(Json.render(one.section())).contains("\"name\":\"two\",\"state\":\"not-ready\"");
  }
}
