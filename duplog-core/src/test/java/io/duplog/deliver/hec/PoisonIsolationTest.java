package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.reply;
import static io.duplog.deliver.hec.FakeCollector.says;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.DeliveryRequest.Passage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
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

  /** Of each message that was sent: when. */
  private final Map<String, Long> sentNanos = new ConcurrentHashMap<>();

  private long longestWaitMillis;

  /** What becomes of a request that holds a poison, and how the dead letter says it. */
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

  /** From now on a request that holds such a text fails. */
  private void poison(String text, Way way) {
    stage.collector().always =
        (collector, post) ->
            FakeCollector.holds(post, text) ? way.fail(stage) : index(collector, post);
  }

  private void takeAll() {
    stage.collector().always = this::index;
  }

  private Reply index(FakeCollector collector, Connection.Post post) {
    for (Event event : FakeCollector.events(post)) {
      long waitedNanos = stage.nanos - sentNanos.getOrDefault(event.text(), stage.nanos);
      longestWaitMillis = Math.max(longestWaitMillis, NANOSECONDS.toMillis(waitedNanos));
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
  private void repeat(int times, long pauseMillis, IntConsumer turn) {
    for (int i = 0; i < times; i++) {
      turn.accept(i);
      stage.settle().pass(pauseMillis);
    }
  }

  /** Ten good messages a second. */
  private void flow(int seconds) {
    repeat(10 * seconds, 100, i -> send("good " + stage.nanos));
  }

  private void assertGoodIndexedOnce() {
    assertThat(stage.collectors.stream().flatMap(collector -> collector.indexed.stream()))
        .filteredOn(text -> !text.equals(ControlEvents.TEXT))
        .containsExactlyInAnyOrderElementsOf(sent(false));
  }

  /** Where no poison was sent, nothing was refused. */
  private void assertPoisonsRefused_andGoodIndexedOnce() {
    assertThat(stage.deliveries.refused())
        .map(refused -> refused.delivery().split("\\+", -1)[refused.message()])
        .containsExactlyInAnyOrderElementsOf(sent(true));
    assertGoodIndexedOnce();
  }

  private List<String> sent(boolean poisons) {
    Stream<String> all = sentNanos.keySet().stream();
    return all.filter(text -> text.contains("poison") == poisons).toList();
  }

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

  /** Many are as when a web server is scanned and its log tells of it. */
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
   * Beside one good message a second; or beside so many that the prefetch is full of batches that
   * the settle rule keeps until the poison's is settled: then nothing comes that it could be
   * compared with.
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
   * At night, or after an absence: batches of one message that come at once, and nothing else. Some
   * of them are poisons. Control events take the place of others.
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

  @ParameterizedTest
  @EnumSource(names = "TIME_OUT", mode = EnumSource.Mode.EXCLUDE)
  void collectorThatTakesNoEvent_costsNone_whereNothingElseComes(Way way) {
    poison("", way);
    send("a");
    send("b");
    send("c", "d");
    stage.idle(1800).expect("");

    takeAll();
    stage.idle(90);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.collector().indexed).hasSizeLessThan(4 + 2);
  }

  /** An event a minute; it takes events for some minutes, and then refuses them for some. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void collectorThatIsBusyAtTimes_withLittleTraffic_costsNoEvent(long seed) {
    Random random = new Random(seed);
    stage = HecStage.of(1, "requests-per-url: 4\n", seed);
    for (int spell = 0; spell < 60; spell++) {
      stage.collector().always = spell % 2 == 1 ? says(503, 9) : this::index;
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
    assertPoisonsRefused_andGoodIndexedOnce();
  }

  /** With 503 or 403, or with an exception that is a defect of ours. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void collectorThatFailsHalfOfTheRequests_costsNoEvent(long seed) {
    Random random = new Random(seed);
    stage = HecStage.of(1, "requests-per-url: 2\n", seed);
    stage.collector().always =
        (collector, post) ->
            switch (random.nextInt(6)) {
              case 0 -> reply(503, "<html>");
              case 1 -> reply(403, "<html>");
              case 2 -> throw new IllegalStateException("defect " + random.nextInt(2));
              default -> index(collector, post);
            };
    flow(300);
    assertThat(stage.deliveries.refused()).isEmpty();
    takeAll();
    flow(30);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.broken).isEmpty();
  }

  @Test
  void busyCollector_losesNoEvent_seesNoStorm_andThenGetsAllOnce() {
    stage.collector().always = says(503, 9);
    flow(600);
    stage.expect("");
    assertThat(stage.collector().posts.size()).isLessThan(1_000);
    assertThat(stage.sink.isAvailable()).isTrue();
    assertThat(stage.sink.acceptsNothing()).isTrue();
    assertThat(stage.sink.trouble()).contains("answers 503", "passes one without");

    takeAll();
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.sink.acceptsNothing()).isFalse();
    assertThat(stage.sink.trouble()).isNull();
  }

  @Test
  void collectorThatIsAway_costsNoEvent_whateverWasUnderWay() {
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
    assertPoisonsRefused_andGoodIndexedOnce();
  }

  /** It is back after five seconds. */
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
  void urlThatRefusesEvents_besideAnotherThatTakesThem_costsNoEvent() {
    stage = HecStage.of(2, "requests-per-url: 4\n");
    stage.collector().always = says(403, 4);
    flow(300);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.collector().posts.size()).isLessThan(400);
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  @Test
  void everyRequestTurnedAway_withTheTokenRefused_stopsTheSink_andCostsNoEvent() {
    stage.collector().failsAll(reply(403, 4));
    stage.collector().health = reply(200, 17);
    send("a", "b");
    assertThat(stage.idle(7200).sink.isAvailable()).isFalse();
    stage.collector().isWell();
    stage.idle(180).expect("indexed=[a, b], accepted=[a+b]");
  }

  @Test
  void sinkThatWasGivenUpWhileItAcceptedNothing_rests_longerEachTime() {
    stage.collector().always = says(503, 9);
    long before = 0;
    for (int i = 0; i < 4; i++) {
      flow(10);
      assertThat(stage.sink.acceptsNothing()).isTrue();
      stage.sink.withdraw();
      assertThat(stage.sink.acceptsNothing()).isFalse();
      long since = stage.nanos;
      while (!stage.sink.isAvailable()) {
        stage.pass(1000).settle();
      }
      assertThat(stage.nanos - since).isGreaterThan(before);
      before = stage.nanos - since;
    }
    takeAll();
    flow(1);
    stage.sink.withdraw();
    assertThat(stage.sink.isAvailable()).isTrue();
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
