package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.breaks;
import static io.duplog.deliver.hec.FakeCollector.isNotReached;
import static io.duplog.deliver.hec.FakeCollector.refuses;
import static io.duplog.deliver.hec.FakeCollector.says;
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
 * Tests that messages are accepted only when the indexer says so, and that ids are never mixed up.
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
  void receipt_isNotEnough() {
    HecStage stage = stage("").deliver("p", "a").idle(1);
    stage.expect("indexed=[a]");
    stage.acknowledge(0).expect("indexed=[a], accepted=[p]");
    stage.idle(60);
    assertThat(stage.collector().polls).hasSize(2);
  }

  @Test
  void firstQuestion_comesSooner_andAllPendingAreAskedForAtOnce() {
    HecStage stage = stage("max-events: 1\n").deliver("p", "a", "b", "c").settle();
    assertThat(stage.step(0)).isEqualTo(250);
    stage.pass(250).settle();
    assertThat(stage.collector().polls).containsExactly(channel(stage, 0) + " {\"acks\":[0,1,2]}");
  }

  @Test
  void acknowledgementsOutOfOrder_acceptEachWhenItsOwnCame() {
    HecStage stage = stage("max-events: 1\n").deliverEach("p", "q", "r").settle();
    stage.acknowledge(2).expect("indexed=[p, q, r], accepted=[r]");
    stage.acknowledge(0).expect("indexed=[p, q, r], accepted=[r, p]");
    stage.acknowledge(1).expect("indexed=[p, q, r], accepted=[r, p, q]");
  }

  @Test
  void acknowledgementThatNeverComes_hasTheRequestSentAgain_onANewChannel() {
    HecStage stage = stage("ack-timeout: 10s\n").deliver("p", "a");
    // The request is not sent again at once, because a silent URL is left out for a while.
    while (stage.collector().indexed.size() < 2) {
      stage.idle(1);
    }
    stage.expect("indexed=[a, a]");
    assertThat(channel(stage, 1)).isNotEqualTo(channel(stage, 0));
    stage.acknowledge(1).expect("indexed=[a, a], accepted=[p]");
  }

  /** The collector held p and q in memory; r was being sent. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void collectorThatDiesWithWhatItHadReceived_losesWhatItHadAnswered_unlessThatIsAcknowledged(
      boolean acknowledge) {
    HecStage stage = HecStage.of(1, "acknowledge: " + acknowledge + "\nack-timeout: 10s\n");
    stage.deliver("p", "a").settle().deliver("q", "b").settle();
    assertThat(stage.deliveries.accepted()).isEqualTo(acknowledge ? List.of() : List.of("p", "q"));
    FakeCollector collector = stage.collector();
    stage.meets(
        (dying, post) -> {
          collector.indexed.clear();
          collector.restartsIds(10); // other ids than before, as for another channel
          throw new IOException("Connection reset");
        });
    collector.alwaysAcknowledges();
    stage.deliver("r", "c").idle(60);
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("p", "q", "r");
    assertThat(collector.indexed)
        .containsExactlyInAnyOrderElementsOf(acknowledge ? List.of("a", "b", "c") : List.of("c"));
  }

  /** An indexer was seen to wait for two minutes until a small batch was full. */
  @Test
  void indexerThatTakesTwoMinutes_costsNoDuplicate_andASecondTryFitsIntoTheHoldLimit() {
    HecStage stage = stage("").deliver("p", "a").idle(125);
    stage.acknowledge(0).idle(600).expect("indexed=[a], accepted=[p]");
    stage.deliver("q", "b").idle(175).expect("indexed=[a, b, b], accepted=[p]");
    stage.idle(115).acknowledge(2).expect("indexed=[a, b, b], accepted=[p, q]");

    HecStage quiet = stage("").deliver("r", "c").idle(170);
    quiet.expect("indexed=[c, c]");
    quiet.idle(118).acknowledge(1).expect("indexed=[c, c], accepted=[r]");
  }

  @Test
  void indexerThatNeverAcknowledges_isLeftOut_forGrowingPauses() {
    HecStage stage = stage("ack-timeout: 10s\n").deliver("p", "a");
    int unavailable = 0;
    for (int i = 0; i < 3600; i++) {
      unavailable += stage.idle(1).sink.isAvailable() ? 0 : 1;
    }
    assertThat(stage.collector().indexed.size()).isBetween(20, 120);
    assertThat(unavailable).isGreaterThan(2000);
    assertThat(stage.deliveries.accepted()).isEmpty();

    stage.collector().acknowledgesAll();
    stage.collector().alwaysAcknowledges();
    stage.idle(1200);
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void idThatComesTwice_sendsAllOfTheChannelAgain_andBelievesNoOldAnswer() {
    HecStage stage = stage("max-events: 1\n").deliver("p", "a", "b");
    stage.step(0);
    stage.meets(says(200, ID_0));
    stage.step(0);
    stage.collector().acknowledges(0); // of one of the two, and nobody knows which
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

  /**
   * Each indexer counts a channel's requests for itself, and one of the two acknowledges nothing.
   */
  @Test
  void twoIndexersBehindOneUrl_neverMixIds() {
    HecStage stage = stage("ack-timeout: 5s\nmax-events: 1\n");
    Random random = new Random(1);
    Map<String, FakeCollector> channels = new HashMap<>();
    FakeCollector.Behaviour balanced =
        (collector, post) -> {
          boolean safe = random.nextBoolean();
          FakeCollector indexer =
              channels.computeIfAbsent(safe + post.channel(), name -> new FakeCollector(true));
          if (safe) {
            indexer.alwaysAcknowledges();
          }
          return indexer.connect().post(post);
        };
    stage.collector().always = balanced;
    stage.collector().asked = balanced;
    for (int i = 0; i < 300; i++) {
      stage.deliverEach("p" + i).idle(1);
    }
    channels.keySet().removeIf(channel -> channel.startsWith("false"));
    assertThat(stage.deliveries.accepted())
        .hasSizeGreaterThan(20)
        .isSubsetOf(channels.values().stream().flatMap(safe -> safe.indexed.stream()).toList());
  }

  @Test
  void idThatIsAlwaysTheSame_costsOneRoundOfDuplicates_andNoMore() {
    HecStage stage = stage("max-events: 1\n");
    stage.collector().always = says(200, ID_0);
    stage.deliver("p", "a", "b", "c", "d", "e", "f").idle(10);
    assertThat(stage.collector().posts).hasSize(8);
  }

  @Test
  void failure_changesTheChannel_sendsItsFirstAgain_andStillAsksForTheOthers() {
    HecStage stage = stage("max-events: 1\n").deliverEach("p", "q").settle();
    stage.meets(breaks());
    stage.deliver("r", "r").step(0);
    stage.acknowledge(0, 1); // perhaps another indexer's, of the lost request
    assertThat(stage.deliveries.accepted()).containsExactly("q");
    stage.acknowledge(2, 3);
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("q", "r", "p");
    stage.assertIndexed().containsExactlyInAnyOrder("p", "q", "p", "r");
    assertThat(stage.collector().posts.stream().map(Connection.Post::channel).distinct())
        .as("the first one's, the next one's, and one for what is tried apart")
        .hasSize(3);
  }

  /** The collector's ids begin again, which is no sign of several indexers. */
  @Test
  void collectorThatRestarts_whileNothingIsUnderWay_isNotTakenForTwo() {
    HecStage stage = stage("").deliver("p", "a").settle().acknowledge(0);
    stage.meets(isNotReached());
    stage.collector().alwaysAcknowledges();
    stage.deliver("q", "b").idle(9); // apart, on a channel of its own
    stage.collector().restartsIds(0);
    stage.deliver("r", "c").idle(9).deliver("s", "d").idle(9);
    stage.expect("indexed=[a, b, c, d], accepted=[p, q, r, s]");
    assertThat(channel(stage, 4)).isEqualTo(channel(stage, 3));
  }

  @Test
  void busyCollector_costsNoDuplicates_becauseItHasCountedNothing() {
    HecStage stage = stage("max-events: 1\n").deliverEach("p", "q").settle();
    stage.meets(says(503, 9));
    stage.deliver("r", "r").idle(1).acknowledge(0, 1, 2).idle(1);
    stage.assertIndexed().containsExactly("p", "q", "r");
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("p", "q", "r");
  }

  @Test
  void badEvent_hasThoseBeforeItSentAgain_becauseTheyHaveNoId() {
    HecStage stage = stage("");
    stage.meets(refuses("bad", 12));
    stage.deliver("p", "a", "bad", "b").settle().keepRefused().acknowledge(0, 1);
    stage.expect("indexed=[a, a, b], accepted=[p], refused=[p-1]");
  }

  @Test
  void pendingRequests_areBounded() {
    HecStage stage = stage("ack-pending: 2\nmax-events: 1\n").deliver("p", "a", "b", "c").settle();
    stage.expect("indexed=[a, b]");
    stage.acknowledge(0).expect("indexed=[a, b, c]");
  }

  @Test
  void moreRequestsThanAnAnswerHasRoomFor_areRefusedInTheConfiguration() {
    String keys = "urls: ['http://h']\ntoken: t\nack-pending: ";
    assertThat(HecStage.config(keys + 1000).ackPending()).isEqualTo(1000);
    assertThatThrownBy(() -> HecStage.config(keys + 1001)).hasMessageContaining("ack-pending");
  }

  /**
   * A token without acknowledgement is noticed before anything is sent; a receipt without an id
   * accepts nothing.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tokenWithoutAcknowledgement_orIds_acceptsNothing(boolean hasAcknowledgement) {
    HecStage stage = HecStage.unsettled("acknowledge: true\n");
    stage.collector().hasAcknowledgement(hasAcknowledgement);
    stage.collector().always = says(200, 0);
    stage.deliver("p", "a").settle().expect("");
    assertThat(stage.collector().posts).hasSize(hasAcknowledgement ? 1 : 0);
    assertThat(stage.sink.isAvailable()).isFalse();
  }

  @Test
  void withdrawn_unacknowledged_isToldOnce_andNotAskedForAgain() {
    HecStage stage = stage("").deliver("p", "a").settle();
    stage.sink.withdraw();
    stage.acknowledge(0).idle(600).expect("indexed=[a], withdrawn=[p]");
    assertThat(stage.collector().polls).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 404, 400})
  void refusedQuestion_isAskedAgain_andCostsNothing(int status) {
    HecStage stage = stage("").deliver("p", "a").settle();
    stage.collector().asked = says(status, status == 400 ? 14 : -1);
    assertThat(stage.pass(1000).settle().sink.isAvailable()).isFalse();
    stage.collector().asked = FakeCollector::poll;
    stage.collector().acknowledges(0);
    stage.pass(5000).settle().expect("indexed=[a], accepted=[p]");
    assertThat(stage.sink.isAvailable()).isTrue();
  }
}
