package io.duplog.deliver.hec;

import static io.duplog.deliver.hec.FakeCollector.answers;
import static io.duplog.deliver.hec.FakeCollector.reply;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.LogLines;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the HEC sink gives up no event and delivers each once while a collector is
 * unavailable, busy or rejects everything.
 */
class CollectorOutageTest extends HecTraffic {
  @ParameterizedTest
  @EnumSource(names = "TIME_OUT", mode = EnumSource.Mode.EXCLUDE)
  void collectorRejectingAllEvents_withoutOtherTraffic_losesNoEvent(Way way) {
    poison("", way);
    send("a");
    send("b");
    send("c", "d");
    stage.idle(1800).expect("");

    acceptAll();
    stage.idle(90);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.collector().indexed).hasSizeLessThan(4 + 2);
  }

  /**
   * An event arrives each minute. The collector accepts events for some minutes, and then rejects
   * them for some.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void intermittentlyBusyCollector_withLittleTraffic_losesNoEvent(long seed) {
    Random random = new Random(seed);
    stage = HecStage.of(1, "requests-per-url: 4\n", seed);
    for (int spell = 0; spell < 60; spell++) {
      stage.collector().always = spell % 2 == 1 ? answers(503, 9) : this::index;
      repeat(
          1 + random.nextInt(1200),
          1000,
          i -> {
            if (random.nextInt(60) == 0) {
              send("good " + stage.nanos);
            }
          });
    }
    acceptAll();
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
  }

  /** The collector fails with 503 or 403, or a bug in the bridge throws an exception. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void collectorFailingHalfOfAllRequests_losesNoEvent(long seed) {
    Random random = new Random(seed);
    stage = HecStage.of(1, "requests-per-url: 2\n", seed);
    stage.collector().always =
        (collector, post) ->
            switch (random.nextInt(6)) {
              case 0 -> reply(503, "<html>");
              case 1 -> reply(403, "<html>");
              case 2 -> throw new IllegalStateException("bug " + random.nextInt(2));
              default -> index(collector, post);
            };
    flow(300);
    assertThat(stage.deliveries.refused()).isEmpty();
    acceptAll();
    flow(30);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.bugReports).isEmpty();
  }

  @Test
  void busyCollector_getsFewRequests_andThenAllEventsOnce() {
    stage.collector().always = answers(503, 9);
    flow(600);
    stage.expect("");
    assertThat(stage.collector().posts.size()).isLessThan(1_000);
    assertThat(stage.sink.isAvailable()).isTrue();
    assertThat(stage.sink.acceptsNothing()).isTrue();
    assertThat(stage.sink.trouble()).contains("answers 503", "accepts empty ones");

    acceptAll();
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.sink.acceptsNothing()).isFalse();
    assertThat(stage.sink.trouble()).isNull();
  }

  @Test
  void unavailableCollector_withRequestInFlight_losesNoEvent() {
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

  /** Packets to the only URL are dropped, so a failure is known only after request-timeout. */
  @Test
  void silentUrl_isReported_beforeRequestTimeout() {
    stage = HecStage.of(1, "requests-per-url: 1\n");
    List<String> warnings = new ArrayList<>();
    stage.meanwhile = () -> warnings.add(String.valueOf(stage.sink.trouble()));
    stage.onNextPosts(silent(10), silent(10));
    stage.deliver("p", "a").settle();
    stage.idle(1);

    assertThat(warnings).hasSize(2000);
    assertThat(warnings.subList(0, 499)).containsOnly("null");
    assertThat(warnings.subList(500, 1000))
        .allMatch(
            line ->
                line.matches(
                    "sink hec http://splunk-0 has answered nothing for \\d+ s\\. Requests wait up to"
                        + " 10 s and are then resent\\. Check .*"));
    stage.idle(5);
    assertThat(stage.sink.trouble()).isNull();
  }

  /** An empty request follows a failure, and may wait as long. */
  @Test
  void silence_continues_untilARequestIsAnswered() {
    stage = HecStage.of(1, "");
    AnswerWatch url = new AnswerWatch("url", Duration.ofSeconds(10), () -> stage.nanos);
    url.onSend();
    stage.pass(10_000);
    url.onEnd(false);
    url.onSend();
    assertThat(url.warning()).contains("has answered nothing for 10 s");
    url.onEnd(true);
    stage.pass(60_000);
    assertThat(url.warning()).isNull();
    url.onSend();
    stage.pass(4_000);
    assertThat(url.warning()).isNull();
  }

  private FakeCollector.Behaviour silent(int seconds) {
    return (collector, post) -> {
      stage.hang(seconds);
      throw new IOException("no answer within %d s".formatted(seconds));
    };
  }

  /** An outage is logged once, unless it continues with another cause. */
  @Test
  void newCause_duringOutage_isLogged() throws Exception {
    stage = HecStage.of(1, "requests-per-url: 1\n");
    List<String> lines =
        LogLines.of(
            Endpoint.class,
            () -> {
              stage.deliver("p", "a");
              failFor1Minute(new SocketException("Connection reset"));
              failFor1Minute(new ConnectException("Connection refused"));
              failFor1Minute(new SSLHandshakeException("its certificate has expired"));
              failFor1Minute(new SSLHandshakeException("its certificate is for other.example"));
              stage.collector().unreachable = null;
              stage.idle(30);
            });

    assertThat(lines).hasSize(4);
    assertThat(lines.get(0)).contains("Connection reset");
    assertThat(lines.get(1)).contains("has expired", "another cause than before");
    assertThat(lines.get(2)).contains("is for other.example", "another cause than before");
    assertThat(lines.get(3)).contains("recovered");
  }

  private void failFor1Minute(IOException failure) {
    stage.collector().unreachable = new IOException(failure.getMessage(), failure);
    stage.idle(60);
  }

  /** Other requests are answered meanwhile, so a slow one proves nothing about the URL. */
  @Test
  void oneSlowRequest_amongOthers_isNotReported() {
    stage = HecStage.of(1, "requests-per-url: 2\n");
    List<String> warnings = new ArrayList<>();
    int[] others = {0};
    stage.meanwhile =
        () -> {
          if (others[0]++ % 100 == 0) {
            stage.deliver("p" + others[0], "b" + others[0]).settle();
          }
          warnings.add(String.valueOf(stage.sink.trouble()));
        };
    stage.onNextPosts(
        (collector, post) -> {
          stage.hang(9);
          return collector.index(post);
        });
    stage.deliver("p", "a").settle();

    assertThat(warnings).hasSize(900).containsOnly("null");
  }

  @Test
  void urlRejectingEvents_besideHealthyUrl_losesNoEvent() {
    stage = HecStage.of(2, "requests-per-url: 4\n");
    stage.collector().always = answers(403, 4);
    flow(300);
    assertPoisonsRefused_andGoodIndexedOnce();
    assertThat(stage.collector().posts.size()).isLessThan(400);
    assertThat(stage.sink.isAvailable()).isTrue();
  }

  /** The first URL fails every other half minute; messages arrive in bursts, with long pauses. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void intermittentlyFailingUrl_besideHealthyUrl_losesNoEvent(long seed) {
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
    acceptAll();
    flow(60);
    assertPoisonsRefused_andGoodIndexedOnce();
  }

  @Test
  void rejectedToken_stopsTheSink_andLosesNoEvent() {
    stage.collector().failAll(reply(403, 4));
    stage.collector().health = reply(200, 17);
    send("a", "b");
    assertThat(stage.idle(7200).sink.isAvailable()).isFalse();
    stage.collector().recover();
    stage.idle(180).expect("indexed=[a, b], accepted=[a+b]");
  }

  @Test
  void withdrawnSink_thatAcceptedNothing_restsLongerEachTime() {
    stage.collector().always = answers(503, 9);
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
    acceptAll();
    flow(1);
    stage.sink.withdraw();
    assertThat(stage.sink.isAvailable()).isTrue();
  }
}
