package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.reply;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequest.Passage;
import io.duplog.deliver.DeliveryRequests;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One event that fails its request holds up no other, and is not tried for ever. */
class PoisonIsolationTest {
  private HecStage stage = HecStage.of(1, "requests-per-url: 4\n");
  private final Map<String, Long> sentNanos = new HashMap<>();
  private final Map<String, Long> waitedNanos = new HashMap<>();

  /** What becomes of a request that holds the text, and how the dead letter says it. */
  private enum Way {
    FIREWALL("answers 403 (<html>) to this event alone, 4 times"),
    BUSY("answers 503 (<html>) to this event alone, 5 times"),
    RESET("(Connection reset) with this event alone, 5 times"),
    TIME_OUT("(no answer within 10000 ms) with this event alone, 3 times"),
    CUT_SHORT("answers 200 ({\"text\":\"Succ) to this event alone, 5 times");

    private final String reason;

    Way(String reason) {
      this.reason = reason;
    }

    Reply fail(HecStage stage) throws IOException {
      return switch (this) {
        case FIREWALL -> reply(403, "<html>");
        case BUSY -> reply(503, "<html>");
        case CUT_SHORT -> reply(200, "{\"text\":\"Succ");
        case RESET -> throw new IOException("Connection reset");
        case TIME_OUT -> {
          stage.hang(10);
          throw new IOException("no answer within 10000 ms");
        }
      };
    }
  }

  private void poison(String text, Way way) {
    stage.collector().always =
        (collector, post) ->
            FakeCollector.events(post).stream().anyMatch(event -> event.text().contains(text))
                ? way.fail(stage)
                : index(collector, post);
  }

  private void takeAll() {
    stage.collector().always = this::index;
  }

  private Reply index(FakeCollector collector, Connection.Post post) {
    for (Event event : FakeCollector.events(post)) {
      Long sent = sentNanos.get(event.text());
      if (sent != null) {
        waitedNanos.put(event.text(), stage.nanos - sent);
      }
    }
    return collector.index(post);
  }

  private void send(String... messages) {
    for (String message : messages) {
      sentNanos.put(message, stage.nanos);
    }
    stage.deliver(String.join("+", messages), messages);
  }

  /** So many turns, with a pause behind each. */
  private void repeat(int times, long pauseMillis, LongConsumer turn) {
    for (int i = 0; i < times; i++) {
      turn.accept(i);
      stage.settle().pass(pauseMillis, MILLISECONDS);
    }
  }

  private void pass(int seconds) {
    repeat(seconds, 1000, i -> {});
  }

  /** Ten good messages a second. */
  private void flow(int seconds) {
    repeat(
        100 * seconds,
        10,
        i -> {
          if (i % 10 == 0) {
            send("good " + stage.nanos);
          }
        });
  }

  /** Sends a poison; whoever waits for an answer lets others go on, at most for five minutes. */
  private long secondsUntilRefused() {
    send("poison");
    stage.settle();
    long since = stage.nanos;
    while (stage.deliveries.refused().isEmpty() && stage.nanos - since < MINUTES.toNanos(5)) {
      stage.hang(1);
    }
    assertThat(refused()).containsExactly("poison");
    return NANOSECONDS.toSeconds(stage.nanos - since);
  }

  private long longestWaitMillis() {
    return waitedNanos.values().stream().mapToLong(NANOSECONDS::toMillis).max().orElseThrow();
  }

  private void assertAllGoodOnce() {
    List<String> good = sentNanos.keySet().stream().filter(t -> !t.contains("poison")).toList();
    assertThat(stage.collectors.stream().flatMap(collector -> collector.indexed.stream()))
        .filteredOn(text -> !text.equals(ControlEvents.TEXT))
        .containsExactlyInAnyOrderElementsOf(good);
  }

  private void assertNoneRefused_andAllGoodOnce() {
    assertThat(stage.deliveries.refused()).isEmpty();
    assertAllGoodOnce();
  }

  private Stream<String> refused() {
    return stage.deliveries.refused().stream().map(DeliveryRequests.Refused::delivery);
  }

  @ParameterizedTest
  @EnumSource
  void poisonThatComesAlone_isDeadLettered_andHoldsUpNothing(Way way) {
    poison("poison", way);
    stage.settle();
    send("poison");
    stage.settle();
    assertThat(stage.sink.isAvailable()).isTrue();
    flow(way == Way.TIME_OUT ? 60 : 15);

    assertThat(refused()).containsExactly("poison");
    assertThat(stage.deliveries.refused().get(0).reason())
        .contains(way.reason, "other requests were accepted");
    stage.settle();
    assertAllGoodOnce();
    // A sender that hangs is stepped like the others, so that here its time passes for all of them.
    assertThat(longestWaitMillis()).isLessThan(way == Way.TIME_OUT ? 10_200 : 1_000);
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

    assertThat(stage.deliveries.refused())
        .extracting(DeliveryRequests.Refused::message)
        .containsExactly(617);
    assertAllGoodOnce();
    assertThat(longestWaitMillis()).isLessThan(5_000);
  }

  /** Many are as when a web server is scanned and its log tells of it. */
  @ParameterizedTest
  @CsvSource({
    "FIREWALL, 1",
    "FIREWALL, 10",
    "FIREWALL, 50",
    "FIREWALL, 200",
    "BUSY, 1",
    "BUSY, 10",
    "BUSY, 50",
    "RESET, 1",
    "RESET, 10",
    "RESET, 50",
    "CUT_SHORT, 1",
    "CUT_SHORT, 50"
  })
  void poisonsAmongTenOthersASecond_holdUpNone(Way way, int aSecond) {
    poison("poison", way);
    stage.settle();
    repeat(
        500,
        100,
        tick -> {
          for (long i = tick * aSecond / 10; i < (tick + 1) * aSecond / 10; i++) {
            send("poison " + i);
          }
          send("good " + tick);
        });
    flow(60);

    assertThat(stage.deliveries.refused()).hasSize(50 * aSecond);
    assertAllGoodOnce();
    assertThat(longestWaitMillis()).isLessThan(5_000);
  }

  /**
   * The prefetch is full of batches that the settle rule keeps until the poison's is settled: from
   * then on nothing comes that it could be compared with.
   */
  @ParameterizedTest
  @EnumSource
  void poisonThatTheWholePrefetchWaitsFor_isDeadLettered_withinSeconds(Way way) {
    poison("poison", way);
    stage.settle();
    int[] taken = {0};
    stage.meanwhile =
        () -> {
          if (taken[0] < 100) {
            send("good " + taken[0]++);
          }
          stage.settle();
        };
    assertThat(secondsUntilRefused()).isLessThanOrEqualTo(way == Way.TIME_OUT ? 3 * 10 + 2 : 4);
    assertAllGoodOnce();
  }

  /** One good message a second. */
  @ParameterizedTest
  @EnumSource
  void poisonBesideLittleTraffic_isDeadLettered_withinSeconds(Way way) {
    poison("poison", way);
    stage.settle();
    int[] step = {0};
    stage.meanwhile =
        () -> {
          if (step[0]++ % 100 == 0) {
            send("good " + step[0]);
          }
          stage.settle();
        };
    assertThat(secondsUntilRefused()).isLessThan(30);
    assertThat(longestWaitMillis()).isLessThan(1_000);
  }

  /** Taken at once after an absence; nothing else comes. */
  @ParameterizedTest
  @EnumSource
  void poisonInAPrefetchThatComesAtOnce_isDeadLettered_thoughNothingElseComes(Way way) {
    poison("poison", way);
    IntStream.range(0, 1024).forEach(i -> send(i == 617 ? "poison" : "good " + i));
    pass(80);
    assertThat(refused()).containsExactly("poison");
    assertAllGoodOnce();
  }

  @ParameterizedTest
  @EnumSource
  void poisonWithoutOtherTraffic_isDeadLettered_afterControlEvents(Way way) {
    poison("poison", way);
    send("poison");
    pass(way == Way.TIME_OUT ? 90 : 60);

    assertThat(refused()).containsExactly("poison");
    assertThat(stage.collector().indexed).containsOnly(ControlEvents.TEXT).hasSizeBetween(2, 4);
    assertThat(stage.sink.isolated()).isZero();
    pass(600);
    assertThat(stage.collector().indexed).hasSizeBetween(2, 4);
  }

  /** Each a batch of its own, so that they fill the prefetch, and nothing else comes. */
  @ParameterizedTest
  @EnumSource(names = "TIME_OUT", mode = EnumSource.Mode.EXCLUDE)
  void prefetchOfNothingButPoisons_isDeadLettered_withinAMinute(Way way) {
    poison("poison", way);
    IntStream.range(0, 1024).forEach(i -> send("poison " + i));
    pass(60);
    assertThat(stage.deliveries.refused()).hasSize(1024);
    assertThat(stage.collector().indexed).containsOnly(ControlEvents.TEXT);
    assertThat(stage.sink.acceptsNothing()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = "TIME_OUT", mode = EnumSource.Mode.EXCLUDE)
  void collectorThatTakesNoEvent_costsNone_whereNothingElseComes(Way way) {
    poison("", way);
    send("a");
    send("b");
    send("c", "d");
    pass(1800);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertThat(stage.collector().indexed).isEmpty();

    takeAll();
    pass(90);
    assertNoneRefused_andAllGoodOnce();
    assertThat(stage.collector().indexed).hasSizeLessThan(4 + 2);
  }

  /** An event a minute; it takes events for some minutes, and then refuses them for some. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void collectorThatIsBusyAtTimes_withLittleTraffic_costsNoEvent(long seed) {
    Random random = new Random(seed);
    stage = HecStage.of(1, "", seed);
    for (int spell = 0; spell < 60; spell++) {
      takeAll();
      if (spell % 2 == 1) {
        stage.collector().always = FakeCollector.says(503, 9);
      }
      repeat(
          1 + random.nextInt(1200),
          1000,
          i -> {
            if (random.nextInt(60) == 0) {
              send("good " + stage.nanos);
            }
          });
    }
    takeAll();
    flow(60);
    assertNoneRefused_andAllGoodOnce();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void collectorThatShedsHalfOfTheRequests_costsNoEvent(long seed) {
    Random random = new Random(seed);
    stage = HecStage.of(1, "requests-per-url: 2\n", seed);
    stage.collector().always =
        (collector, post) ->
            random.nextBoolean()
                ? reply(random.nextBoolean() ? 503 : 403, "<html>")
                : index(collector, post);
    flow(300);
    assertThat(stage.deliveries.refused()).isEmpty();
    takeAll();
    flow(30);
    assertNoneRefused_andAllGoodOnce();
  }

  @Test
  void busyCollector_losesNoEvent_seesNoStorm_andThenGetsAllOnce() {
    stage.collector().always = FakeCollector.says(503, 9);
    flow(600);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertThat(stage.collector().posts.size()).isLessThan(1_000);
    assertThat(stage.sink.isAvailable()).isTrue();
    assertThat(stage.sink.acceptsNothing()).isTrue();
    assertThat(stage.sink.trouble()).contains("answers 503", "passes one without");

    takeAll();
    flow(60);
    assertNoneRefused_andAllGoodOnce();
    assertThat(stage.sink.acceptsNothing()).isFalse();
    assertThat(stage.sink.trouble()).isNull();
  }

  @Test
  void collectorThatIsAway_costsNoEvent_whateverWasUnderWay() {
    takeAll();
    stage.settle();
    flow(1);
    for (int outage = 0; outage < 10; outage++) {
      send("in flight " + outage);
      stage.collector().unreachable = new IOException("Connection refused");
      flow(30);
      assertThat(stage.sink.isAvailable()).isFalse();
      assertThat(stage.sink.isolated()).isZero();
      stage.collector().unreachable = null;
      flow(20);
    }
    assertNoneRefused_andAllGoodOnce();
  }

  /** It is back after five seconds. */
  @Test
  void poisonThatKillsTheCollector_doesNotKeepTheOthersFromIt() {
    long[] backAt = {0};
    stage.collector().always =
        (collector, post) -> {
          if (FakeCollector.events(post).stream().anyMatch(e -> e.text().contains("poison"))) {
            collector.unreachable = new IOException("Connection refused");
            backAt[0] = stage.nanos + SECONDS.toNanos(5);
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
    stage.pass(1, MINUTES).settle();
    assertAllGoodOnce();
    assertThat(longestWaitMillis()).isLessThan(90_000);
  }

  @Test
  void urlThatRefusesEvents_besideAnotherThatTakesThem_costsNoEvent() {
    stage = HecStage.of(2, "");
    stage.collector().always = FakeCollector.says(403, 4);
    flow(300);
    assertNoneRefused_andAllGoodOnce();
    assertThat(stage.collector().posts.size()).isLessThan(400);
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void everyRequestTurnedAway_withTheTokenRefused_stopsTheSink_andCostsNoEvent() {
    stage.collector().failsAll(reply(403, 4));
    stage.collector().health = reply(200, 17);
    send("a", "b");
    repeat(120, 60_000, i -> {});
    assertThat(stage.sink.isAvailable()).isFalse();
    stage.collector().isWell();
    repeat(3, 60_000, i -> {});
    assertNoneRefused_andAllGoodOnce();
  }

  @Test
  void sinkThatWasGivenUpWhileItAcceptedNothing_rests_longerEachTime() {
    stage.collector().always = FakeCollector.says(503, 9);
    long before = 0;
    for (int i = 0; i < 4; i++) {
      flow(10);
      assertThat(stage.sink.acceptsNothing()).isTrue();
      stage.sink.withdraw();
      assertThat(stage.sink.acceptsNothing()).isFalse();
      long since = stage.nanos;
      while (!stage.sink.isAvailable()) {
        stage.pass(1, SECONDS).settle();
      }
      assertThat(stage.nanos - since).isGreaterThan(before);
      before = stage.nanos - since;
    }
    stage.collector().always = FakeCollector::index;
    flow(1);
    stage.sink.withdraw();
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void firewallsRefusal_withAcknowledgement_doublesNothing() {
    stage = HecStage.of(1, "acknowledge: true\n");
    stage.collector().acknowledges = true;
    stage.collector().alwaysAcknowledges();
    poison("poison", Way.FIREWALL);
    flow(5);
    send("poison");
    flow(60);
    assertThat(refused()).containsExactly("poison");
    assertAllGoodOnce();
  }

  @Test
  void eventThatTheEncoderFailsOn_isDeadLettered_andTheOthersOfItsRequestArriveAtOnce() {
    BitSet all = new BitSet();
    all.set(0, 3);
    DeliveryRequest delivery =
        stage.deliveries.of(
            "p", DeliveryRequests.batch(false, "a", "poison", "b"), all, Passage.BYPASSED);
    stage.sink.deliver(
        new DeliveryRequest(
            delivery.stream(),
            delivery.batch(),
            all,
            Passage.BYPASSED,
            delivery.receivedMillis(),
            i -> {
              if (i == 1) {
                throw new IllegalStateException("no digest");
              }
              return "digest";
            },
            delivery.callback()));
    stage.settle();
    assertThat(stage.collector().indexed).containsExactly("a", "b");
    flow(15);
    assertThat(stage.deliveries.refused())
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.message()).isEqualTo(1);
              assertThat(refused.reason()).contains("defect", "no digest", "this event alone");
            });
    stage.deliveries.refused().get(0).kept().run();
    assertThat(stage.deliveries.accepted()).contains("p");
    assertThat(stage.broken).isEmpty();
  }

  @Test
  void exceptionsOfTheConnection_endNothing_andLoseNothing() {
    Random random = new Random(1);
    stage.collector().always =
        (collector, post) -> {
          if (random.nextInt(3) == 0) {
            throw new IllegalStateException("defect " + random.nextInt(2));
          }
          return index(collector, post);
        };
    flow(60);
    takeAll();
    flow(15);
    assertNoneRefused_andAllGoodOnce();
    assertThat(stage.broken).isEmpty();
  }

  @Test
  void withdrawnSuspect_isForgotten() {
    poison("poison", Way.FIREWALL);
    send("poison");
    flow(1);
    stage.sink.withdraw();
    stage.collector().always = FakeCollector::index;
    stage.pass(1, MINUTES).settle();

    assertThat(stage.deliveries.withdrawn()).containsExactly("poison");
    assertThat(stage.collector().indexed).doesNotContain("poison");
    assertThat(stage.sink.isolated()).isZero();
  }
}
