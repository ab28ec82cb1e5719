package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Refused messages are moved in few letters, each told safe after two brokers have its letter. */
class DeadLettersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int PREFETCH = 80;

  private final FakeLetterBroker a = new FakeLetterBroker();
  private final FakeLetterBroker b = new FakeLetterBroker();
  private final List<Integer> kept = new ArrayList<>();
  private long now;
  private final DeadLetters letters =
      new DeadLetters(List.of(host("a", "node-a", a), host("b", "node-b", b)));

  private LetterHost host(String stream, String address, FakeLetterBroker broker) {
    return new LetterHost(
        TestQueues.of(stream, address, PREFETCH), broker, () -> now, new Random(1));
  }

  private void refuse(int message, String reason) {
    letters.add(
        "a",
        DeliveryRequests.batch(true, "h a", "h b", "h c"),
        message,
        1000 + message,
        reason,
        () -> kept.add(message));
  }

  private void stepFor(int seconds) {
    for (int i = 0; i <= seconds; i++) {
      letters.runOnce();
      now += SECOND.toNanos();
    }
  }

  @Test
  void refusedForTheSameReason_travelTogether_toTwoBrokers_underOneId() {
    refuse(0, "bad");
    refuse(1, "poison");
    refuse(2, "bad");
    letters.runOnce();
    assertThat(a.texts()).containsExactly(List.of("h a", "h c"), List.of("h b"));
    assertThat(b.texts()).isEqualTo(a.texts());
    assertThat(b.dead.get(0).properties().getMessageId())
        .isEqualTo(a.dead.get(0).properties().getMessageId());
    assertThat(a.dead.get(0).header(Envelope.RECEIVED_HEADER)).isEqualTo(List.of(1000L, 1002L));
    assertThat(a.dead.get(0).header(Envelope.REASON_HEADER)).isEqualTo("bad");
    assertThat(kept).containsExactly(0, 2, 1);
    assertThat(letters.trouble()).isNull();
  }

  @Test
  void confirmedByOneBroker_isNotKept_untilTheOtherHasItToo_andPublishedToEachOnce() {
    b.away = true;
    refuse(0, "bad");
    stepFor(10);
    assertThat(kept).isEmpty();
    assertThat(letters.waiting()).isEqualTo(1);
    assertThat(letters.trouble()).contains("1 refused messages wait in the bridge", "broker b");
    b.away = false;
    stepFor(2);
    assertThat(kept).containsExactly(0);
    assertThat(a.texts()).containsExactly(List.of("h a"));
    assertThat(b.texts()).containsExactly(List.of("h a"));
    assertThat(letters.trouble()).isNull();
  }

  @Test
  void ownBrokerAway_twoOthersHaveIt() {
    FakeLetterBroker c = new FakeLetterBroker();
    DeadLetters three =
        new DeadLetters(
            List.of(host("a", "node-a", a), host("b", "node-b", b), host("c", "node-c", c)));
    a.away = true;
    three.add("a", DeliveryRequests.batch(true, "h a"), 0, 0, "bad", () -> kept.add(0));
    three.runOnce();
    assertThat(kept).containsExactly(0);
    assertThat(b.texts()).isEqualTo(c.texts()).containsExactly(List.of("h a"));
  }

  @Test
  void fullDeadLetterQueues_lettersWaitBesideThem_andNothingIsHeld_untilThereIsRoom() {
    a.deadFull = true;
    b.deadFull = true;
    refuse(0, "bad");
    letters.runOnce();
    assertThat(kept).containsExactly(0);
    assertThat(a.waiting).hasSize(1);
    assertThat(b.waiting).hasSize(1);
    stepFor(6);
    assertThat(letters.trouble())
        .contains("broker a", "broker b", "is full", "2 copies of letters", "max-length-bytes")
        .contains("purge the dead-letter queue on every node (rabbitmqctl purge_queue)");
    a.deadFull = false;
    b.deadFull = false;
    stepFor(6);
    assertThat(a.texts()).isEqualTo(b.texts()).containsExactly(List.of("h a"));
    assertThat(a.waiting).isEmpty();
    assertThat(letters.trouble()).isNull();
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
    assertThat(kept).isEmpty();
    assertThat(a.asked).isLessThan(10);
    assertThat(letters.trouble())
        .contains("will hold up the stream")
        .contains("purge the dead-letter queue on every node (rabbitmqctl purge_queue)");
  }

  @Test
  void otherBrokerAwayForLong_theOnlyOneDoes_andIsCopiedWhenTheOtherIsBack() {
    b.away = true;
    refuse(0, "bad");
    stepFor(40);
    assertThat(kept).containsExactly(0);
    assertThat(letters.trouble()).contains("1 copies of letters at the brokers");
    b.away = false;
    stepFor(10);
    assertThat(b.texts()).isEqualTo(a.texts()).containsExactly(List.of("h a"));
    assertThat(b.dead.get(0).header(Envelope.ALONE_HEADER)).isEqualTo("");
    assertThat(letters.trouble()).isNull();
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
    DeadLetters alone = new DeadLetters(List.of(host("a", "node-a", a), host("b", "node-a", b)));
    alone.add("a", DeliveryRequests.batch(true, "h a"), 0, 0, "bad", () -> kept.add(0));
    alone.runOnce();
    assertThat(kept).containsExactly(0);
    assertThat(b.dead).isEmpty();
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
