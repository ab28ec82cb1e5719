package io.duplog.bridge.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.DedupConfig;
import io.duplog.dedup.BridgeNotes;
import io.duplog.observe.Condition;
import io.duplog.observe.Counters;
import io.duplog.observe.End;
import io.duplog.observe.JsonObject;
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
  private final Health health = new Health();
  private long seconds;
  private Condition condition = Condition.ok("redis", "connected");
  private final OtherBridges one = bridge("one", DedupConfig.Store.REDIS);
  private final OtherBridges two = bridge("two", DedupConfig.Store.REDIS);

  private OtherBridges bridge(String name, DedupConfig.Store store) {
    return new OtherBridges(
        name, store, () -> health, counters, () -> TimeUnit.SECONDS.toNanos(seconds));
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
    health.add(() -> condition);
    counters.of("a").received.add(1000);
    counters.of("a").add(End.KEPT, 500);
    seconds = 10;
    one.notes();
    condition = new Condition("redis", Level.DEGRADED, "refused = no", Runbook.STORE_AWAY);
    one.read(notes(two));

    assertThat(JsonObject.render(one.json()))
        .startsWith("{\"sentence\":\"2 bridges share the work.\",\"bridges\":[{\"name\":\"one\",")
        .contains(
            "{\"name\":\"two\",\"state\":\"degraded\",\"level\":\"degraded\",\"detail\":\"Delivering,"
                + " degraded. redis: refused = no.\",\"runbook\":\"operations#duplogstoreaway\",")
        .endsWith(
            "\"received_per_second\":100.0,\"delivered_per_second\":50.0,\"age_seconds\":0}]}");
  }

  @Test
  void silentBridge_isShown_withWhatToDo() {
    String text = two.notes().get(0).text();
    one.read(List.of(new BridgeNotes.Note("status of two", text, 45_000)));

    assertThat(JsonObject.render(one.json()))
        .contains("Bridge two has reported nothing for 45 s. The other bridges do its work. Start")
        .contains("\"level\":\"degraded\"", "operations#duplogbridgedown");
  }

  @Test
  void noteOfAnotherVersion_passesForNoGoodLevel() {
    one.read(
        List.of(
            new BridgeNotes.Note("status of two", "nonsense", 0),
            new BridgeNotes.Note("status of three", "level=splendid\nreceived=many", 0),
            new BridgeNotes.Note("settings of four", "level=ok", 0)));

    assertThat(JsonObject.render(one.json()))
        .contains(
            "\"name\":\"two\",\"state\":\"not-ready\"",
            "\"name\":\"three\",\"state\":\"not-ready\"")
        .doesNotContain("four");
  }

  @Test
  void bridgeAlone_saysWhy() {
    assertThat(JsonObject.render(one.json())).contains("it can't read the others' notes");
    one.read(notes(one));
    assertThat(JsonObject.render(one.json())).contains("No other bridge uses this Redis.");
    one.read(notes(one, two));
    seconds = 31;
    assertThat(JsonObject.render(one.json()))
        .contains("it can't read the others' notes")
        .doesNotContain("\"two\"");
    assertThat(JsonObject.render(bridge("one", DedupConfig.Store.MEMORY).json()))
        .contains("without Redis, bridges don't know of each other");
  }

  @Test
  void note_isShort_whateverIsWrong() {
    health.add(() -> condition);
    condition = new Condition("redis", Level.DOWN, "a\nb".repeat(500), Runbook.STORE_AWAY);

    assertThat(one.notes().get(0).text()).hasSizeLessThan(OtherBridges.MOST_CHARACTERS);
    one.read(notes(two));
    assertThat(JsonObject.render(one.json())).contains("\"name\":\"two\",\"state\":\"not-ready\"");
  }
}
