package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.breaks;
import static io.duplog.deliver.hec.FakeCollector.says;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
    assertThat(stage.collector().indexed).containsExactly("a");
    assertThat(stage.collector().polls).hasSize(1);
    assertThat(stage.deliveries.accepted()).isEmpty();
    stage.collector().acks.put(0L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
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
    HecStage stage = stage("");
    for (String name : new String[] {"p", "q", "r"}) {
      stage.deliver(name, name);
      stage.step(0);
    }
    stage.collector().acks.put(2L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("r");
    stage.collector().acks.put(0L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("r", "p");
    stage.collector().acks.put(1L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("r", "p", "q");
  }

  @Test
  void acknowledgementThatNeverComes_hasTheRequestSentAgain_onANewChannel() {
    HecStage stage = stage("ack-timeout: 10s\n");
    stage.deliver("p", "a");
    stage.settle();
    stage.collector().acks.clear();
    // Not at once: what is silent is left out for a while.
    for (int i = 0; i < 60 && stage.collector().indexed.size() < 2; i++) {
      stage.pass(1, SECONDS).settle();
    }
    assertThat(stage.collector().indexed).containsExactly("a", "a");
    assertThat(channel(stage, 1)).isNotEqualTo(channel(stage, 0));
    assertThat(stage.deliveries.accepted()).isEmpty();
    stage.collector().acks.put(1L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
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
    assertThat(stage.deliveries.accepted()).isEmpty();

    for (long id = 0; id < stage.collector().nextAck + 2; id++) {
      stage.collector().acks.put(id, true);
    }
    stage.collector().alwaysAcknowledges();
    for (int i = 0; i < 1200; i++) {
      stage.pass(1, SECONDS).settle();
    }
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void idThatComesTwice_sendsAllOfTheChannelAgain_andBelievesNoOldAnswer() {
    HecStage stage = stage("max-events: 1\n");
    stage.deliver("p", "a", "b");
    stage.step(0);
    stage.collector().script.add(says(200, "{\"code\":0,\"ackId\":0}"));
    stage.step(0);
    stage.collector().acks.put(0L, true); // it speaks of one of the two, and nobody knows which
    stage.step(0);
    stage.step(0);
    assertThat(List.of(channel(stage, 0), channel(stage, 2), channel(stage, 3)))
        .doesNotHaveDuplicates();
    assertThat(stage.collector().indexed).containsExactly("a", "a", "b");
    stage.pass(1, SECONDS).settle();
    assertThat(stage.collector().polls)
        .containsExactlyInAnyOrder(
            channel(stage, 2) + " {\"acks\":[1]}", channel(stage, 3) + " {\"acks\":[2]}");
    assertThat(stage.deliveries.accepted()).isEmpty();
    stage.collector().acks.put(1L, true);
    stage.collector().acks.put(2L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void idThatIsAlwaysTheSame_costsOneRoundOfDuplicates_andNoMore() {
    HecStage stage = stage("max-events: 1\n");
    for (int i = 0; i < 100; i++) {
      stage.collector().script.add(says(200, "{\"code\":0,\"ackId\":0}"));
    }
    stage.deliver("p", "a", "b", "c", "d", "e", "f");
    for (int i = 0; i < 10; i++) {
      stage.settle().pass(1, SECONDS);
    }
    assertThat(stage.collector().posts).hasSize(8);
  }

  @Test
  void failure_changesTheChannel_sendsItsFirstAgain_andStillAsksForTheOthers() {
    HecStage stage = stage("");
    for (String name : new String[] {"p", "q"}) {
      stage.deliver(name, name);
      stage.step(0);
    }
    stage.collector().script.add(breaks());
    stage.deliver("r", "r");
    stage.step(0);
    stage.collector().acks.put(0L, true); // perhaps another indexer's, of the lost request
    stage.collector().acks.put(1L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("q");
    assertThat(stage.collector().indexed).containsExactlyInAnyOrder("p", "q", "p", "r");
    stage.collector().acks.put(2L, true);
    stage.collector().acks.put(3L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("q", "r", "p");
    assertThat(stage.collector().posts.stream().map(Connection.Post::channel).distinct())
        .as("the first one's, the next one's, and one for what is tried apart")
        .hasSize(3);
  }

  @Test
  void busyCollector_costsNoDuplicates_becauseItHasCountedNothing() {
    HecStage stage = stage("");
    for (String name : new String[] {"p", "q"}) {
      stage.deliver(name, name);
      stage.step(0);
    }
    stage.collector().script.add(says(503, 9));
    stage.deliver("r", "r");
    stage.settle().pass(1, SECONDS).settle();
    assertThat(stage.collector().indexed).containsExactly("p", "q", "r");
    stage.collector().acks.replaceAll((id, indexed) -> true);
    stage.pass(2, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactlyInAnyOrder("p", "q", "r");
  }

  @Test
  void badEvent_hasThoseBeforeItSentAgain_becauseTheyHaveNoId() {
    HecStage stage = stage("");
    stage.collector().script.add(FakeCollector.refuses("bad", 400, 12));
    stage.deliver("p", "a", "bad", "b");
    stage.settle();
    assertThat(stage.collector().indexed).containsExactly("a", "a", "b");
    stage.deliveries.refused().get(0).kept().run();
    stage.collector().acks.replaceAll((id, indexed) -> true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
  }

  @Test
  void pendingRequests_areBounded() {
    HecStage stage = stage("ack-pending: 2\nmax-events: 1\n");
    stage.deliver("p", "a", "b", "c");
    stage.settle();
    assertThat(stage.collector().indexed).containsExactly("a", "b");
    stage.collector().acks.put(0L, true);
    stage.pass(1, SECONDS).settle();
    assertThat(stage.collector().indexed).containsExactly("a", "b", "c");
  }

  @Test
  void moreRequestsThanAnAnswerHasRoomFor_areRefusedInTheConfiguration() {
    String keys = "urls: ['http://h']\ntoken: t\nack-pending: ";
    assertThat(HecStage.config(keys + 1000).ackPending()).isEqualTo(1000);
    assertThatThrownBy(() -> HecStage.config(keys + 1001)).hasMessageContaining("ack-pending");
  }

  @Test
  void tokenWithoutAcknowledgement_isNoticedBeforeAnythingIsSent() {
    HecStage stage = HecStage.of(1, "acknowledge: true\n");
    stage.deliver("p", "a");
    stage.settle();
    assertThat(stage.collector().posts).isEmpty();
    assertThat(stage.sink.isAvailable()).isFalse();
  }

  @Test
  void receiptWithoutId_isNotTakenForAccepted() {
    HecStage stage = stage("");
    stage.collector().always = says(200, 0);
    stage.deliver("p", "a");
    stage.settle();
    assertThat(stage.sink.isAvailable()).isFalse();
    assertThat(stage.deliveries.accepted()).isEmpty();
  }

  @Test
  void withdrawn_unacknowledged_isToldOnce_andNotAskedForAgain() {
    HecStage stage = stage("");
    stage.deliver("p", "a");
    stage.settle();
    stage.sink.withdraw();
    assertThat(stage.deliveries.withdrawn()).containsExactly("p");
    stage.collector().acks.put(0L, true);
    stage.pass(10, MINUTES).settle();
    assertThat(stage.deliveries.accepted()).isEmpty();
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
    stage.collector().acks.put(0L, true);
    stage.pass(5, SECONDS).settle();
    assertThat(stage.deliveries.accepted()).containsExactly("p");
    assertThat(stage.collector().posts).hasSize(1);
    assertThat(stage.sink.isAvailable()).isTrue();
  }
}
