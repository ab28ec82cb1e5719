package io.duplog.bridge;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests that two bridges report a sender that sends far more or far less than usual, using real
 * RabbitMQs and a real Redis.
 */
class BridgeVolumesIT extends BridgesWithSenders {
  /** Stores a sender in Redis that sent this on the last days, at most 40 in an hour. */
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
            say("10.1.2.5", "<13>app: message " + ++sent); // a silent sender is not slow
            return sum(bridge, "duplog_senders_slow") == 1;
          });
      assertThat(sum(bridge, "duplog_senders_loud")).isZero();
    }

    say("10.1.2.4", numbered(0, 1_000)); // in one hour, whichever it is by now
    for (Bridge bridge : List.of(one, two)) {
      await().until(() -> sum(bridge, "duplog_senders_loud") == 1);
    }
  }
}
