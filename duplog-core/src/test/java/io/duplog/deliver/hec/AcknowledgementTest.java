package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.breaks;
import static io.duplog.deliver.hec.FakeCollector.says;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages are accepted only when the indexer says so, and ids are never mixed up. */
class AcknowledgementTest {
  private static HecStage stage(String keys) {
    HecStage stage = HecStage.of(1, "acknowledge: true\n" + keys);
    stage.collectors.forEach(collector -> collector.acknowledges = true);
    stage.settle();
    stage.collector().polls.clear();
    return stage;
  }

  private static String channel(HecStage stage, int post) {
    return stage.collector().posts.get(post).channel();
  }

  @Test
  void receipt_isNotEnough() {
    HecStage stage = stage("");
    stage.deliver("p", "a");
    stage.settle().pass(1, SECONDS).settle();
    stage.assertIndexed().containsExactly("a");
    assertThat(stage.collector().polls).hasSize(1);
    stage.assertAccepted().isEmpty();
    stage.collector().acknowledges(0);
    stage.pass(1, SECONDS).settle();
    stage.assertAccepted().containsExactly("p");
    stage.pass(1, MINUTES).settle();
    assertThat(stage.collector().polls).hasSize(2);
  }

  @Test
  void firstQuestion_comesSooner_andAllPendingAreAskedForAtOnce() {
    HecStage stage = stage("max-events: 1\n");
    stage.deliver("p", "a", "b", "c");
    stage.step(0);
    stage.step(0);
    stage.step(0);
    assertThat(stage.step(0)).isEqualTo(MILLISECONDS.toNanos(250));
    stage.pass(250, MILLISECONDS).settle();
    assertThat(stage.collector().polls).containsExactly(channel(stage, 0) + " {\"acks\":[0,1,2]}");
  }

  @Test
  void acknowledgementsOutOfOrder_acceptEachWhenItsOwnCame() {
    HecStage stage = stage("max-events: 1\n");
    stage.deliverEach("p", "q", "r");
    stage.settle();
    List<String> accepted = new ArrayList<>();
    for (int id : new int[] {2, 0, 1}) {
      stage.collector().acknowledges(id);
      stage.pass(1, SECONDS).settle();
      accepted.add("pqr".substring(id, id + 1));
      stage.assertAccepted().isEqualTo(accepted);
    }
  }

  @Test
  void acknowledgementThatNeverComes_hasTheRequestSentAgain_onANewChannel() {
    HecStage stage = stage("ack-timeout: 10s\n");
    stage.deliver("p", "a");
    stage.settle();
    stage.collector().acks.clear();
    // Not at once: what is silent is left out for a while.
    while (stage.collector().indexed.size() < 2) {
      stage.idle(1);
    }
    stage.assertIndexed().containsExactly("a", "a");
    assertThat(channel(stage, 1)).isNotEqualTo(channel(stage, 0));
    stage.assertAccepted().isEmpty();
    stage.collector().acknowledges(1);
    stage.pass(1, SECONDS).settle();
    stage.assertAccepted().containsExactly("p");
  }

  @Test
  void indexerThatNeverAcknowledges_isLeftOut_forGrowingPauses() {
    HecStage stage = stage("ack-timeout: 10s\n");
    stage.deliver("p", "a");
    int unavailable = 0;
    for (int i = 0; i < 3600; i++) {
      stage.pass(1, SECONDS).settle();
      unavailable += stage.sink.isAvailable() ? 0 : 1;
    }
    assertThat(stage.collector().indexed.size()).isBetween(20, 120);
    assertThat(unavailable).isGreaterThan(2000);
    stage.assertAccepted().isEmpty();

    stage.collector().acknowledgesAll();
    stage.collector().alwaysAcknowledges();
    stage.idle(1200);
    stage.assertAccepted().containsExactly("p");
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void idThatComesTwice_sendsAllOfTheChannelAgain_andBelievesNoOldAnswer() {
    HecStage stage = stage("max-events: 1\n");
    stage.deliver("p", "a", "b");
    stage.step(0);
    stage.meets(says(200, "{\"code\":0,\"ackId\":0}"));
    stage.step(0);
    stage.collector().acknowledges(0); // it speaks of one of the two, and nobody knows which
    stage.step(0);
    stage.step(0);
    assertThat(List.of(channel(stage, 0), channel(stage, 2), channel(stage, 3)))
        .doesNotHaveDuplicates();
    stage.assertIndexed().containsExactly("a", "a", "b");
    stage.pass(1, SECONDS).settle();
    assertThat(stage.collector().polls)
        .containsExactlyInAnyOrder(
            channel(stage, 2) + " {\"acks\":[1]}", channel(stage, 3) + " {\"acks\":[2]}");
    stage.assertAccepted().isEmpty();
    stage.collector().acknowledges(1, 2);
    stage.pass(1, SECONDS).settle();
    stage.assertAccepted().containsExactly("p");
  }

  /** Each counts a channel's requests for itself, and one of the two acknowledges nothing. */
  @Test
  void twoIndexersBehindOneUrl_neverMixIds() {
    HecStage stage = stage("ack-timeout: 5s\nmax-events: 1\n");
    Random random = new Random(1);
    Map<String, FakeCollector> channels = new HashMap<>();
    FakeCollector.Behaviour balanced =
        (collector, post) -> {
          boolean safe = random.nextBoolean();
          FakeCollector indexer =
              channels.computeIfAbsent(safe + post.channel(), name -> new FakeCollector());
          indexer.acknowledges = true;
          if (safe) {
            indexer.alwaysAcknowledges();
          }
          return indexer.connect().post(post);
        };
    stage.collector().always = balanced;
    stage.collector().asked = balanced;
    for (int i = 0; i < 300; i++) {
      stage.deliverEach("p" + i);
      stage.idle(1);
    }
    channels.keySet().removeIf(channel -> channel.startsWith("false"));
    assertThat(stage.deliveries.accepted())
        .hasSizeGreaterThan(20)
        .isSubsetOf(channels.values().stream().flatMap(safe -> safe.indexed.stream()).toList());
  }

  @Test
  void idThatIsAlwaysTheSame_costsOneRoundOfDuplicates_andNoMore() {
    HecStage stage = stage("max-events: 1\n");
    for (int i = 0; i < 100; i++) {
      stage.meets(says(200, "{\"code\":0,\"ackId\":0}"));
    }
    stage.deliver("p", "a", "b", "c", "d", "e", "f");
    stage.idle(10);
    assertThat(stage.collector().posts).hasSize(8);
  }

  @Test
  void failure_changesTheChannel_sendsItsFirstAgain_andStillAsksForTheOthers() {
    HecStage stage = stage("max-events: 1\n");
    stage.deliverEach("p", "q");
    stage.settle();
    stage.meets(breaks());
    stage.deliver("r", "r");
    stage.step(0);
    stage.collector().acknowledges(0, 1); // perhaps another indexer's, of the lost request
    stage.pass(1, SECONDS).settle();
    stage.assertAccepted().containsExactly("q");
    stage.assertIndexed().containsExactlyInAnyOrder("p", "q", "p", "r");
    stage.collector().acknowledges(2, 3);
    stage.pass(1, SECONDS).settle();
    stage.assertAccepted().containsExactlyInAnyOrder("q", "r", "p");
    assertThat(stage.collector().posts.stream().map(Connection.Post::channel).distinct())
        .as("the first one's, the next one's, and one for what is tried apart")
        .hasSize(3);
  }

  @Test
  void busyCollector_costsNoDuplicates_becauseItHasCountedNothing() {
    HecStage stage = stage("max-events: 1\n");
    stage.deliverEach("p", "q");
    stage.settle();
    stage.meets(says(503, 9));
    stage.deliver("r", "r");
    stage.settle().pass(1, SECONDS).settle();
    stage.assertIndexed().containsExactly("p", "q", "r");
    stage.collector().acknowledgesAll();
    stage.pass(2, SECONDS).settle();
    stage.assertAccepted().containsExactlyInAnyOrder("p", "q", "r");
  }

  @Test
  void badEvent_hasThoseBeforeItSentAgain_becauseTheyHaveNoId() {
    HecStage stage = stage("");
    stage.meets(FakeCollector.refuses("bad", 400, 12));
    stage.deliver("p", "a", "bad", "b");
    stage.settle();
    stage.assertIndexed().containsExactly("a", "a", "b");
    stage.keepRefused();
    stage.collector().acknowledgesAll();
    stage.pass(1, SECONDS).settle();
    stage.assertAccepted().containsExactly("p");
  }

  @Test
  void pendingRequests_areBounded() {
    HecStage stage = stage("ack-pending: 2\nmax-events: 1\n");
    stage.deliver("p", "a", "b", "c");
    stage.settle();
    stage.assertIndexed().containsExactly("a", "b");
    stage.collector().acknowledges(0);
    stage.pass(1, SECONDS).settle();
    stage.assertIndexed().containsExactly("a", "b", "c");
  }

  @Test
  void moreRequestsThanAnAnswerHasRoomFor_areRefusedInTheConfiguration() {
    String keys = "urls: ['http://h']\ntoken: t\nack-pending: ";
    assertThat(HecStage.config(keys + 1000).ackPending()).isEqualTo(1000);
    assertThatThrownBy(() -> HecStage.config(keys + 1001)).hasMessageContaining("ack-pending");
  }

  /** Without it the token is noticed before anything is sent; a receipt without id is none. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tokenWithoutAcknowledgement_orIds_acceptsNothing(boolean hasAcknowledgement) {
    HecStage stage = HecStage.of(1, "acknowledge: true\n");
    stage.collector().acknowledges = hasAcknowledgement;
    stage.collector().always = says(200, 0);
    stage.deliver("p", "a");
    stage.settle();
    assertThat(stage.collector().posts).hasSize(hasAcknowledgement ? 1 : 0);
    assertThat(stage.sink.isAvailable()).isFalse();
    stage.assertAccepted().isEmpty();
  }

  @Test
  void withdrawn_unacknowledged_isToldOnce_andNotAskedForAgain() {
    HecStage stage = stage("");
    stage.deliver("p", "a");
    stage.settle();
    stage.sink.withdraw();
    assertThat(stage.deliveries.withdrawn()).containsExactly("p");
    stage.collector().acknowledges(0);
    stage.pass(10, MINUTES).settle();
    stage.assertAccepted().isEmpty();
    assertThat(stage.collector().posts).hasSize(1);
    assertThat(stage.collector().polls).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 404, 400})
  void refusedQuestion_isAskedAgain_andCostsNothing(int status) {
    HecStage stage = stage("");
    stage.deliver("p", "a");
    stage.settle();
    stage.collector().pollAnswer = FakeCollector.reply(status, status == 400 ? 14 : -1);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.sink.isAvailable()).isFalse();
    stage.collector().pollAnswer = null;
    stage.collector().acknowledges(0);
    stage.pass(5, SECONDS).settle();
    stage.assertAccepted().containsExactly("p");
    assertThat(stage.collector().posts).hasSize(1);
    assertThat(stage.sink.isAvailable()).isTrue();
  }
}
