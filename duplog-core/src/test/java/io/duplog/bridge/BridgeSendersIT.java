package io.duplog.bridge;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.BridgeFactory;
import io.duplog.observe.JsonValue;
import io.duplog.receive.QueueConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Two bridges between real brokers and a real Redis notice who is silent on one path or on both.
 */
class BridgeSendersIT extends BridgeBetweenServers {
  private static final Duration POLL = Duration.ofMillis(500);

  private int sent;

  /** Sends a message of each of two senders by both streams, but of the second one as told. */
  private void send(boolean secondByB) throws Exception {
    String message = "<13>app: message " + ++sent;
    for (TestPublisher stream : new TestPublisher[] {streamA, streamB}) {
      stream.publishFrom("10.1.2.1", message);
      if (stream == streamA || secondByB) {
        stream.publishFrom("10.1.2.2", message);
      }
    }
  }

  /** Sends messages of a sender by both streams. */
  private void say(String sender, String... messages) throws Exception {
    streamA.publishFrom(sender, messages);
    streamB.publishFrom(sender, messages);
  }

  /** Who is silent where, as the state document says once both senders are known. */
  private static List<String> silent(Bridge bridge) throws Exception {
    JsonValue senders = JsonValue.parse(bridge.status().document().render()).at("senders");
    List<String> silent = new ArrayList<>();
    for (JsonValue sender : senders.at("some_silent").list()) {
      for (JsonValue path : sender.at("paths").list()) {
        silent.add(
            sender.at("sender").text()
                + " "
                + path.at("stream").text()
                + " "
                + path.at("state").text());
      }
    }
    return senders.at("known").number() == 3 ? silent : List.of("not all known");
  }

  private void sendUntil(boolean secondByB, Callable<Boolean> over) {
    await()
        .pollInterval(POLL)
        .until(
            () -> {
              send(secondByB);
              return over.call();
            });
  }

  private void sendUntil(Bridge bridge, boolean secondByB, String... silent) {
    sendUntil(
        secondByB,
        () ->
            silent(bridge).equals(List.of(silent))
                && sum(bridge, "duplog_senders_silent") == Math.min(1, silent.length));
  }

  /** Puts a third sender into Redis, who spoke all the time for ten days, until ten minutes ago. */
  private static void rememberGone() {
    long last = System.currentTimeMillis() - Duration.ofMinutes(10).toMillis();
    remember("10.1.2.3", 240, last, "0,0,0");
  }

  /**
   * @param volume text of the sender's volume
   */
  private static void remember(String sender, long hours, long last, String volume) {
    long hour = Duration.ofMillis(last).toHours();
    String always = "o".repeat(7 * 24);
    String record =
        "%d 9,900,0,0,0 %d,%d,9,%s,%d,10,10,10,10,10,10,10 %s 0,0,0,0,0,0 0,0,0,0,0 a %d 9 9 b %d 9 9"
            .formatted(last, hour - hours, hour, always, hour / 24, volume, last, last);
    redis.cli("hset", "duplog:senders", sender, record);
  }

  /** Puts a sender into Redis who sent this on the last days, at most 40 in an hour. */
  private static void rememberVolume(String sender, int thisHour, int lastDay) {
    long now = System.currentTimeMillis();
    List<Long> numbers =
        new ArrayList<>(List.of(Duration.ofMillis(now).toHours(), (long) thisHour, 0L));
    for (int day = 0; day < 24; day++) {
      numbers.add(day == 0 ? thisHour : day <= 2 ? lastDay : 960L);
    }
    for (int day = 0; day < 24; day++) {
      numbers.add(day == 0 ? thisHour : 40L);
    }
    remember(
        sender,
        24 * 24,
        now,
        numbers.stream().map(each -> Long.toString(each, 36)).collect(joining(",")));
  }

  private void awaitGone(Bridge bridge, int number) {
    sendUntil(true, () -> sum(bridge, "duplog_senders_gone") == number);
  }

  @Test
  void senderThatIsWithheldFromB_isSilentThere_andOneWithheldFromBoth_isGone_untilTheyComeAgain()
      throws Exception {
    rememberGone();
    Bridge one = start("one", "");
    Bridge two = start("two", "");
    sendUntil(one, true);
    sendUntil(two, true);

    sendUntil(one, false, "10.1.2.2 a heard", "10.1.2.2 b silent");
    sendUntil(two, false, "10.1.2.2 a heard", "10.1.2.2 b silent");

    sendUntil(one, true);
    sendUntil(two, true);

    awaitGone(one, 1);
    streamA.publishFrom("10.1.2.3", "<13>app: back");
    awaitGone(one, 0);
    awaitGone(two, 0);
  }

  @Test
  void senderThatSendsManyTimesAsMuch_isLoud_andWhoSentHalf_isSlow() throws Exception {
    rememberVolume("10.1.2.4", 1, 960);
    rememberVolume("10.1.2.5", 1, 480);
    Bridge one = start("one", "");
    Bridge two = start("two", "");
    for (Bridge bridge : List.of(one, two)) {
      sendUntil(
          true,
          () -> {
            say("10.1.2.5", "<13>app: message " + ++sent); // who is silent is gone instead
            return sum(bridge, "duplog_senders_slow") == 1;
          });
      assertThat(sum(bridge, "duplog_senders_loud")).isZero();
    }

    say("10.1.2.4", numbered(0, 1_000)); // in one hour, whichever it is by now
    for (Bridge bridge : List.of(one, two)) {
      await().until(() -> sum(bridge, "duplog_senders_loud") == 1);
    }
  }

  @Test
  void bridgeWhoseClockIsBehind_forgetsNothing() throws Exception {
    remember("10.1.2.7", 240, System.currentTimeMillis(), "0,0,0");
    LongSupplier behind = () -> System.currentTimeMillis() - Duration.ofMinutes(10).toMillis();
    BridgeConfig config = config("one", "");
    Bridge one =
        start(
            new Bridge(
                config,
                BridgeFactory.ledger(config),
                sink,
                QueueConsumer.Environment.ofSystem(),
                behind));
    say("10.1.2.7", "<13>app: on");

    await().until(() -> redis.cli("hget", "duplog:senders", "10.1.2.7").contains(" 10,"));
    assertThat(redis.cli("hget", "duplog:senders", "10.1.2.7")).contains("o".repeat(80));
    assertThat(sum(one, "duplog_coverage_clock_ahead_seconds")).isGreaterThan(500);
  }

  @Test
  void messageThatTheSinkRefuses_countsForItsSender() throws Exception {
    start("one", "");
    sink.refuse();
    streamA.publishFrom("10.1.2.6", "<13>app: bad");
    await().until(() -> sink.waiting() == 1);
    sink.refuseForGood("code 6: invalid data format");

    await().until(() -> redis.cli("hget", "duplog:senders", "10.1.2.6").contains(" 1,12,1,12,1 "));
  }
}
