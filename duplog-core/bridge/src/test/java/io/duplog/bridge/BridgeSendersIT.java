package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.LedgerFactory;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import io.duplog.observe.JsonValue;
import io.duplog.receive.QueueConsumer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Tests that two bridges report a sender that is silent on one path or on both, using real
 * RabbitMQs and a real Redis.
 */
class BridgeSendersIT extends BridgesWithSenders {

  /** Returns who is silent where, as the state document says once both senders are known. */
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

  private void sendUntil(Bridge bridge, boolean secondByB, String... silent) {
    sendUntil(
        secondByB,
        () ->
            silent(bridge).equals(List.of(silent))
                && sum(bridge, "duplog_senders_silent") == Math.min(1, silent.length));
  }

  /** Stores a third sender in Redis, which was active for ten days, until ten minutes ago. */
  private static void rememberGone() {
    long last = System.currentTimeMillis() - Duration.ofMinutes(10).toMillis();
    remember("10.1.2.3", 240, last, "0,0,0");
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
  void bridgeWhoseClockIsBehind_forgetsNothing() throws Exception {
    remember("10.1.2.7", 240, System.currentTimeMillis(), "0,0,0");
    LongSupplier behind = () -> System.currentTimeMillis() - Duration.ofMinutes(10).toMillis();
    Conditions board = new Conditions(System::nanoTime, behind);
    BridgeConfig config = config("one", "");
    Bridge one =
        start(
            new Bridge(
                config,
                LedgerFactory.ledgers(config, board),
                Sinks.of(config.sinkNames(), sink),
                QueueConsumer.Environment.ofSystem(board)));
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
