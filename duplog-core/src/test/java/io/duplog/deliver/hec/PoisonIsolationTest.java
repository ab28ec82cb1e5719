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

  /** What becomes of a request that holds the text. */
  private enum Way {
    FIREWALL(403),
    BUSY(503),
    RESET(0),
    TIME_OUT(0),
    CUT_SHORT(200);

    private final int status;

    Way(int status) {
      this.status = status;
    }

    Reply fail(HecStage stage) throws IOException {
      switch (this) {
        case RESET -> throw new IOException("Connection reset");
        case TIME_OUT -> {
          stage.hang(10);
          throw new IOException("no answer within 10000 ms");
        }
        case CUT_SHORT -> {
          return reply(status, "{\"text\":\"Succ");
        }
        case FIREWALL, BUSY -> {
          return reply(status, "<html>blocked</html>");
        }
      }
      throw new AssertionError(this);
    }
  }

  private void poison(String text, Way way) {
    poison(stage, text, way);
  }

  private void poison(HecStage where, String text, Way way) {
    where.collector().always =
        (collector, post) -> {
          if (FakeCollector.events(post).stream().anyMatch(event -> event.text().contains(text))) {
            return way.fail(where);
          }
          return index(where, collector, post);
        };
  }

  private Reply index(HecStage where, FakeCollector collector, Connection.Post post) {
    for (Event event : FakeCollector.events(post)) {
      Long sent = sentNanos.get(event.text());
      if (sent != null) {
        waitedNanos.put(event.text(), where.nanos - sent);
      }
    }
    return collector.index(post);
  }

  private void send(HecStage where, String... messages) {
    for (String message : messages) {
      sentNanos.put(message, where.nanos);
    }
    where.deliver(String.join("+", messages), messages);
  }

  /** Ten good messages a second. */
  private void flow(HecStage where, int seconds) {
    long end = where.nanos + SECONDS.toNanos(seconds);
    while (where.nanos - end < 0) {
      send(where, "good " + where.nanos);
      where.settle();
      for (int i = 0; i < 10; i++) {
        where.pass(10, MILLISECONDS).settle();
      }
    }
  }

  private void flow(int seconds) {
    flow(stage, seconds);
  }

  private long longestWaitMillis() {
    return waitedNanos.values().stream().mapToLong(NANOSECONDS::toMillis).max().orElseThrow();
  }

  private void assertAllGoodOnce(HecStage where) {
    List<String> good = sentNanos.keySet().stream().filter(t -> !t.contains("poison")).toList();
    assertThat(where.collector().indexed)
        .filteredOn(text -> !text.equals(ControlEvents.TEXT))
        .containsExactlyInAnyOrderElementsOf(good);
  }

  private Stream<String> refused() {
    return stage.deliveries.refused().stream().map(DeliveryRequests.Refused::delivery);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void poisonThatComesAlone_isDeadLettered_andHoldsUpNothing(Way way) {
    poison("poison", way);
    stage.settle();
    send(stage, "poison");
    stage.settle();
    assertThat(stage.sink.isAvailable()).isTrue();
    flow(way == Way.TIME_OUT ? 60 : 15);

    assertThat(refused()).containsExactly("poison");
    assertThat(stage.deliveries.refused().get(0).reason())
        .contains("this event alone", "other requests were accepted")
        .contains(
            switch (way) {
              case FIREWALL -> "answers 403 (<html>blocked</html>) to this event alone, 4 times";
              case BUSY -> "answers 503 (<html>blocked</html>) to this event alone, 5 times";
              case RESET -> "(Connection reset) with this event alone, 5 times";
              case TIME_OUT -> "(no answer within 10000 ms) with this event alone, 3 times";
              case CUT_SHORT -> "answers 200 ({\"text\":\"Succ) to this event alone, 5 times";
            });
    stage.settle();
    assertAllGoodOnce(stage);
    // A sender that hangs is stepped like the others, so that here its time passes for all of them.
    assertThat(longestWaitMillis()).isLessThan(way == Way.TIME_OUT ? 10_200 : 1_000);
    assertThat(stage.sink.isolated()).isZero();
    assertThat(stage.sink.trouble()).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"TIME_OUT"},
      mode = EnumSource.Mode.EXCLUDE)
  void poisonInALargeRequest_isFoundWithinSeconds_andTheOthersOfItArrive(Way way) {
    poison("poison", way);
    String[] messages = IntStream.range(0, 1000).mapToObj(i -> "m" + i).toArray(String[]::new);
    messages[617] = "poison";
    send(stage, messages);
    flow(60);

    assertThat(stage.deliveries.refused())
        .extracting(DeliveryRequests.Refused::message)
        .containsExactly(617);
    assertAllGoodOnce(stage);
    assertThat(longestWaitMillis()).isLessThan(5_000);
  }

  @ParameterizedTest
  @EnumSource(value = Way.class, names = "TIME_OUT", mode = EnumSource.Mode.EXCLUDE)
  void severalPoisons_onePerSecond_areAllDeadLettered(Way way) {
    poison("poison", way);
    send(stage, "poison a");
    send(stage, "poison b");
    for (int i = 0; i < 60; i++) {
      send(stage, "poison " + i);
      flow(1);
    }
    flow(60);

    assertThat(stage.deliveries.refused()).hasSize(62);
    assertAllGoodOnce(stage);
    assertThat(longestWaitMillis()).isLessThan(5_000);
  }

  /** As when a web server is scanned and its log tells of it. */
  @Test
  void floodOfPoisons_stopsNoOther_andIsDeadLettered() {
    poison("poison", Way.FIREWALL);
    stage.settle();
    int poisons = 0;
    for (int tick = 0; tick < 520; tick++) {
      for (int i = 0; i < 5; i++) {
        send(stage, "poison " + poisons++);
      }
      send(stage, "good " + tick);
      stage.settle().pass(100, MILLISECONDS);
    }
    flow(30);

    assertThat(stage.deliveries.refused()).hasSize(poisons);
    assertAllGoodOnce(stage);
    assertThat(longestWaitMillis()).isLessThan(5_000);
  }

  @ParameterizedTest
  @CsvSource({
    "FIREWALL, 10",
    "FIREWALL, 50",
    "FIREWALL, 200",
    "BUSY, 10",
    "BUSY, 50",
    "RESET, 10",
    "RESET, 50",
    "CUT_SHORT, 50"
  })
  void poisonsAmongTenOthersASecond_holdUpNone(Way way, int aSecond) {
    poison("poison", way);
    stage.settle();
    for (int tick = 0; tick < 400; tick++) {
      for (int i = 0; i < aSecond / 10; i++) {
        send(stage, "poison " + tick + "," + i);
      }
      send(stage, "good " + tick);
      stage.settle().pass(100, MILLISECONDS);
    }
    flow(60);

    assertThat(stage.deliveries.refused()).hasSize(40 * aSecond);
    assertAllGoodOnce(stage);
    assertThat(longestWaitMillis()).isLessThan(5_000);
  }

  /**
   * The prefetch is full of batches that the settle rule keeps until the poison's is settled: from
   * then on nothing comes that it could be compared with.
   */
  @ParameterizedTest
  @EnumSource(Way.class)
  void poisonThatTheWholePrefetchWaitsFor_isDeadLettered_withinSeconds(Way way) {
    poison("poison", way);
    stage.settle();
    int[] taken = {0};
    stage.meanwhile =
        () -> {
          if (taken[0] < 100) {
            send(stage, "good " + taken[0]++);
          }
          stage.settle();
        };
    send(stage, "poison");
    stage.settle();
    long since = stage.nanos;
    while (stage.deliveries.refused().isEmpty() && stage.nanos - since < MINUTES.toNanos(5)) {
      stage.hang(1);
    }
    assertThat(refused()).containsExactly("poison");
    assertThat(NANOSECONDS.toSeconds(stage.nanos - since))
        .isLessThanOrEqualTo(way == Way.TIME_OUT ? 3 * 10 + 2 : 4);
    assertAllGoodOnce(stage);
  }

  /** Taken at once after an absence; nothing else comes. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void poisonInAPrefetchThatComesAtOnce_isDeadLettered_thoughNothingElseComes(Way way) {
    poison("poison", way);
    for (int i = 0; i < 1024; i++) {
      send(stage, i == 617 ? "poison" : "good " + i);
    }
    for (int i = 0; i < 80; i++) {
      stage.settle().pass(1, SECONDS);
    }
    assertThat(refused()).containsExactly("poison");
    assertAllGoodOnce(stage);
  }

  /** One good message a second. */
  @ParameterizedTest
  @EnumSource(Way.class)
  void poisonBesideLittleTraffic_isDeadLettered_withinSeconds(Way way) {
    poison("poison", way);
    stage.settle();
    int[] step = {0};
    stage.meanwhile =
        () -> {
          if (step[0]++ % 100 == 0) {
            send(stage, "good " + step[0]);
          }
          stage.settle();
        };
    send(stage, "poison");
    stage.settle();
    long since = stage.nanos;
    while (stage.deliveries.refused().isEmpty() && stage.nanos - since < MINUTES.toNanos(5)) {
      stage.hang(1);
    }
    assertThat(refused()).containsExactly("poison");
    assertThat(NANOSECONDS.toSeconds(stage.nanos - since)).isLessThan(30);
    assertThat(longestWaitMillis()).isLessThan(1_000);
  }

  /** An event a minute; it takes events for some minutes, and then refuses them for some. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void collectorThatIsBusyAtTimes_withLittleTraffic_costsNoEvent(long seed) {
    Random random = new Random(seed);
    stage = HecStage.of(1, "", seed);
    for (int spell = 0; spell < 60; spell++) {
      stage.collector().always =
          spell % 2 == 0
              ? (collector, post) -> index(stage, collector, post)
              : FakeCollector.says(503, 9);
      int seconds = 1 + random.nextInt(1200);
      for (int i = 0; i < seconds; i++) {
        if (random.nextInt(60) == 0) {
          send(stage, "good " + stage.nanos);
        }
        stage.settle().pass(1, SECONDS);
      }
    }
    stage.collector().always = (collector, post) -> index(stage, collector, post);
    flow(60);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertAllGoodOnce(stage);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void poisonWithoutOtherTraffic_isDeadLettered_afterControlEvents(Way way) {
    poison("poison", way);
    send(stage, "poison");
    pass(way == Way.TIME_OUT ? 90 : 60);

    assertThat(refused()).containsExactly("poison");
    assertThat(stage.collector().indexed).containsOnly(ControlEvents.TEXT).hasSizeBetween(2, 4);
    assertThat(stage.sink.isolated()).isZero();
    pass(600);
    assertThat(stage.collector().indexed).hasSizeBetween(2, 4);
  }

  /** Each a batch of its own, so that they fill the prefetch, and nothing else comes. */
  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"TIME_OUT"},
      mode = EnumSource.Mode.EXCLUDE)
  void prefetchOfNothingButPoisons_isDeadLettered_withinAMinute(Way way) {
    poison("poison", way);
    for (int i = 0; i < 1024; i++) {
      send(stage, "poison " + i);
    }
    pass(60);
    assertThat(stage.deliveries.refused()).hasSize(1024);
    assertThat(stage.collector().indexed).containsOnly(ControlEvents.TEXT);
    assertThat(stage.sink.acceptsNothing()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"TIME_OUT"},
      mode = EnumSource.Mode.EXCLUDE)
  void collectorThatTakesNoEvent_costsNone_whereNothingElseComes(Way way) {
    poison("", way);
    send(stage, "a");
    send(stage, "b");
    send(stage, "c", "d");
    pass(1800);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertThat(stage.collector().indexed).isEmpty();

    stage.collector().always = (collector, post) -> index(stage, collector, post);
    pass(90);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertThat(stage.collector().indexed)
        .filteredOn(text -> text.equals(ControlEvents.TEXT))
        .hasSizeLessThan(2);
    assertAllGoodOnce(stage);
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      stage.settle().pass(1, SECONDS);
    }
  }

  @Test
  void twoBridges_withAPoisonEach_bothGoOn() {
    HecStage other = HecStage.of(1, "");
    poison("poison", Way.RESET);
    poison(other, "poison", Way.FIREWALL);
    send(stage, "poison a");
    other.deliver("poison b", "poison b");
    flow(30);
    assertThat(refused()).containsExactly("poison a");
    assertThat(longestWaitMillis()).isLessThan(1_000);
    flow(other, 30);
    assertThat(other.deliveries.refused()).hasSize(1);
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

    stage.collector().always = (collector, post) -> index(stage, collector, post);
    flow(60);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertAllGoodOnce(stage);
    assertThat(stage.sink.acceptsNothing()).isFalse();
    assertThat(stage.sink.trouble()).isNull();
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
                : index(stage, collector, post);
    flow(300);
    assertThat(stage.deliveries.refused()).isEmpty();
    stage.collector().always = (collector, post) -> index(stage, collector, post);
    flow(30);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertAllGoodOnce(stage);
  }

  @Test
  void collectorThatIsAway_costsNoEvent_whateverWasUnderWay() {
    stage.settle();
    flow(1);
    for (int outage = 0; outage < 10; outage++) {
      send(stage, "in flight " + outage);
      stage.collector().unreachable = new IOException("Connection refused");
      flow(30);
      assertThat(stage.sink.isAvailable()).isFalse();
      assertThat(stage.sink.isolated()).isZero();
      stage.collector().unreachable = null;
      stage.collector().always = (collector, post) -> index(stage, collector, post);
      flow(20);
    }
    assertThat(stage.deliveries.refused()).isEmpty();
    assertAllGoodOnce(stage);
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
          return index(stage, collector, post);
        };
    send(stage, "a", "poison", "b", "c");
    for (int i = 0; i < 300; i++) {
      send(stage, "good " + i);
      for (int j = 0; j < 10; j++) {
        if (stage.collector().unreachable != null && stage.nanos - backAt[0] >= 0) {
          stage.collector().unreachable = null;
        }
        stage.settle().pass(100, MILLISECONDS);
      }
    }
    stage.collector().unreachable = null;
    stage.pass(1, MINUTES).settle();
    assertThat(stage.collector().indexed).contains("a", "b", "c");
    assertAllGoodOnce(stage);
    assertThat(longestWaitMillis()).isLessThan(90_000);
  }

  @Test
  void urlThatRefusesEvents_besideAnotherThatTakesThem_costsNoEvent() {
    stage = HecStage.of(2, "");
    stage.collectors.get(0).always = FakeCollector.says(403, 4);
    flow(300);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertThat(stage.collectors.get(1).indexed)
        .containsExactlyInAnyOrderElementsOf(sentNanos.keySet());
    assertThat(stage.collectors.get(0).posts.size()).isLessThan(400);
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void everyRequestTurnedAway_withTheTokenRefused_stopsTheSink_andCostsNoEvent() {
    stage.collector().always = FakeCollector.says(403, 4);
    stage.collector().toNothing = reply(403, 4);
    send(stage, "a", "b");
    for (int i = 0; i < 120; i++) {
      stage.settle().pass(1, MINUTES).settle();
    }
    assertThat(stage.sink.isAvailable()).isFalse();
    assertThat(stage.deliveries.refused()).isEmpty();

    stage.collector().always = FakeCollector::index;
    stage.collector().toNothing = reply(400, 5);
    stage.pass(1, MINUTES).settle().pass(1, MINUTES).settle();
    assertThat(stage.collector().indexed).containsExactlyInAnyOrder("a", "b");
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
    send(stage, "poison");
    flow(60);
    assertThat(refused()).containsExactly("poison");
    assertAllGoodOnce(stage);
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
          return index(stage, collector, post);
        };
    flow(60);
    stage.collector().always = (collector, post) -> index(stage, collector, post);
    flow(15);
    assertThat(stage.deliveries.refused()).isEmpty();
    assertAllGoodOnce(stage);
    assertThat(stage.broken).isEmpty();
  }

  @Test
  void withdrawnSuspect_isForgotten() {
    poison("poison", Way.FIREWALL);
    send(stage, "poison");
    flow(1);
    stage.sink.withdraw();
    stage.collector().always = FakeCollector::index;
    stage.pass(1, MINUTES).settle();

    assertThat(stage.deliveries.withdrawn()).containsExactly("poison");
    assertThat(stage.collector().indexed).doesNotContain("poison");
    assertThat(stage.sink.isolated()).isZero();
  }
}
