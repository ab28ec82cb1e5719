package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.breaks;
import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.says;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest.Passage;
import io.duplog.deliver.DeliveryRequests;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An event that may be in Splunk already says so when it is sent again. */
class ResendTest {

  private static List<String> events(HecStage stage) {
    return stage.collector().posts.stream()
        .flatMap(post -> FakeCollector.events(post).stream())
        .map(event -> event.text() + " " + event.members().get("fields.resent"))
        .toList();
  }

  /** The event is sent with another that a bad one may follow; then all goes well. */
  @ParameterizedTest
  @CsvSource({
    "false, hangs up, unanswered",
    "false, 502 -1,   unanswered",
    "false, 500 8,    unanswered",
    "false, cut,      unanswered",
    "false, 503 9,",
    "false, 429 26,",
    "false, 403 4,",
    "true,  hangs up, unanswered",
    "true,  503 18,",
    "true,  silent,   ack-timeout",
    "true,  bad,      unacknowledged",
    "true,  no id,    unacknowledged",
  })
  void eventThatSplunkMayHave_isMarked_whenItIsSentAgain(
      boolean acknowledge, String trouble, @Nullable String mark) {
    HecStage stage = HecStage.of(1, "ack-timeout: 10s\nacknowledge: " + acknowledge + "\n");
    stage.meets(
        switch (trouble) {
          case "hangs up" -> breaks();
          case "cut" -> says(200, "{\"code\":");
          case "silent" -> says(200, "{\"code\":0,\"ackId\":0}");
          case "bad" -> refuses("b", 12);
          case "no id" -> says(200, 0);
          default ->
              says(
                  Integer.parseInt(trouble.split(" ", 2)[0]),
                  Integer.parseInt(trouble.split(" ", 2)[1]));
        });
    stage.collector().alwaysAcknowledges();
    stage.deliver("p", "a", "b").idle(60).keepRefused();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    assertThat(events(stage))
        .startsWith("a null", "b null")
        .endsWith(trouble.equals("bad") ? "a " + mark : "b " + mark)
        .filteredOn(event -> event.startsWith("a "))
        .containsExactly("a null", "a " + mark);
    assertThat(Objects.requireNonNull(stage.sink.answers().get("ack_timeout")).getAsLong())
        .isEqualTo(trouble.equals("silent") ? 1 : 0);
  }

  @Test
  void markOfAResend_standsBesideOtherFields_andTheRawEndpointHasNone() {
    HecStage stage = HecStage.of(1, "routing: {defaults: {fields: {team: soc}}}\n");
    stage.meets(breaks());
    BitSet one = BitSet.valueOf(new long[] {1});
    stage.sink.deliver(
        stage.deliveries.of("p", DeliveryRequests.batch(false, "a"), one, Passage.RELEASED));
    stage.idle(5);
    assertThat(FakeCollector.events(stage.collector().posts.get(1)).get(0).members())
        .containsEntry("fields.team", "soc")
        .containsEntry("fields.dedup", "released")
        .containsEntry("fields.resent", "unanswered");

    HecStage raw = HecStage.of(1, "endpoint: raw\n");
    raw.meets(breaks(), says(200, 0));
    raw.deliver("p", "a").idle(5).expect("accepted=[p]");
    assertThat(raw.collector().posts)
        .hasSize(2)
        .extracting(post -> new String(post.body(), UTF_8))
        .containsOnly("a\n");
  }
}
