package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.HecStage.numbered;
import static org.assertj.core.api.Assertions.assertThat;

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
    stage.assertIndexed().containsExactlyElementsOf(without(all, "m" + bad));
    stage.assertRefused().containsExactly(bad);
    assertThat(stage.deliveries.refused().get(0).reason()).contains("400 (code " + code);
    stage.assertAccepted().isEmpty();
    stage.keepRefused();
    stage.keepRefused();
    stage.assertAccepted().containsExactly("p");
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
    stage.assertIndexed().containsExactlyInAnyOrderElementsOf(without(all, "m123"));
    stage.assertRefused().containsExactly(123);
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
    stage.assertIndexed().containsExactlyElementsOf(without(all, all[50]));
    stage.assertRefused().containsExactly(50);
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
    stage.assertIndexed().containsExactly("a", "bad", "b", "c");
    stage.assertRefused().containsExactly(3);
    stage.keepRefused();
    stage.assertAccepted().containsExactly("p");
  }

  @Test
  void badEventBehindBlankOnes_isCountedAsSplunkCounts() {
    HecStage stage = HecStage.of(1, "");
    stage.collector().always = refuses("bad", 400, 12);
    stage.deliver("p", "", "a", " \t\r\n ", "bad", " ");
    stage.settle();
    stage
        .assertIndexed()
        .containsExactly(
            "[blank message of 0 bytes]",
            "a",
            "[blank message of 5 bytes]",
            "[blank message of 1 byte]");
    stage.assertRefused().containsExactly(3);
  }

  @Test
  void blankMessagesAlone_areAccepted() {
    HecStage stage = HecStage.of(1, "");
    stage.deliver("p", "", " ");
    stage.deliver("q", "");
    stage.settle();
    stage.assertAccepted().containsExactly("p", "q");
    stage.assertRefused().isEmpty();
  }
}
