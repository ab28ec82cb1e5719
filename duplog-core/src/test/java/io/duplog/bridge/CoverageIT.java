package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.config.ConfigLoader;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Redis;
import io.duplog.status.CoverageLook;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two bridges between real brokers and a real Redis tell what a stream misses, and take no late
 * stream for a lossy one. The histories wait for windows to pass, so they pass at once: each has
 * queues of its own, and keys of its own in Redis.
 */
@Execution(ExecutionMode.CONCURRENT)
class CoverageIT extends BridgeBetweenServers {
  private static final Duration WHILE = Duration.ofMinutes(4);
  private static final int SENDERS = 4;
  private static final long LAG_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final AtomicInteger HISTORIES = new AtomicInteger();

  private final String place = "duplog-coverage-" + HISTORIES.incrementAndGet();

  @BeforeEach
  @Override
  void connect() throws Exception {
    streamA = new TestPublisher(brokerA, "a", place);
    streamB = new TestPublisher(brokerB, "b", place);
  }

  private Bridge start(String name, Duration window) throws Exception {
    String yaml =
        """
        name: %s
        streams:
          - {name: a, host: %s, port: %d, user: %s, password: %s, queues: [%s]}
          - {name: b, host: %s, port: %d, user: %s, password: %s, queues: [%s]}
        dedup:
          lease: 10s
          window: %ds
          redis: {host: %s, port: %d, user: %s, password: %s, prefix: "duplog:%s"}
        sink: {type: stdout}
        shutdown-grace: 5s
        """
            .formatted(
                name,
                brokerA.host(),
                brokerA.port(),
                RabbitMq.BRIDGE_USER,
                RabbitMq.BRIDGE_PASSWORD,
                place,
                brokerB.host(),
                brokerB.port(),
                RabbitMq.BRIDGE_USER,
                RabbitMq.BRIDGE_PASSWORD,
                place,
                window.toSeconds(),
                redis.host(),
                redis.port(),
                Redis.USER,
                Redis.PASSWORD,
                place);
    return start(ConfigLoader.of(Map.of(), "host").parse("test.yaml", yaml, BridgeConfig.class));
  }

  private static CoverageLook look(Bridge bridge) throws Exception {
    return CoverageLook.at(bridge.status().document().render(), "1h");
  }

  /** What is due by a clock that runs on while the machine is busy. */
  private interface Due {
    void send(int second) throws Exception;
  }

  private static void everySecond(int seconds, Due due) throws Exception {
    long began = System.nanoTime();
    for (int second = 0; second < seconds; second++) {
      long at = began + TimeUnit.SECONDS.toNanos(second);
      while (at - System.nanoTime() > 0) {
        LockSupport.parkNanos(at - System.nanoTime());
      }
      due.send(second);
    }
  }

  private static List<String> messages(int second, int sender) {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      messages.add("<13>app: message " + i + " of second " + second + " by " + sender);
    }
    return messages;
  }

  /** What a line of the table says that was missed; -1 where there is no such line. */
  private static long missed(String table, String name, long messages) {
    Matcher line =
        Pattern.compile("(?m)^ *" + Pattern.quote(name) + " +([0-9,]+) +([0-9,]+) +[0-9.]+$")
            .matcher(table);
    return line.find() && Long.parseLong(line.group(1).replace(",", "")) >= messages
        ? Long.parseLong(line.group(2).replace(",", ""))
        : -1;
  }

  @Test
  void halfAPercentOfASender_withheldFromB_isFoundWithinAMinuteAfterTheWindow() throws Exception {
    Duration window = Duration.ofSeconds(20);
    Bridge one = start("one", window);
    Bridge two = start("two", window);
    // What comes in periods that begin in the first window of an epoch is not compared.
    everySecond(42, second -> streamA.publishFrom("10.0.0.1", "early " + second));
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

    await().atMost(WHILE).until(() -> missed(look(one).text(), "10.1.2.3", 4_000) >= 0);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - end);

    String table = look(one).text();
    assertThat(missed(table, "10.1.2.3", 4_000)).as(table).isBetween(19L, 21L);
    assertThat(missed(table, "a", 16_000)).as(table).isZero();
    assertThat(missed(table, "b", 16_000)).as(table).isGreaterThanOrEqualTo(19L);
    assertThat(seconds).isLessThan(window.toSeconds() + 60);
    await().atMost(WHILE).until(() -> look(two).text().equals(look(one).text()));
    assertThat(one.status().metrics().scrape())
        .contains("duplog_coverage_missed_total{stream=\"b\"}");
  }

  @Test
  void streamThatIsHalfAMinuteLate_missesNothing() throws Exception {
    Bridge one = start("one", Duration.ofSeconds(45));
    start("two", Duration.ofSeconds(45));
    everySecond(67, second -> {});
    Deque<Integer> late = new ArrayDeque<>();
    Deque<Long> sentAt = new ArrayDeque<>();
    int[] sent = {0};
    everySecond(
        75,
        second -> {
          if (second < 40) {
            streamA.publishFrom("10.1.2.1", messages(second, 1).toArray(String[]::new));
            late.add(second);
            sentAt.add(System.nanoTime());
            sent[0] += 100;
          }
          while (!late.isEmpty() && System.nanoTime() - sentAt.getFirst() >= LAG_NANOS) {
            sentAt.remove();
            streamB.publishFrom("10.1.2.1", messages(late.remove(), 1).toArray(String[]::new));
          }
          assertThat(look(one).text()).doesNotContainPattern("\n[ab] +[0-9,]+ +[1-9]");
        });
    assertThat(late).isEmpty();

    await().atMost(WHILE).until(() -> missed(look(one).text(), "b", sent[0]) >= 0);

    String table = look(one).text();
    assertThat(missed(table, "a", sent[0])).as(table).isZero();
    assertThat(missed(table, "b", sent[0])).as(table).isZero();
    assertThat(look(one).exitStatus()).isZero();
  }
}
