package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.config.ConfigLoader;
import io.duplog.status.CoverageLook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Two bridges between real brokers and a real Redis tell what a stream misses, and take no late
 * stream for a lossy one.
 */
class CoverageIT extends BridgeBetweenServers {
  private static final Duration WHILE = Duration.ofMinutes(4);
  private static final int SENDERS = 4;

  private Bridge start(String name, Duration window) throws Exception {
    BridgeConfig config =
        ConfigLoader.of(Map.of(), "host")
            .parse(
                "test.yaml",
                yaml(name, "status: {listen: \"\"}")
                    .replace("lease: 2s", "lease: 2s, window: " + window.toSeconds() + "s"),
                BridgeConfig.class);
    Bridge bridge = new Bridge(config, Settings.ledger(config), sink);
    bridges.add(bridge);
    bridge.start();
    return bridge;
  }

  private static CoverageLook look(Bridge bridge) throws Exception {
    return CoverageLook.at(bridge.status().document().render(), "1h");
  }

  /** A second's messages of every sender, to each stream; which ones are withheld is up to it. */
  private interface Second {
    void send(int second) throws Exception;
  }

  private static void everySecond(int seconds, Second work) throws Exception {
    long next = System.nanoTime();
    for (int second = 0; second < seconds; second++) {
      work.send(second);
      next += TimeUnit.SECONDS.toNanos(1);
      while (next - System.nanoTime() > 0) {
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
  }

  private static List<String> messages(int second, int sender) {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      messages.add("<13>app: message " + i + " of second " + second + " by " + sender);
    }
    return messages;
  }

  @Test
  void halfAPercentOfASender_withheldFromB_isFoundWithinAMinuteAfterTheWindow() throws Exception {
    Duration window = Duration.ofSeconds(10);
    Bridge one = start("one", window);
    Bridge two = start("two", window);
    // What comes in the first window of an epoch is not compared.
    everySecond(15, second -> streamA.publishFrom("10.0.0.1", "early " + second));
    int[] withheld = {0};
    everySecond(
        40,
        second -> {
          for (int sender = 1; sender <= SENDERS; sender++) {
            List<String> all = messages(second, sender);
            streamA.publishFrom("10.1.2." + sender, all.toArray(String[]::new));
            if (sender == 3 && second % 2 == 0) {
              all.remove(second % all.size());
              withheld[0]++;
            }
            streamB.publishFrom("10.1.2." + sender, all.toArray(String[]::new));
          }
        });
    long end = System.nanoTime();
    assertThat(withheld[0]).isEqualTo(20);

    await()
        .atMost(WHILE)
        .until(() -> look(one).text().matches("(?s).*\n  10\\.1\\.2\\.3 +4,000 +20 +0\\.50\n.*"));
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - end);

    assertThat(seconds).isLessThan(window.toSeconds() + 60);
    assertThat(look(one).text())
        .containsPattern("\na +1[67],[0-9]{3} +0 +0\\.00\n")
        .containsPattern("\nb +1[67],[0-9]{3} +2[0-9] ");
    await().atMost(WHILE).until(() -> look(two).text().equals(look(one).text()));
    assertThat(one.status().metrics().scrape())
        .contains("duplog_coverage_missed_total{stream=\"b\"}");
  }

  @Test
  void streamThatIsHalfAMinuteLate_missesNothing() throws Exception {
    Duration window = Duration.ofSeconds(40);
    Bridge one = start("one", window);
    start("two", window);
    everySecond(45, second -> {});
    everySecond(
        45 + 30,
        second -> {
          if (second < 45) {
            streamA.publishFrom("10.1.2.1", messages(second, 1).toArray(String[]::new));
          }
          if (second >= 30) {
            streamB.publishFrom("10.1.2.1", messages(second - 30, 1).toArray(String[]::new));
          }
          assertThat(look(one).text()).doesNotContainPattern("\n[ab] +[0-9,]+ +[1-9]");
        });

    await().atMost(WHILE).until(() -> look(one).text().contains(" 4,500 "));

    assertThat(look(one).text())
        .containsPattern("\na +4,500 +0 +0\\.00\n")
        .containsPattern("\nb +4,500 +0 +0\\.00\n")
        .doesNotContain("incomplete");
    assertThat(look(one).exitStatus()).isZero();
  }
}
