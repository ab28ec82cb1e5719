package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.answers;
import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.refusesConnection;
import static io.duplog.deliver.hec.FakeCollector.resetsConnection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.deliver.hec.http.Connection;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the HEC sink accepts messages only after an indexer has acknowledged them, and never
 * confuses ids of several indexers.
 */
class AcknowledgementTest {
  private static final String ID_0 = "{\"code\":0,\"ackId\":0}";

  private static HecStage stage(String keys) {
    return HecStage.of(1, "acknowledge: true\n" + keys);
  }

  private static String channel(HecStage stage, int post) {
    return stage.collector().posts.get(post).channel();
  }

  @Test
  void receivedRequest_withoutAcknowledgement_isNotAccepted() {
    HecStage stage = stage("").deliver("p", "a").idle(1);
    stage.expect("indexed=[a]");
    stage.acknowledge(0).expect("indexed=[a], accepted=[p]");
    stage.idle(60);
    assertThat(stage.collector().polls).hasSize(2);
  }

  @Test
  void firstPoll_isEarly_andIncludesAllPendingIds() {
    HecStage stage = stage("max-events: 1\n").deliver("p", "a", "b", "c").settle();
    assertThat(stage.step(0)).isEqualTo(250);
    stage.pass(250).settle();
    assertThat(stage.collector().polls).containsExactly(channel(stage, 0) + " {\"acks\":[0,1,2]}");
  }

  @Test
  void acknowledgementsOutOfOrder_acceptTheirOwnRequests() {
    HecStage stage = stage("max-events: 1\n").deliverEach("p", "q", "r").settle();
    stage.acknowledge(2).expect("indexed=[p, q, r], accepted=[r]");
    stage.acknowledge(0).expect("indexed=[p, q, r], accepted=[r, p]");
    stage.acknowledge(1).expect("indexed=[p, q, r], accepted=[r, p, q]");
  }

  @Test
  void request_withoutAcknowledgement_isResentOnNewChannel() {
    HecStage stage = stage("ack-timeout: 10s\n").deliver("p", "a");
    // The request is not resent immediately, because a silent URL is left out for a while.
    while (stage.collector().indexed.size() < 2) {
      stage.idle(1);
    }
    stage.expect("indexed=[a, a]");
    assertThat(channel(stage, 1)).isNotEqualTo(channel(stage, 0));
    stage.acknowledge(1).expect("indexed=[a, a], accepted=[p]");
  }

  /** The collector had p and q in memory while r was being sent. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void collectorCrash_losesReceivedEvents_unlessAcknowledgementIsOn(boolean acknowledge) {
    HecStage stage = HecStage.of(1, "acknowledge: " + acknowledge + "\nack-timeout: 10s\n");
    stage.deliver("p", "a").settle().deliver("q", "b").settle();
    assertThat(stage.deliveries.accepted()).isEqualTo(acknowledge ? List.of() : List.of("p", "q"));
    FakeCollector collector = stage.collector();
    stage.onNextPosts(
        (dying, post) -> {
          collector.indexed.clear();
          collector.restartIds(10); // different ids than before, as on another channel
          throw new IOException("Connection reset");
        });
    collector.acknowledgeAlways();
    stage.deliver("r", "c").idle(60);
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("p", "q", "r");
    assertThat(collector.indexed)
        .containsExactlyInAnyOrderElementsOf(acknowledge ? List.of("a", "b", "c") : List.of("c"));
  }

  /** A real indexer waited up to two minutes until a small batch was full. */
  @Test
  void acknowledgementAfterTwoMinutes_causesNoDuplicate_andSecondTryFitsIntoHoldLimit() {
    HecStage stage = stage("").deliver("p", "a").idle(125);
    stage.acknowledge(0).idle(600).expect("indexed=[a], accepted=[p]");
    stage.deliver("q", "b").idle(175).expect("indexed=[a, b, b], accepted=[p]");
    stage.idle(115).acknowledge(2).expect("indexed=[a, b, b], accepted=[p, q]");

    HecStage quiet = stage("").deliver("r", "c").idle(170);
    quiet.expect("indexed=[c, c]");
    quiet.idle(118).acknowledge(1).expect("indexed=[c, c], accepted=[r]");
  }

  @Test
  void urlWithoutAcknowledgements_isLeftOut_forGrowingPauses() {
    HecStage stage = stage("ack-timeout: 10s\n").deliver("p", "a");
    int unavailable = 0;
    for (int i = 0; i < 3600; i++) {
      unavailable += stage.idle(1).sink.isAvailable() ? 0 : 1;
    }
    assertThat(stage.collector().indexed.size()).isBetween(20, 120);
    assertThat(unavailable).isGreaterThan(2000);
    assertThat(stage.deliveries.accepted()).isEmpty();

    stage.collector().acknowledgeAll();
    stage.collector().acknowledgeAlways();
    stage.idle(1200);
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void repeatedId_resendsAllRequestsOfChannel_andIgnoresOldAcknowledgements() {
    HecStage stage = stage("max-events: 1\n").deliver("p", "a", "b");
    stage.step(0);
    stage.onNextPosts(answers(200, ID_0));
    stage.step(0);
    stage.collector().acknowledge(0); // it is unknown which of the two requests this is for
    stage.step(0);
    stage.step(0);
    assertThat(List.of(channel(stage, 0), channel(stage, 2), channel(stage, 3)))
        .doesNotHaveDuplicates();
    stage.pass(1000).settle().expect("indexed=[a, a, b]");
    assertThat(stage.collector().polls)
        .containsExactlyInAnyOrder(
            channel(stage, 2) + " {\"acks\":[1]}", channel(stage, 3) + " {\"acks\":[2]}");
    stage.acknowledge(1, 2).expect("indexed=[a, a, b], accepted=[p]");
  }

  /** Each indexer has its own ids for a channel, and one of the two acknowledges nothing. */
  @Test
  void twoIndexersBehindOneUrl_acknowledgeOnlyTheirOwnRequests() {
    HecStage stage = stage("ack-timeout: 5s\nmax-events: 1\n");
    Random random = new Random(1);
    Map<String, FakeCollector> channels = new HashMap<>();
    FakeCollector.Behaviour balanced =
        (collector, post) -> {
          boolean safe = random.nextBoolean();
          FakeCollector indexer =
              channels.computeIfAbsent(safe + post.channel(), name -> new FakeCollector(true));
          if (safe) {
            indexer.acknowledgeAlways();
          }
          return indexer.connect().post(post);
        };
    stage.collector().always = balanced;
    stage.collector().onPoll = balanced;
    for (int i = 0; i < 300; i++) {
      stage.deliverEach("p" + i).idle(1);
    }
    channels.keySet().removeIf(channel -> channel.startsWith("false"));
    assertThat(stage.deliveries.accepted())
        .hasSizeGreaterThan(20)
        .isSubsetOf(channels.values().stream().flatMap(safe -> safe.indexed.stream()).toList());
  }

  @Test
  void constantId_causesOneRoundOfDuplicates() {
    HecStage stage = stage("max-events: 1\n");
    stage.collector().always = answers(200, ID_0);
    stage.deliver("p", "a", "b", "c", "d", "e", "f").idle(10);
    assertThat(stage.collector().posts).hasSize(8);
  }

  @Test
  void failure_changesChannel_resendsItsFirstRequest_andPollsTheOthers() {
    HecStage stage = stage("max-events: 1\n").deliverEach("p", "q").settle();
    stage.onNextPosts(resetsConnection());
    stage.deliver("r", "r").step(0);
    stage.acknowledge(0, 1); // may be another indexer's id for the lost request
    assertThat(stage.deliveries.accepted()).containsExactly("q");
    stage.acknowledge(2, 3);
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("q", "r", "p");
    stage.assertIndexed().containsExactlyInAnyOrder("p", "q", "p", "r");
    assertThat(stage.collector().posts.stream().map(Connection.Post::channel).distinct())
        .as("the first channel, the next one, and one for the isolated request")
        .hasSize(3);
  }

  /** The collector's ids restart, which is no sign of several indexers. */
  @Test
  void restartedCollector_whileIdle_isNotMistakenForSeveralIndexers() {
    HecStage stage = stage("").deliver("p", "a").settle().acknowledge(0);
    stage.onNextPosts(refusesConnection());
    stage.collector().acknowledgeAlways();
    stage.deliver("q", "b").idle(9); // isolated, on its own channel
    stage.collector().restartIds(0);
    stage.deliver("r", "c").idle(9).deliver("s", "d").idle(9);
    stage.expect("indexed=[a, b, c, d], accepted=[p, q, r, s]");
    assertThat(channel(stage, 4)).isEqualTo(channel(stage, 3));
  }

  @Test
  void busyCollector_causesNoDuplicates_becauseItGaveNoId() {
    HecStage stage = stage("max-events: 1\n").deliverEach("p", "q").settle();
    stage.onNextPosts(answers(503, 9));
    stage.deliver("r", "r").idle(1).acknowledge(0, 1, 2).idle(1);
    stage.assertIndexed().containsExactly("p", "q", "r");
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("p", "q", "r");
  }

  @Test
  void badEvent_resendsEventsBeforeIt_becauseTheyHaveNoId() {
    HecStage stage = stage("");
    stage.onNextPosts(refuses("bad", 12));
    stage.deliver("p", "a", "bad", "b").settle().keepRefused().acknowledge(0, 1);
    stage.expect("indexed=[a, a, b], accepted=[p], refused=[p-1]");
  }

  @Test
  void pendingRequests_areLimited() {
    HecStage stage = stage("ack-pending: 2\nmax-events: 1\n").deliver("p", "a", "b", "c").settle();
    stage.expect("indexed=[a, b]");
    stage.acknowledge(0).expect("indexed=[a, b, c]");
  }

  @Test
  void ackPending_aboveMaximum_isRejected() {
    String keys = "urls: ['http://h']\ntoken: t\nack-pending: ";
    assertThat(HecStage.config(keys + 1000).ackPending()).isEqualTo(1000);
    assertThatThrownBy(() -> HecStage.config(keys + 1001)).hasMessageContaining("ack-pending");
  }

  /**
   * A token without acknowledgement is detected before any event is sent. An answer without an id
   * accepts nothing.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tokenWithoutAcknowledgement_orAnswerWithoutId_acceptsNothing(boolean hasAcknowledgement) {
    HecStage stage = HecStage.unsettled("acknowledge: true\n");
    stage.collector().setAcknowledgement(hasAcknowledgement);
    stage.collector().always = answers(200, 0);
    stage.deliver("p", "a").settle().expect("");
    assertThat(stage.collector().posts).hasSize(hasAcknowledgement ? 1 : 0);
    assertThat(stage.sink.isAvailable()).isFalse();
  }

  @Test
  void withdrawnDelivery_unacknowledged_isReportedOnce_andNotPolled() {
    HecStage stage = stage("").deliver("p", "a").settle();
    stage.sink.withdraw();
    stage.acknowledge(0).idle(600).expect("indexed=[a], withdrawn=[p]");
    assertThat(stage.collector().polls).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 404, 400})
  void failedPoll_isRepeated_andLosesNothing(int status) {
    HecStage stage = stage("").deliver("p", "a").settle();
    stage.collector().onPoll = answers(status, status == 400 ? 14 : -1);
    assertThat(stage.pass(1000).settle().sink.isAvailable()).isFalse();
    stage.collector().onPoll = FakeCollector::poll;
    stage.collector().acknowledge(0);
    stage.pass(5000).settle().expect("indexed=[a], accepted=[p]");
    assertThat(stage.sink.isAvailable()).isTrue();
  }
}
