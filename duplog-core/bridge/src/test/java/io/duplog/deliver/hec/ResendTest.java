package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.breaks;
import static io.duplog.deliver.hec.FakeCollector.isNotReached;
import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.says;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest.Passage;
import io.duplog.deliver.DeliveryRequests;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that an event that may be in Splunk already says so when it is sent again. */
class ResendTest {

  private static List<String> events(HecStage stage) {
    return stage.collector().posts.stream()
        .flatMap(post -> FakeCollector.events(post).stream())
        .map(event -> event.text() + " " + event.members().get("fields.resent"))
        .toList();
  }

  /** Two events share a request that fails; then every request succeeds. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          false | hangs up    | a unanswered, b unanswered
          false | not reached | a null, b null
          false | 502 -1      | a unanswered, b unanswered
          false | 500 8       | a unanswered, b unanswered
          false | 200 cut     | a unanswered, b unanswered
          false | 200 <html>  | a unanswered, b unanswered
          false | 204 -1      | a unanswered, b unanswered
          false | 503 9       | a null, b null
          false | 429 26      | a null, b null
          false | 403 4       | a null, b null
          false | 404 404     | a null, b null
          false | 404 -1      | a unanswered, b unanswered
          false | 400 -1      | a null, b null
          false | 400 12      | a unanswered, b unanswered
          false | 400 7       | a unanswered, b unanswered
          false | 413 -1      | a null, b null
          false | own number  | a unanswered, b null
          true  | hangs up    | a unanswered, b unanswered
          true  | not reached | a null, b null
          true  | 503 18      | a null, b null
          true  | silent      | a ack-timeout, b ack-timeout
          true  | bad         | a unacknowledged
          true  | no id       | a unacknowledged, b unacknowledged
          """)
  void eventThatSplunkMayHave_isMarked_whenItIsSentAgain(
      boolean acknowledge, String trouble, String again) {
    HecStage stage = HecStage.of(1, "ack-timeout: 10s\nacknowledge: " + acknowledge + "\n");
    stage.meets(
        switch (trouble) {
          case "hangs up" -> breaks();
          case "not reached" -> isNotReached();
          case "200 cut" -> says(200, "{\"code\":");
          case "200 <html>" -> says(200, "<html>");
          case "own number" -> says(400, "{\"code\":7,\"invalid-event-number\":1}");
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
    assertThat(String.join(", ", events(stage))).isEqualTo("a null, b null, " + again);
    assertThat(Objects.requireNonNull(stage.sink.answers().get("ack_timeout")).getAsLong())
        .isEqualTo(trouble.equals("silent") ? 1 : 0);
  }

  @Test
  void eventInWhoseAnswerADefectShows_isMarked() {
    HecStage stage = HecStage.of(1, "");
    stage.meets(refuses("b", 12));
    DeliveryRequests failing =
        new DeliveryRequests() {
          @Override
          protected void refuse(Refused one) {
            throw new IllegalStateException("a defect");
          }
        };
    stage.sink.deliver(failing.ofMessages("p", "a", "b"));
    stage.idle(60);
    assertThat(failing.accepted()).containsExactly("p");
    assertThat(events(stage)).containsExactly("a null", "b null", "a unanswered", "b unanswered");
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
