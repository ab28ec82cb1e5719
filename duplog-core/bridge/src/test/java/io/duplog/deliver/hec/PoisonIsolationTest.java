package io.duplog.deliver.hec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequest.Passage;
import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that an event that fails its request holds up no other, and is not tried forever. */
@Tag("slow")
class PoisonIsolationTest extends HecTraffic {
  @ParameterizedTest
  @EnumSource
  void poisonThatComesAlone_isDeadLettered_andHoldsUpNothing(Way way) {
    poison("poison", way);
    send("poison");
    assertThat(stage.settle().sink.isAvailable()).isTrue();
    flow(way == Way.TIME_OUT ? 60 : 15);
    stage.settle();
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.deliveries.refused().get(0).reason())
        .contains(way.reason, "other requests were accepted");
    // A sender that hangs is stepped like the others, so that here its time passes for all of them.
    assertThat(longestWaitMillis).isLessThan(way == Way.TIME_OUT ? 10_200 : 1_000);
    assertThat(stage.sink.isolated()).isZero();
    assertThat(stage.sink.trouble()).isNull();
  }

  @ParameterizedTest
  @EnumSource(names = "TIME_OUT", mode = EnumSource.Mode.EXCLUDE)
  void poisonInALargeRequest_isFoundWithinSeconds_andTheOthersOfItArrive(Way way) {
    poison("poison", way);
    String[] messages = HecStage.numbered(1000);
    messages[617] = "poison";
    send(messages);
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(longestWaitMillis).isLessThan(5_000);
  }

  /** There are as many as when a web server is scanned and its log reports it. */
  @ParameterizedTest
  @CsvSource({
    "FIREWALL, 1", "FIREWALL, 10", "FIREWALL, 50", "FIREWALL, 200",
    "BUSY, 1", "BUSY, 10", "BUSY, 50", "RESET, 1",
    "RESET, 10", "RESET, 50", "CUT_SHORT, 1", "CUT_SHORT, 50"
  })
  void poisonsAmongTenOthersASecond_holdUpNone(Way way, int aSecond) {
    poison("poison", way);
    repeat(
        500,
        100,
        tick -> {
          for (int i = tick * aSecond / 10; i < (tick + 1) * aSecond / 10; i++) {
            send("poison " + i);
          }
          send("good " + tick);
        });
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(sent(true)).hasSize(50 * aSecond);
    assertThat(longestWaitMillis).isLessThan(5_000);
  }

  /**
   * The poison comes beside one good message a second; or beside so many that the prefetch is full
   * of batches that the settle rule keeps until the poison's is settled. Then nothing comes that it
   * could be compared with.
   */
  @ParameterizedTest
  @CsvSource({
    "FIREWALL, 1, 1000, 29", "BUSY, 1, 1000, 29", "RESET, 1, 1000, 29", "CUT_SHORT, 1, 1000, 29",
    "FIREWALL, 100, 100, 4", "BUSY, 100, 100, 4", "RESET, 100, 100, 4", "CUT_SHORT, 100, 100, 4",
    "TIME_OUT, 1, 1000, 29", "TIME_OUT, 100, 100, 32"
  })
  void poisonBesideFewOthers_isDeadLettered_withinSeconds(
      Way way, int aSecond, int atMost, int seconds) {
    poison("poison", way);
    int[] steps = {0};
    stage.meanwhile =
        () -> {
          if (steps[0]++ % (100 / aSecond) == 0 && sentNanos.size() <= atMost) {
            send("good " + steps[0]);
          }
          stage.settle();
        };
    send("poison");
    stage.settle();
    long since = stage.nanos;
    while (stage.refused().isEmpty() && stage.nanos - since < MILLISECONDS.toNanos(300_000)) {
      stage.hang(1);
    }
    assertThat(NANOSECONDS.toSeconds(stage.nanos - since)).isLessThanOrEqualTo(seconds);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(longestWaitMillis).isLessThan(1_000);
  }

  /**
   * At night, or after an outage, batches of one message come at once, and nothing else. Some of
   * them are poisons. Control events take the place of others.
   */
  @ParameterizedTest
  @CsvSource({
    "FIREWALL, 1, 1, 60, 4", "FIREWALL, 1024, 1, 60, 4", "FIREWALL, 1024, 1024, 60, 30",
    "BUSY, 1, 1, 60, 4", "BUSY, 1024, 1, 60, 4", "BUSY, 1024, 1024, 60, 30",
    "RESET, 1, 1, 60, 4", "RESET, 1024, 1, 60, 4", "RESET, 1024, 1024, 60, 30",
    "CUT_SHORT, 1, 1, 60, 4", "CUT_SHORT, 1024, 1, 60, 4", "CUT_SHORT, 1024, 1024, 60, 30",
    "TIME_OUT, 1, 1, 90, 4", "TIME_OUT, 1024, 1, 80, 4"
  })
  void poisonsWithoutOtherTraffic_areDeadLettered(
      Way way, int messages, int poisons, int seconds, int controlEvents) {
    poison("poison", way);
    IntStream.range(0, messages)
        .forEach(i -> send(poisons > 1 || i == messages / 2 ? "poison " + i : "good " + i));
    stage.idle(seconds);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.sink.isolated()).isZero();
    assertThat(stage.sink.acceptsNothing()).isFalse();
    stage.idle(600);
    int controls = stage.collector().indexed.size() - (messages - poisons);
    assertThat(controls).isBetween(messages == poisons ? 2 : 0, controlEvents);
  }

  /** The collector is back after five seconds. */
  @Test
  void poisonThatKillsTheCollector_doesNotKeepTheOthersFromIt() {
    long[] backAt = {0};
    stage.collector().always =
        (collector, post) -> {
          if (FakeCollector.holds(post, "poison")) {
            collector.unreachable = new IOException("Connection refused");
            backAt[0] = stage.nanos + MILLISECONDS.toNanos(5000);
            throw new IOException("Connection reset");
          }
          return index(collector, post);
        };
    send("a", "poison", "b", "c");
    repeat(
        3000,
        100,
        i -> {
          if (i % 10 == 0) {
            send("good " + i);
          }
          if (stage.nanos - backAt[0] >= 0) {
            stage.collector().unreachable = null;
          }
        });
    stage.collector().unreachable = null;
    stage.pass(60_000).settle();
    assertGoodIndexedOnce();
    assertThat(longestWaitMillis).isLessThan(90_000);
  }

  @Test
  void firewallsRefusal_withAcknowledgement_doublesNothing() {
    stage = HecStage.of(1, "acknowledge: true\n");
    stage.collector().alwaysAcknowledges();
    poison("poison", Way.FIREWALL);
    flow(5);
    send("poison");
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
  }

  @Test
  void eventThatTheEncoderFailsOn_isDeadLettered_andTheOthersOfItsRequestArriveAtOnce() {
    DeliveryRequest whole = stage.deliveries.ofMessages("p", "a", "poison", "b");
    stage.sink.deliver(
        new DeliveryRequest(
            whole.stream(),
            whole.batch(),
            whole.chosen(),
            Passage.BYPASSED,
            whole.receivedMillis(),
            i -> "digest-" + 1 / (i - 1), // which the poison has none of
            whole.callback()));
    stage.settle().expect("indexed=[a, b]");
    flow(15);
    assertThat(stage.refused()).containsExactly("p-1");
    assertThat(stage.deliveries.refused().get(0).reason())
        .contains("defect", "by zero", "this event alone");
    assertThat(stage.keepRefused().deliveries.accepted()).contains("p");
    assertThat(stage.broken).isEmpty();
  }

  @Test
  void withdrawnSuspect_isForgotten() {
    poison("poison", Way.FIREWALL);
    send("poison");
    flow(1);
    stage.sink.withdraw();
    takeAll();
    stage.pass(60_000).settle();
    assertThat(stage.deliveries.withdrawn()).containsExactly("poison");
    assertThat(stage.collector().indexed).doesNotContain("poison");
    assertThat(stage.sink.isolated()).isZero();
  }
}
