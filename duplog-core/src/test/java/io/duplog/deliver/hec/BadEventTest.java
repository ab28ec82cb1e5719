package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.HecStage.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that are refused for what they are: each alone, and all others are indexed once. */
class BadEventTest {
  private static List<String> without(String[] all, String one) {
    List<String> rest = new ArrayList<>(List.of(all));
    rest.remove(one);
    return rest;
  }

  @ParameterizedTest
  @CsvSource({
    "12, 0", "12, 250", "12, 499", "13, 0", "13, 7", "15, 0", "15, 499", "6, 0", "6, 250", "6, 499",
    "7, 0", "7, 250", "7, 499", "99, 3"
  })
  void badEvent_isRefusedAlone_andAllOthersAreIndexedOnce(int code, int bad) {
    HecStage stage = HecStage.of(1, "");
    String[] all = numbered(500);
    stage.collector().always = refuses("m" + bad, 400, code);
    stage.deliver("p", all);
    stage.settle();
    assertThat(stage.collector().indexed).containsExactlyElementsOf(without(all, "m" + bad));
    assertThat(stage.deliveries.refused()).hasSize(1);
    assertThat(stage.deliveries.refused().get(0).message()).isEqualTo(bad);
    assertThat(stage.deliveries.refused().get(0).reason()).contains("400 (code " + code);
    assertThat(stage.deliveries.accepted()).isEmpty();
    stage.deliveries.refused().get(0).kept().run();
    stage.deliveries.refused().get(0).kept().run();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"code\":12}",
        "{\"code\":12,\"invalid-event-number\":500}",
        "{\"code\":13,\"invalid-event-number\":-1}",
        "{\"code\":7}"
      })
  void badEventOfUnknownPlace_isFoundByHalves(String json) {
    HecStage stage = HecStage.of(1, "");
    String[] all = numbered(500);
    stage.collector().always =
        (collector, post) ->
            FakeCollector.events(post).stream().anyMatch(event -> event.text().equals("m123"))
                ? FakeCollector.reply(400, json)
                : collector.index(post);
    stage.deliver("p", all);
    stage.settle();
    assertThat(stage.collector().indexed).containsExactlyInAnyOrderElementsOf(without(all, "m123"));
    assertThat(stage.deliveries.refused())
        .extracting(DeliveryRequests.Refused::message)
        .containsExactly(123);
    assertThat(stage.collector().posts).hasSizeLessThan(25);
  }

  @Test
  void requestThatIsTooLarge_isHalved_downToOneEventThatIsRefused() {
    HecStage stage = HecStage.of(1, "");
    stage.collector().always =
        (collector, post) ->
            post.length() > 2000 ? FakeCollector.reply(413, "<html>") : collector.index(post);
    String[] all = numbered(100);
    all[50] = "x".repeat(3000);
    stage.deliver("p", all);
    stage.settle();
    assertThat(stage.collector().indexed).containsExactlyElementsOf(without(all, all[50]));
    assertThat(stage.deliveries.refused())
        .extracting(DeliveryRequests.Refused::message)
        .containsExactly(50);
  }

  @Test
  void wrongIndex_isSentAgainWithTheFallback_once() {
    HecStage stage = HecStage.of(1, "fallback-index: main\n");
    stage.collector().always =
        (collector, post) -> {
          List<Event> events = FakeCollector.events(post);
          for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            boolean rerouted = "main".equals(event.members().get("index"));
            if (event.text().equals("lost") || (event.text().equals("bad") && !rerouted)) {
              return FakeCollector.reply(400, "{\"code\":7,\"invalid-event-number\":" + i + "}");
            }
            collector.indexed.add(event.text());
          }
          return FakeCollector.reply(200, 0);
        };
    stage.deliver("p", "a", "bad", "b", "lost", "c");
    stage.settle();
    assertThat(stage.collector().indexed).containsExactly("a", "bad", "b", "c");
    assertThat(stage.deliveries.refused())
        .extracting(DeliveryRequests.Refused::message)
        .containsExactly(3);
    stage.deliveries.refused().get(0).kept().run();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void blankMessages_areDelivered_asATextThatSaysSo() {
    HecStage stage = HecStage.of(1, "");
    stage.deliver("p", "", "a", " \t\r\n ", "b", " ");
    stage.deliver("q", "");
    stage.settle();
    assertThat(stage.collector().indexed)
        .containsExactly(
            "[blank message of 0 bytes]",
            "a",
            "[blank message of 5 bytes]",
            "b",
            "[blank message of 1 byte]",
            "[blank message of 0 bytes]");
    assertThat(stage.deliveries.refused()).isEmpty();
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("p", "q");
  }

  @Test
  void badEventBehindABlankOne_isCountedAsSplunkCounts() {
    HecStage stage = HecStage.of(1, "");
    stage.collector().always = refuses("bad", 400, 12);
    stage.deliver("p", "a", "", "b", "bad", "c");
    stage.settle();
    assertThat(stage.collector().indexed)
        .containsExactly("a", "[blank message of 0 bytes]", "b", "c");
    assertThat(stage.deliveries.refused())
        .extracting(DeliveryRequests.Refused::message)
        .containsExactly(3);
  }
}
