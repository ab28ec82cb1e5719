package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.answers;
import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.refusesConnection;
import static io.duplog.deliver.hec.FakeCollector.resetsConnection;
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

/**
 * Tests that the HEC sink marks an event that it sends again if Splunk may already have indexed it.
 */
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
  void resentEvent_isMarked_ifSplunkMayHaveIt(boolean acknowledge, String failure, String resent) {
    HecStage stage = HecStage.of(1, "ack-timeout: 10s\nacknowledge: " + acknowledge + "\n");
    stage.onNextPosts(
        switch (failure) {
          case "hangs up" -> resetsConnection();
          case "not reached" -> refusesConnection();
          case "200 cut" -> answers(200, "{\"code\":");
          case "200 <html>" -> answers(200, "<html>");
          case "own number" -> answers(400, "{\"code\":7,\"invalid-event-number\":1}");
          case "silent" -> answers(200, "{\"code\":0,\"ackId\":0}");
          case "bad" -> refuses("b", 12);
          case "no id" -> answers(200, 0);
          default ->
              answers(
                  Integer.parseInt(failure.split(" ", 2)[0]),
                  Integer.parseInt(failure.split(" ", 2)[1]));
        });
    stage.collector().acknowledgeAlways();
    stage.deliver("p", "a", "b").idle(60).keepRefused();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    assertThat(String.join(", ", events(stage))).isEqualTo("a null, b null, " + resent);
    assertThat(Objects.requireNonNull(stage.sink.answers().get("ack_timeout")).getAsLong())
        .isEqualTo(failure.equals("silent") ? 1 : 0);
  }

  @Test
  void resentEvent_afterBugWhileHandlingAnswer_isMarked() {
    HecStage stage = HecStage.of(1, "");
    stage.onNextPosts(refuses("b", 12));
    DeliveryRequests failing =
        new DeliveryRequests() {
          @Override
          protected void refuse(Refused one) {
            throw new IllegalStateException("a bug");
          }
        };
    stage.sink.deliver(failing.ofMessages("p", "a", "b"));
    stage.idle(60);
    assertThat(failing.accepted()).containsExactly("p");
    assertThat(events(stage)).containsExactly("a null", "b null", "a unanswered", "b unanswered");
  }

  @Test
  void resentMark_isBesideOtherFields_andMissingOnRawEndpoint() {
    HecStage stage = HecStage.of(1, "routing: {defaults: {fields: {team: soc}}}\n");
    stage.onNextPosts(resetsConnection());
    BitSet one = BitSet.valueOf(new long[] {1});
    stage.sink.deliver(
        stage.deliveries.of("p", DeliveryRequests.batch(false, "a"), one, Passage.RELEASED));
    stage.idle(5);
    assertThat(FakeCollector.events(stage.collector().posts.get(1)).get(0).members())
        .containsEntry("fields.team", "soc")
        .containsEntry("fields.dedup", "released")
        .containsEntry("fields.resent", "unanswered");

    HecStage raw = HecStage.of(1, "endpoint: raw\n");
    raw.onNextPosts(resetsConnection(), answers(200, 0));
    raw.deliver("p", "a").idle(5).expect("accepted=[p]");
    assertThat(raw.collector().posts)
        .hasSize(2)
        .extracting(post -> new String(post.body(), UTF_8))
        .containsOnly("a\n");
  }
}
