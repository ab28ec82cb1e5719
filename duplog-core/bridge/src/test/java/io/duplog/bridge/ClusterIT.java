package io.duplog.bridge;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.dedup.redis.RedisInspection;
import io.duplog.wire.MessageForm;
import io.duplog.wire.Partition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that bridges lose no message while their Redis Cluster loses a master, or is changed by the
 * commands of {@code docs/scaling.md}.
 */
class ClusterIT extends BridgeBetweenServers {
  /** Number of parts; with six, parts have the slots that the page names. */
  private static final int PARTS = 6;

  private static final int MESSAGES = 40;

  private static @AutoClose ClusteredRedis clustered;
  private static String tls = "";

  private final Partition partition = new Partition(MessageForm.TEXT, PARTS);
  private SteadyLoad load;

  /** Prefix of each part's keys, which are in the part's slot. */
  private List<String> prefixes = List.of();

  private List<Integer> slots = List.of();

  /** The master that has each part, and the part's epoch there. */
  private List<Integer> masters = List.of();

  private List<String> epochs = List.of();

  /** Does something to the cluster. */
  @FunctionalInterface
  private interface Incident {
    void happen() throws Exception;
  }

  @BeforeAll
  static void startCluster() {
    clustered = ClusteredRedis.started();
    tls = clustered.tls();
  }

  @BeforeEach
  void spread() throws Exception {
    load = new SteadyLoad(brokerA, brokerB, PARTS, MESSAGES, sink);
  }

  @AfterEach
  void stopSpreading() throws Exception {
    bridges.forEach(bridge -> bridge.stop(GRACE));
    bridges.clear();
    load.close();
  }

  private BridgeConfig clusteredConfig(String name) throws Exception {
    String text =
        yaml(name, "")
            .replace("{name: a,", "{name: a, queue-count: %d,".formatted(PARTS))
            .replace("{name: b,", "{name: b, queue-count: %d,".formatted(PARTS))
            .replace("lease: 10s", "lease: 60s")
            .replace(
                "redis: {timeout: 8s, host: %s, port: %d,".formatted(redis.host(), redis.port()),
                "redis: {timeout: 20s, tls: %s, cluster: {addresses: %s},"
                    .formatted(tls, clustered.addresses()));
    return parsed(text);
  }

  @Test
  void whateverIsDoneToTheCluster_underLoad_losesNothing_andDisturbsNoOtherPart() throws Exception {
    BridgeConfig config = clusteredConfig("one");
    prefixes = config.redis().prefixes();
    slots = answers("cluster keyslot %s").stream().map(Integer::valueOf).toList();
    start(config);
    start(clusteredConfig("two"));
    load.assertNothingComesTwice(() -> answers("get %s:lineage"));
    look();

    loseMaster();
    // Before any slot is where the page does not expect it; the part is as the page says.
    assertThat(after("a part that moves", () -> underLoad(() -> clustered.follow("reshard"))))
        .containsExactly(4);
    breakOffMove();
    Incident addition =
        () -> {
          underLoad(clustered::addMaster);
          underLoad(() -> clustered.move("rebalance"));
        };
    assertThat(after("a new master", addition)).isNotEmpty();
    assertThat(after("a master that leaves", () -> underLoad(clustered::removeAddedMaster)))
        .isNotEmpty();

    load.assertNothingIsLost();
    try (RedisInspection inspection = new RedisInspection(config.redis())) {
      assertThat(inspection.cluster().homeless()).isEmpty();
    }
  }

  /**
   * Kills a master, which comes back when another one has its place, as where systemd starts it
   * again.
   */
  private void loseMaster() throws Exception {
    int lost = masters.get(2); // not node 1, nor 3: the page's commands name these
    Set<Integer> parts = parts(part -> masters.get(part) == lost);
    Incident loss =
        () -> {
          clustered.kill(lost);
          load.publishUntil(() -> !Set.of(0, lost).contains(clustered.mastersOf(slots).get(2)));
        };
    assertThat(after("a lost master", loss)).isEqualTo(parts);
    Incident comeback =
        () -> {
          clustered.startAgain(lost);
          clustered.awaitReady();
        };
    assertThat(after("a master that comes back", comeback)).isEmpty();
  }

  /** Leaves half of a part's keys on a new server, so that nobody counts at either. */
  private void breakOffMove() throws Exception {
    int part = 1; // the page's example
    Incident breakage =
        () -> {
          clustered.moveHalfWay(slots.get(part));
          List<String> keys = clustered.keys(slots.get(part));
          assertThat(keys).noneMatch(key -> key.endsWith(prefixes.get(part) + ":"));
          int bypassed = sink.bypassed();
          load.publishUntil(() -> sink.bypassed() > bypassed + MESSAGES);
          assertThat(clustered.keys(slots.get(part))).isEqualTo(keys);
          underLoad(clustered::finishMoves);
        };
    assertThat(after("a part whose move was broken off", breakage)).containsExactly(part);
  }

  /**
   * Has something happen, which must disturb only the parts that get another master, and returns
   * those.
   */
  private Set<Integer> after(String what, Incident incident) throws Exception {
    List<Integer> mastersBefore = masters;
    List<String> epochsBefore = epochs;
    int from = load.published();
    incident.happen();
    load.assertNothingComesTwice(() -> answers("get %s:lineage"));
    look();
    Set<Integer> moved = parts(part -> !masters.get(part).equals(mastersBefore.get(part)));
    assertThat(load.duplicates(from, message -> !moved.contains(partOf(message))))
        .as(what)
        .isZero();
    assertThat(parts(part -> !epochs.get(part).equals(epochsBefore.get(part))))
        .as("%s: %s, and before %s", what, epochs, epochsBefore)
        .isEqualTo(moved);
    return moved;
  }

  private void underLoad(Runnable command) throws Exception {
    CompletableFuture<Void> commanded = CompletableFuture.runAsync(command);
    load.publishUntil(commanded::isDone);
    commanded.get();
  }

  private void look() {
    masters = clustered.mastersOf(slots);
    epochs = answers("get %s:lineage");
  }

  private static Set<Integer> parts(IntPredicate which) {
    return IntStream.range(0, PARTS).filter(which).boxed().collect(toSet());
  }

  /** Returns the answers to a command for each part. */
  private List<String> answers(String command) {
    return clustered.answers(prefixes.stream().map(command::formatted).toList());
  }

  private int partOf(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
    return partition.of(bytes, 0, bytes.length);
  }
}
