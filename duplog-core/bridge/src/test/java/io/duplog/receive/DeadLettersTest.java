package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.observe.Boards;
import io.duplog.observe.Conditions;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that messages which Splunk refuses are stored as dead letters, and count as safe after two
 * brokers have them.
 */
class DeadLettersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int PREFETCH = 80;

  private final FakeLetterBroker a = new FakeLetterBroker();
  private final FakeLetterBroker b = new FakeLetterBroker();
  private final List<Integer> kept = new ArrayList<>();
  private long now;
  private final Conditions board = Boards.at(() -> now);
  private DeadLetters letters =
      new DeadLetters(List.of(host("a", "node-a", a), host("b", "node-b", b)), board);

  private LetterHost host(String stream, String address, FakeLetterBroker broker) {
    QueueSettings queue = TestQueues.of(stream, address, PREFETCH);
    return new LetterHost(queue, List.of(queue, queue), broker, board, new Random(1));
  }

  private @Nullable String trouble() {
    return Boards.trouble(board, "dead letters");
  }

  /** Returns a broker beside a and b. */
  private FakeLetterBroker third() {
    FakeLetterBroker c = new FakeLetterBroker();
    letters =
        new DeadLetters(
            List.of(host("a", "node-a", a), host("b", "node-b", b), host("c", "node-c", c)), board);
    return c;
  }

  private void refuse(int message, String reason) {
    letters.add(
        "a",
        DeliveryRequests.batch(true, "h a", "h b", "h c"),
        message,
        1000 + message,
        null,
        reason,
        () -> kept.add(message));
  }

  private void stepFor(int seconds) {
    for (int i = 0; i <= seconds; i++) {
      letters.runOnce();
      now += SECOND.toNanos();
    }
  }

  /** A body that can't be used has a dead-letter queue beside the queue that brought it. */
  @Test
  void letters_areThoseOfAllQueuesOfTheStream() {
    refuse(0, "bad");
    stepFor(6);
    assertThat(letters.letters("a")).isEqualTo(1 + 2 * 10);

    a.othersRefused = true;
    refuse(1, "bad");
    stepFor(6);
    assertThat(letters.letters("a")).isEqualTo(2 + 2 * 10);
    assertThat(kept).containsExactly(0, 1);
    assertThat(trouble()).isNull();
  }

  /**
   * Asserts what was kept, the dead letters of a and b, how many wait there for room, and whether
   * the state is healthy.
   */
  private void assertState(String state) {
    assertThat(
            "kept %s, dead %s %s, waiting %d %d, %s"
                .formatted(
                    kept,
                    a.texts(),
                    b.texts(),
                    a.waiting.size(),
                    b.waiting.size(),
                    trouble() == null ? "well" : "trouble"))
        .isEqualTo(state);
  }

  @Test
  void refusedForTheSameReason_travelTogether_toTwoBrokers_underOneId() {
    refuse(0, "bad");
    refuse(1, "poison");
    refuse(2, "bad");
    letters.runOnce();
    assertState("kept [0, 2, 1], dead [[h a, h c], [h b]] [[h a, h c], [h b]], waiting 0 0, well");
    assertThat(b.dead.get(0).properties().getMessageId())
        .isEqualTo(a.dead.get(0).properties().getMessageId());
    assertThat(a.dead.get(0).header(Envelope.RECEIVED_HEADER)).isEqualTo(List.of(1000L, 1002L));
    assertThat(a.dead.get(0).header(Envelope.REASON_HEADER)).isEqualTo("bad");
  }

  @Test
  void confirmedByOneBroker_isNotKept_untilTheOtherHasItToo_andPublishedToEachOnce() {
    b.away = true;
    refuse(0, "bad");
    stepFor(10);
    assertState("kept [], dead [[h a]] [], waiting 0 0, trouble");
    assertThat(letters.waiting()).isEqualTo(1);
    assertThat(trouble()).contains("1 refused messages wait in the bridge", "broker b");
    b.away = false;
    stepFor(2);
    assertState("kept [0], dead [[h a]] [[h a]], waiting 0 0, well");
  }

  @Test
  void ownBrokerAway_twoOthersHaveIt() {
    FakeLetterBroker c = third();
    a.away = true;
    refuse(0, "bad");
    letters.runOnce();
    assertState("kept [0], dead [] [[h a]], waiting 0 0, trouble");
    assertThat(c.texts()).isEqualTo(b.texts());
  }

  @Test
  void fullDeadLetterQueues_lettersWaitBesideThem_andNothingIsHeld_untilThereIsRoom() {
    a.deadFull = true;
    b.deadFull = true;
    refuse(0, "bad");
    stepFor(6);
    assertState("kept [0], dead [] [], waiting 1 1, trouble");
    assertThat(trouble())
        .contains("broker a", "broker b", "is full", "2 copies of dead letters", "max-length-bytes")
        .contains("purge the dead-letter queue on every node (rabbitmqctl purge_queue)");
    a.deadFull = false;
    b.deadFull = false;
    stepFor(6);
    assertState("kept [0], dead [[h a]] [[h a]], waiting 0 0, well");
  }

  @Test
  void everythingFull_isAskedNowAndThen_andNothingIsKept() {
    for (FakeLetterBroker each : List.of(a, b)) {
      each.deadFull = true;
      each.waitingFull = true;
    }
    refuse(0, "bad");
    for (int i = 0; i < 10_000; i++) {
      letters.runOnce();
    }
    assertState("kept [], dead [] [], waiting 0 0, trouble");
    assertThat(a.asked).as("for each of its two queues once, as no time passed").isEqualTo(2);
    assertThat(trouble())
        .contains("will block the stream")
        .contains("purge the dead-letter queue on every node (rabbitmqctl purge_queue)");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void otherBrokerAwayOrInAnAlarmForLong_theOnlyOneDoes_andIsCopiedWhenThatIsOver(boolean alarm) {
    b.away = !alarm;
    b.blocked = alarm;
    refuse(0, "bad");
    stepFor(40);
    assertState("kept [0], dead [[h a]] [], waiting 1 0, trouble");
    assertThat(trouble()).contains("1 copies of dead letters at the brokers");
    refuse(1, "bad");
    letters.runOnce();
    assertState("kept [0, 1], dead [[h a], [h b]] [], waiting 2 0, trouble");
    b.away = false;
    b.blocked = false;
    stepFor(10);
    assertState("kept [0, 1], dead [[h a], [h b]] [[h a], [h b]], waiting 0 0, well");
    assertThat(b.dead.get(0).header(Envelope.ALONE_HEADER)).isEqualTo("");
  }

  @Test
  void bothOthersBlockedForLong_theOnlyOneDoes_thoughEachAnswersWhileTheOtherIsWaitedFor() {
    FakeLetterBroker c = third();
    for (FakeLetterBroker each : List.of(b, c)) {
      each.blocked = true;
      each.whileBlocked = () -> now += 5 * SECOND.toNanos();
    }
    refuse(0, "bad");
    stepFor(60);
    assertState("kept [0], dead [[h a]] [], waiting 1 0, trouble");
  }

  @Test
  void brokerThatAnswers_isWellAMinuteAfterItRefusedALetter_whichAnotherBridgeHasCopied() {
    b.blocked = true;
    refuse(0, "bad");
    stepFor(40);
    a.waiting.clear();
    b.blocked = false;
    stepFor(30);
    assertThat(trouble()).contains("broker b");
    stepFor(40);
    assertThat(trouble()).isNull();
  }

  @Test
  void refusedBeyondTheirPartOfThePrefetch_waitForAnotherBrokerOnlyBriefly() {
    b.away = true;
    for (int i = 0; i <= PREFETCH / 8; i++) {
      refuse(0, "bad");
    }
    stepFor(10);
    assertThat(kept).hasSize(PREFETCH / 8 + 1);
  }

  @Test
  void oneBroker_isEnough_whereThereIsNoOther() {
    letters = new DeadLetters(List.of(host("a", "node-a", a), host("b", "node-a", b)), board);
    refuse(0, "bad");
    letters.runOnce();
    assertState("kept [0], dead [[h a]] [], waiting 0 0, well");
  }

  @Test
  void floodOfRefusedMessages_travelsInFewLetters_compressed() {
    for (int i = 0; i < 2500; i++) {
      refuse(0, "bad");
    }
    letters.runOnce();
    assertThat(kept).hasSize(2500);
    assertThat(a.dead).hasSize(3);
    assertThat(a.dead.get(0).properties().getContentEncoding())
        .isEqualTo(ContentEncoding.ZSTD.token());
  }
}
