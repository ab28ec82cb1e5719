package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.reply;
import static io.duplog.deliver.hec.FakeCollector.says;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.LogLines;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that no event is given up, and each arrives once, while a collector is unavailable, busy or
 * takes no event.
 */
class CollectorOutageTest extends HecTraffic {
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

  /**
   * An event comes each minute; the collector takes events for some minutes, and then refuses them
   * for some.
   */
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

  /** It fails with 503 or 403, or with an exception that is a defect of ours. */
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

  /** Packets to the only URL are dropped: nothing is known before request-timeout is over. */
  @Test
  void urlThatAnswersNothing_isSaidBeforeThatIsAFailure() {
    stage = HecStage.of(1, "requests-per-url: 1\n");
    List<String> said = new ArrayList<>();
    stage.meanwhile = () -> said.add(String.valueOf(stage.sink.trouble()));
    stage.meets(silent(10), silent(10));
    stage.deliver("p", "a").settle();
    stage.idle(1);

    assertThat(said).hasSize(2000);
    assertThat(said.subList(0, 499)).containsOnly("null");
    assertThat(said.subList(500, 1000))
        .allMatch(
            line ->
                line.matches(
                    "sink hec http://splunk-0 has answered nothing for \\d+ s: requests wait for 10"
                        + " s, then they are sent again"));
    stage.idle(5);
    assertThat(stage.sink.trouble()).isNull();
  }

  /** A request without events follows a failure, and may wait as long again. */
  @Test
  void silence_goesOnUntilSomethingIsAnswered() {
    stage = HecStage.of(1, "");
    Endpoint url = new Endpoint("http://splunk-0", stage.config, stage.environment, () -> {});
    url.begins();
    stage.pass(10_000);
    url.ends(false);
    url.begins();
    assertThat(url.trouble()).contains("has answered nothing for 10 s");
    url.ends(true);
    stage.pass(60_000);
    assertThat(url.trouble()).isNull();
    url.begins();
    stage.pass(4_000);
    assertThat(url.trouble()).isNull();
  }

  private FakeCollector.Behaviour silent(int seconds) {
    return (collector, post) -> {
      stage.hang(seconds);
      throw new IOException("no answer within %d s".formatted(seconds));
    };
  }

  /** An outage is one line, unless it continues for another reason. */
  @Test
  void causeThatChanges_isInTheLog() throws Exception {
    stage = HecStage.of(1, "requests-per-url: 1\n");
    List<String> lines =
        LogLines.of(
            Endpoint.class,
            () -> {
              stage.deliver("p", "a");
              goesOnFor(new SocketException("Connection reset"));
              goesOnFor(new ConnectException("Connection refused"));
              goesOnFor(new SSLHandshakeException("its certificate has expired"));
              goesOnFor(new SSLHandshakeException("its certificate is for other.example"));
              stage.collector().unreachable = null;
              stage.idle(30);
            });

    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).contains("Connection reset");
    assertThat(lines.get(1)).contains("has expired", "another cause than before");
    assertThat(lines.get(2)).contains("is for other.example", "another cause than before");
    assertThat(lines.get(3)).contains("recovered");
  }

  private void goesOnFor(IOException failure) {
    stage.collector().unreachable = new IOException(failure.getMessage(), failure);
    stage.idle(60);
  }

  /** Other requests are answered meanwhile, so a slow one says nothing of the URL. */
  @Test
  void oneSlowRequest_amongOthers_isNoTrouble() {
    stage = HecStage.of(1, "requests-per-url: 2\n");
    List<String> said = new ArrayList<>();
    int[] others = {0};
    stage.meanwhile =
        () -> {
          if (others[0]++ % 100 == 0) {
            stage.deliver("p" + others[0], "b" + others[0]).settle();
          }
          said.add(String.valueOf(stage.sink.trouble()));
        };
    stage.meets(
        (collector, post) -> {
          stage.hang(9);
          return collector.index(post);
        });
    stage.deliver("p", "a").settle();

    assertThat(said).hasSize(900).containsOnly("null");
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

  /** The first URL fails in every other half minute; messages come in bursts, with long pauses. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void urlThatFailsAllEventsAtTimes_besideAnotherThatTakesThem_costsNoEvent(long seed) {
    Random random = new Random(seed);
    stage = HecStage.of(2, "requests-per-url: 2\n", seed);
    FakeCollector.Behaviour fails =
        (collector, post) -> {
          if (random.nextInt(3) == 0) {
            stage.hang(1);
            throw new IOException("no answer within 1000 ms");
          }
          return (random.nextBoolean() ? Way.RESET : Way.CUT_SHORT).fail(stage);
        };
    int[] burst = {0};
    stage.meanwhile =
        () -> {
          if (burst[0]-- > 0) {
            send("good " + stage.nanos);
          }
          stage.settle();
        };
    for (int spell = 0; spell < 100; spell++) {
      stage.collector().always = spell % 2 == 1 ? fails : this::index;
      repeat(
          300,
          100,
          i -> {
            burst[0] = random.nextInt(100) == 0 ? 20 : burst[0];
            stage.meanwhile.run();
          });
    }
    takeAll();
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
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
}
