package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.config.ConfigLoader;
import io.duplog.dedup.RedisInspection;
import io.duplog.parts.ClusteredRedis;
import io.duplog.wire.Partition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two bridges under load while a cluster loses a master, and gives a part to another one. */
class ClusterIT extends BridgeBetweenServers {
  private static final Logger log = LoggerFactory.getLogger(ClusterIT.class);
  private static final int PARTS = 4;
  private static final int MESSAGES = 40;

  /** Rounds of a phase in which nothing may come twice. */
  private static final int PHASE = 10;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static ClusteredRedis clustered;

  private final Partition partition = new Partition(false, PARTS);
  private SpreadPublisher a;
  private SpreadPublisher b;
  private int published;

  @BeforeAll
  static void startCluster() {
    clustered = ClusteredRedis.started();
  }

  @AfterAll
  static void stopCluster() {
    clustered.close();
  }

  @BeforeEach
  void spread() throws Exception {
    a = new SpreadPublisher(brokerA, "a", PARTS);
    b = new SpreadPublisher(brokerB, "b", PARTS);
  }

  @AfterEach
  void stopSpreading() throws Exception {
    bridges.forEach(bridge -> bridge.stop(GRACE));
    bridges.clear();
    a.close();
    b.close();
  }

  private BridgeConfig clusteredConfig(String name) throws Exception {
    String text =
        yaml(name, "")
            .replace("{name: a,", "{name: a, queue-count: %d,".formatted(PARTS))
            .replace("{name: b,", "{name: b, queue-count: %d,".formatted(PARTS))
            .replace("lease: 2s", "lease: 10s")
            .replace(
                "redis: {host: %s, port: %d,".formatted(redis.host(), redis.port()),
                "redis: {timeout: 2s, cluster: {addresses: %s},".formatted(clustered.addresses()));
    return ConfigLoader.of(Map.of(), "host").parse("test.yaml", text, BridgeConfig.class);
  }

  @Test
  void lostMaster_andPartThatMoves_underLoad_loseNothing_andDisturbNoOtherPart() throws Exception {
    BridgeConfig config = clusteredConfig("one");
    start(config);
    start(clusteredConfig("two"));
    publishUntilNothingComesTwice();
    List<Integer> slots = slots(config);
    List<String> before = epochs(slots);

    int lost = clustered.masterOf(slots.get(0));
    List<Integer> masters = slots.stream().map(clustered::masterOf).toList();
    int from = published;
    clustered.kill(lost);
    publishUntil(() -> masterOrNone(slots.get(0)) != lost && masterOrNone(slots.get(0)) != 0);
    publishUntilNothingComesTwice();
    int during = duplicates(from, published, part -> masters.get(part) == lost);
    int elsewhere = duplicates(from, published, part -> masters.get(part) != lost);
    log.info("a lost master: {} duplicates in its parts, {} in others", during, elsewhere);
    List<String> after = epochs(slots);
    assertThat(elsewhere).isZero();
    for (int part = 0; part < PARTS; part++) {
      assertThat(after.get(part).equals(before.get(part)))
          .as("part %d has the same epoch", part)
          .isEqualTo(masters.get(part) != lost);
    }

    int moving = masters.indexOf(masters.stream().filter(each -> each != lost).findFirst().get());
    from = published;
    clustered.move(slots.get(moving), () -> publishOrFail(2));
    publishUntilNothingComesTwice();
    during = duplicates(from, published, part -> part == moving);
    elsewhere = duplicates(from, published, part -> part != moving);
    log.info("a part that moves: {} duplicates in it, {} in others", during, elsewhere);
    assertThat(clustered.masterOf(slots.get(moving))).isNotEqualTo(masters.get(moving));
    assertThat(during).isPositive();
    assertThat(elsewhere).isZero();
    assertThat(epochs(slots).get(moving)).isNotEqualTo(after.get(moving));

    assertNothingIsLost();
    try (RedisInspection inspection = new RedisInspection(Settings.redisSettings(config))) {
      assertThat(inspection.cluster().homeless()).isEmpty();
    }
  }

  /** Of each part's keys. */
  private static List<Integer> slots(BridgeConfig config) {
    return Settings.redisLedgers(config, Settings.redisSettings(config)).stream()
        .map(
            part -> {
              String name = part.name();
              part.close();
              return slotOf(name.substring(name.indexOf('{') + 1, name.indexOf('}')));
            })
        .toList();
  }

  private static int slotOf(String tag) {
    int anyPort = clustered.masterOf(0);
    return Integer.parseInt(clustered.cli(anyPort, "cluster", "keyslot", tag));
  }

  /** The epoch of each part; empty where there is none. */
  private static List<String> epochs(List<Integer> slots) {
    return slots.stream()
        .map(
            slot -> {
              int port = clustered.masterOf(slot);
              List<String> keys = clustered.keys(port, slot);
              assertThat(keys).noneMatch(key -> key.endsWith(":")); // the bare prefix
              return keys.stream()
                  .filter(key -> key.endsWith(":lineage"))
                  .map(key -> clustered.cli(port, "get", key))
                  .findFirst()
                  .orElse("");
            })
        .toList();
  }

  private static int masterOrNone(int slot) {
    try {
      return clustered.masterOf(slot);
    } catch (IllegalStateException e) {
      return 0;
    }
  }

  private void publish(int rounds) throws Exception {
    for (int i = 0; i < rounds; i++) {
      String[] messages = messages(published++);
      a.publish(MESSAGES, messages);
      b.publish(MESSAGES, messages);
    }
  }

  private void publishOrFail(int rounds) {
    try {
      publish(rounds);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void publishUntil(Callable<Boolean> over) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              publish(2);
              return over.call();
            });
  }

  private void publishUntilNothingComesTwice() {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              int from = published;
              publish(PHASE);
              await().atMost(PATIENCE).until(() -> a.isSettled() && b.isSettled());
              return duplicates(from, published, part -> true) == 0;
            });
  }

  /** What a sender logs once each; and one message that it logs twice, with the round before. */
  private static String[] messages(int round) {
    return IntStream.range(0, MESSAGES)
        .mapToObj(i -> i == 0 ? "twice " + round / 2 : "message %d of %d".formatted(i, round))
        .toArray(String[]::new);
  }

  private static int logged(String message) {
    return message.startsWith("twice") ? 2 : 1;
  }

  private int partOf(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
    return partition.of(bytes, 0, bytes.length);
  }

  private int duplicates(int fromRound, int toRound, IntPredicate inParts) {
    Map<String, Integer> counts = sink.counts();
    return IntStream.range(fromRound, toRound)
        .mapToObj(ClusterIT::messages)
        .flatMap(Arrays::stream)
        .distinct()
        .filter(message -> inParts.test(partOf(message)))
        .mapToInt(message -> Math.max(0, counts.getOrDefault(message, 0) - logged(message)))
        .sum();
  }

  private void assertNothingIsLost() {
    Map<String, Integer> counts = sink.counts();
    for (int round = 0; round < published; round++) {
      for (String message : messages(round)) {
        if (round < published - 1 || !message.startsWith("twice")) {
          assertThat(counts.getOrDefault(message, 0))
              .as(message)
              .isBetween(logged(message), 2 * logged(message));
        }
      }
    }
  }
}
