package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.reply;
import static io.duplog.deliver.hec.HecStage.numbered;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that an event which Splunk rejects for its content is refused alone, and that all others
 * are indexed once.
 */
class BadEventTest {
  private final String[] all = numbered(500);
  private HecStage stage = HecStage.of(1, "");

  private List<String> allBut(int one) {
    return IntStream.range(0, all.length).filter(i -> i != one).mapToObj(i -> all[i]).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "12, 0", "12, 250", "12, 499", "13, 0", "13, 7", "15, 0", "15, 499", "6, 0", "6, 250", "6, 499",
    "7, 0", "7, 250", "7, 499", "99, 3"
  })
  void badEvent_isRefusedAlone_andAllOthersAreIndexedOnce(int code, int bad) {
    stage.collector().always = refuses("m" + bad, code);
    stage.deliver("p", all).settle();
    String indexed = "indexed=" + allBut(bad);
    stage.expect(indexed + ", refused=[p-" + bad + "]");
    assertThat(stage.deliveries.refused().get(0).reason()).contains("400 (code " + code);
    stage.keepRefused().keepRefused();
    stage.expect(indexed + ", accepted=[p], refused=[p-" + bad + "]");
    assertThat(stage.eventsAccepted()).isEqualTo(all.length - 1);
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
  void badEvent_withoutNumber_isFoundByHalving(String json) {
    stage.collector().always =
        (collector, post) ->
            FakeCollector.contains(post, "m123") ? reply(400, json) : collector.index(post);
    stage.deliver("p", all).settle();
    stage.assertIndexed().containsExactlyInAnyOrderElementsOf(allBut(123));
    assertThat(stage.refused()).containsExactly("p-123");
    assertThat(stage.collector().posts).hasSizeLessThan(25);
  }

  @Test
  void tooLargeRequest_isHalved_untilOneEventIsRefused() {
    stage.collector().always =
        (collector, post) -> post.length() > 2000 ? reply(413, "<html>") : collector.index(post);
    all[50] = "x".repeat(3000);
    stage.deliver("p", all).settle();
    stage.expect("indexed=" + allBut(50) + ", refused=[p-50]");
  }

  @Test
  void wrongIndex_isResentOnceWithFallbackIndex() {
    stage = HecStage.of(1, "fallback-index: main\n");
    stage.collector().always =
        refuses(
            event ->
                event.text().equals("lost")
                    || (event.text().equals("bad") && !"main".equals(event.members().get("index"))),
            7);
    stage.deliver("p", "a", "bad", "b", "lost", "c").settle().keepRefused();
    stage.expect("indexed=[a, bad, b, c], accepted=[p], refused=[p-3]");
  }

  /** Splunk reports the number of the next event, which its documentation does not mention. */
  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "250, 1", "499, 1"})
  void wrongIndex_withItsOwnNumber_duplicatesThePreviousEvent_andLosesNothing(int bad, int copies) {
    stage.collector().always = refuses(event -> event.text().equals("m" + bad), 7, 0);
    stage.deliver("p", all).settle();
    stage.assertIndexed().containsAll(allBut(bad)).hasSize(all.length - 1 + copies);
    assertThat(stage.refused()).containsExactly("p-" + bad);
  }

  @Test
  void badEvent_afterBlankEvents_isFound_andBlankEventsAreAccepted() {
    stage.collector().always = refuses("bad", 12);
    stage.deliver("p", "", "a", " \t\r\n ", "bad").settle();
    stage.deliver("q", "", " ").settle();
    stage.expect(
        "indexed=[[blank message of 0 bytes], a, [blank message of 5 bytes],"
            + " [blank message of 0 bytes], [blank message of 1 byte]], accepted=[q],"
            + " refused=[p-3]");
  }
}
