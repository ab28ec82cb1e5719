package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.reply;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One request that something in between turns away holds up no other, and is not tried for ever.
 */
class SuspectsTest {
  private HecStage stage = HecStage.of(1, "max-events: 4\n");

  /** A firewall before the collector, which looks at the text. */
  private void turnAway(String text, int status) {
    stage.collector().always =
        (collector, post) ->
            FakeCollector.events(post).stream().anyMatch(event -> event.text().contains(text))
                ? reply(status, "<html>blocked</html>")
                : collector.index(post);
  }

  private void passWithTraffic(int seconds) {
    for (int i = 0; i < seconds; i++) {
      stage.deliver("traffic " + stage.nanos, "traffic " + stage.nanos);
      stage.settle().pass(1, SECONDS).settle();
    }
  }

  private List<String> indexedButTraffic() {
    return stage.collector().indexed.stream().filter(text -> !text.startsWith("traffic")).toList();
  }

  @Test
  void oneEventThatAFirewallTurnsAway_isDeadLettered_andAllOthersArriveOnce() {
    turnAway("union select", 403);
    stage.deliver("p", "a", "b", "union select", "d");
    stage.deliver("q", "e", "f");
    passWithTraffic(60);

    assertThat(indexedButTraffic()).containsExactlyInAnyOrder("a", "b", "d", "e", "f");
    assertThat(stage.collector().indexed).doesNotHaveDuplicates();
    assertThat(stage.parcels.refused())
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.parcel()).isEqualTo("p");
              assertThat(refused.message()).isEqualTo(2);
              assertThat(refused.reason()).contains("answers 403", "to this event alone");
            });
    assertThat(stage.sink.isAvailable()).isTrue();
    stage.parcels.refused().get(0).kept().run();
    assertThat(stage.parcels.accepted()).contains("p", "q");
  }

  @Test
  void serverErrorForOneEvent_isTriedForEver_andHoldsUpNoOther() {
    turnAway("crash", 500);
    stage.deliver("p", "crash");
    stage.deliver("q", "e"); // in the same request at first
    passWithTraffic(300);

    assertThat(indexedButTraffic()).containsExactly("e");
    assertThat(stage.parcels.refused()).isEmpty();
    long crashes =
        stage.collector().posts.stream()
            .filter(post -> FakeCollector.events(post).get(0).text().equals("crash"))
            .count();
    assertThat(crashes).isBetween(8L, 40L);

    stage.collector().always = FakeCollector::index;
    passWithTraffic(60);
    assertThat(stage.parcels.accepted()).contains("p");
  }

  @Test
  void everyRequestTurnedAway_isTheUrlsFault_andCostsNoEvent() {
    turnAway("", 403);
    stage.deliver("p", "a", "b");
    stage.deliver("q", "c");
    for (int i = 0; i < 120; i++) {
      stage.settle().pass(1, MINUTES).settle();
    }
    assertThat(stage.sink.isAvailable()).isFalse();
    assertThat(stage.parcels.refused()).isEmpty();

    stage.collector().always = FakeCollector::index;
    stage.pass(1, MINUTES).settle().pass(1, MINUTES).settle();
    assertThat(stage.parcels.accepted()).containsExactlyInAnyOrder("p", "q");
    assertThat(stage.collector().indexed).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void refusalsWithoutOthersAcceptedInBetween_costNoEvent() {
    stage = HecStage.of(1, "max-events: 1\n");
    turnAway("bad", 403);
    stage.deliver("p", "bad");
    stage.deliver("q", "good");
    for (int i = 0; i < 120; i++) {
      stage.settle().pass(1, MINUTES).settle();
    }

    assertThat(stage.collector().indexed).containsExactly("good");
    assertThat(stage.parcels.refused()).isEmpty();
  }

  @Test
  void withdrawnSuspect_isForgotten() {
    stage = HecStage.of(1, "max-events: 1\n");
    turnAway("bad", 403);
    stage.deliver("p", "bad");
    stage.deliver("q", "good");
    stage.settle().pass(1, SECONDS).settle();
    stage.sink.withdraw();
    stage.collector().always = FakeCollector::index;
    stage.pass(1, MINUTES).settle();

    assertThat(stage.parcels.withdrawn()).containsExactly("p");
    assertThat(stage.collector().indexed).containsExactly("good");
  }
}
