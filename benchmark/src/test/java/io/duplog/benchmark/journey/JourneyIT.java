package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Sets;
import io.duplog.parts.Redis;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two ingest nodes, one of which confirms transactions to rsyslog and one does not, and two
 * bridges, under load and under faults.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class JourneyIT {
  private static final Duration WHILE = Duration.ofMinutes(3);
  private static final int NOTICEABLE = 500;
  private static final int QUEUES = 4;
  private static final int LAST = Integer.MAX_VALUE;

  private static @TempDir Path directory;
  private static Node nodeA;
  private static Node nodeB;
  private static List<Node> nodes;
  private static Redis redis;
  private static JourneyBridge one;
  private static JourneyBridge two;
  private static List<JourneyBridge> bridges;

  @BeforeAll
  static void start() throws Exception {
    CompletableFuture<Node> a = CompletableFuture.supplyAsync(() -> node("syslog-a"));
    CompletableFuture<Node> b = CompletableFuture.supplyAsync(() -> node("syslog-b"));
    nodeA = a.join();
    nodeB = b.join();
    nodes = List.of(nodeA, nodeB);
    redis = Redis.started();
    nodeA.start(Node.Mode.CONFIRM, Node.WITHOUT_PRIORITY);
    nodeB.start(Node.Mode.TRANSACTIONS, Node.WITHOUT_PRIORITY);
    one = new JourneyBridge(directory, "one", nodes, redis);
    two = new JourneyBridge(directory, "two", nodes, redis);
    bridges = List.of(one, two);
    one.start();
    two.start();
    awaitDeduplication("start");
  }

  private static Node node(String stream) {
    try {
      return Node.withBroker(stream);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    one.close();
    two.close();
    nodes.forEach(Node::close);
    redis.close();
  }

  @AfterEach
  void programs_areStillRunning() throws Exception {
    assertThat(one.isAlive()).as("%s", one.log()).isTrue();
    assertThat(two.isAlive()).as("%s", two.log()).isTrue();
  }

  @Test
  void twoBridges_withoutFault_shareTheStreams_andDeliverExactly() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("healthy", nodes)) {
      awaitDelivered("healthy", 4 * NOTICEABLE);
      sent = traffic.end();
    }

    assertExact("healthy", sent);
    assertThat(Merged.of(List.of(one), "healthy").messages()).isNotEmpty();
    assertThat(Merged.of(List.of(two), "healthy").messages()).isNotEmpty();
  }

  @Test
  void bytes_ofAnyKind_arriveUnchangedAndOnce() throws Exception {
    Multiset<String> sent =
        HashMultiset.create(
            List.of(
                "bytes invalid utf-8 \u00ff\u00fe\u00c3( \u0080",
                "bytes valid utf-8 \u00e2\u0082\u00ac",
                "bytes  two  spaces   and at the end  ",
                "bytes escaped by the sender #011 \\n \\\\ \"",
                "bytes percent %n %s {}",
                "bytes " + "x".repeat(63 * 1024)));
    for (Node node : nodes) {
      node.rsyslog().sendTcp(withPriority(sent));
      // rsyslog itself escapes what controls a terminal, once, before it hands the message on
      node.rsyslog().sendTcp("<13>bytes tab\tbell\u0007end".getBytes(ISO_8859_1));
      node.rsyslog().sendUdp("<13>bytes by udp \u00ff".getBytes(ISO_8859_1));
    }
    sent.add("bytes tab#011bell#007end");
    sent.add("bytes by udp \u00ff");

    assertExact("bytes", sent);
  }

  @Test
  void emptyMessage_sentTwice_arrivesTwice() throws Exception {
    for (Node node : nodes) {
      node.rsyslog().sendTcp("<13>".getBytes(ISO_8859_1), "<13>".getBytes(ISO_8859_1));
    }

    await()
        .atMost(WHILE)
        .until(() -> nodesSettled() && Merged.of(bridges, "").messages().count("") >= 2);
    assertThat(Merged.of(bridges, "").messages().count("")).isEqualTo(2);
  }

  @Test
  void broker_killedUnderLoad_losesNothing() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("broker", nodes)) {
      awaitDelivered("broker", NOTICEABLE);
      nodeA.broker().kill();
      nodeA.broker().start();
      long before = delivered("broker");
      awaitDelivered("broker", before + 2 * NOTICEABLE);
      sent = traffic.end();
    }

    assertExact("broker", sent);
  }

  @Test
  void brokerOfUnconfirmedNode_restartedUnderLoad_losesNothing() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("restart", nodes)) {
      awaitDelivered("restart", NOTICEABLE);
      nodeB.broker().stopApp();
      nodeB.broker().startApp();
      long before = delivered("restart");
      awaitDelivered("restart", before + 2 * NOTICEABLE);
      sent = traffic.end();
    }

    assertExact("restart", sent);
  }

  @Test
  void redis_killedUnderLoad_passesThrough_andDeduplicatesAgain() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("killed", nodes)) {
      awaitDelivered("killed", NOTICEABLE);
      redis.kill();
      long before = delivered("killed");
      awaitDelivered("killed", before + 2 * NOTICEABLE);
      redis.start();
      sent = traffic.end();
    }

    assertNothingLost("killed", sent);
    awaitDeduplication("after-killed");
  }

  @Test
  void redis_pausedUnderLoad_passesThrough_andDeduplicatesAgain() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("paused", nodes)) {
      awaitDelivered("paused", NOTICEABLE);
      redis.pause();
      try {
        long before = delivered("paused");
        awaitDelivered("paused", before + 2 * NOTICEABLE);
      } finally {
        redis.unpause();
      }
      sent = traffic.end();
    }

    assertNothingLost("paused", sent);
    awaitDeduplication("after-paused");
  }

  @Test
  void bridge_terminatedUnderLoad_exitsWith0_andTheOtherGoesOnExactly() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("terminated", nodes)) {
      awaitDelivered("terminated", NOTICEABLE);
      assertThat(one.terminate()).as("%s", one.log()).isZero();
      awaitDelivered("terminated", delivered("terminated") + 2 * NOTICEABLE);
      one.start();
      sent = traffic.end();
    }

    assertExact("terminated", sent);
  }

  @Test
  void bridge_killedUnderLoad_losesNothing() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("dead", nodes)) {
      awaitDelivered("dead", NOTICEABLE);
      two.kill();
      awaitDelivered("dead", delivered("dead") + 2 * NOTICEABLE);
      two.start();
      sent = traffic.end();
    }

    assertNothingLost("dead", sent);
    awaitDeduplication("after-dead");
  }

  @Test
  void shim_killedUnderLoad_losesNothingThatTheOtherNodeHas() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("shim", nodes)) {
      awaitDelivered("shim", NOTICEABLE);
      nodeA.killShim();
      awaitDelivered("shim", delivered("shim") + 2 * NOTICEABLE);
      sent = traffic.endWithout(nodeA);
    }

    await("whole delivery of shim")
        .atMost(WHILE)
        .until(() -> Merged.of(bridges, "shim").lost(sent).isEmpty() && nodesSettled());
    awaitDeduplication("after-shim");
  }

  @Test
  void hostOfBrokerAndBridge_lostUnderLoad_losesNothing() throws Exception {
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("host", nodes)) {
      awaitDelivered("host", NOTICEABLE);
      nodeA.broker().kill();
      one.kill();
      awaitDelivered("host", delivered("host") + 2 * NOTICEABLE);
      sent = traffic.endWithout(nodeA);
    }

    await("delivery by the surviving host")
        .atMost(WHILE)
        .until(() -> Merged.of(bridges, "host").lost(sent).isEmpty() && nodeB.unsettled() == 0);
    nodeA.broker().start();
    one.start();
    awaitDeduplication("after-host");
  }

  /** The last one, since the others are about a node as most are: with one queue. */
  @Test
  @Order(LAST)
  void severalQueues_allCarryMessages_andBothBridgesDeliver_exactly() throws Exception {
    for (JourneyBridge bridge : bridges) {
      bridge.terminate(); // one that has only begun does not listen to that yet, and holds nothing
      bridge.share(QUEUES, List.of("one", "two"));
    }
    nodeA.spread(QUEUES, Node.Mode.CONFIRM);
    nodeB.spread(QUEUES, Node.Mode.TRANSACTIONS);
    Multiset<String> sent;
    try (Traffic traffic = Traffic.begin("queues", nodes)) {
      for (Node node : nodes) {
        await("a batch in each queue of " + node.stream())
            .atMost(WHILE)
            .ignoreExceptionsInstanceOf(IOException.class) // the shim has to declare them first
            .until(node::holdsBatchesInEachQueue);
      }
      one.start();
      two.start();
      awaitDelivered("queues", List.of(one), NOTICEABLE);
      awaitDelivered("queues", List.of(two), NOTICEABLE);
      sent = traffic.end();
    }

    assertExact("queues", sent);
  }

  private static byte[][] withPriority(Multiset<String> messages) {
    return messages.stream().map(m -> ("<13>" + m).getBytes(ISO_8859_1)).toArray(byte[][]::new);
  }

  private static long delivered(String tag) throws IOException {
    return Merged.of(bridges, tag).messages().size();
  }

  private static void awaitDelivered(String tag, long messages) {
    awaitDelivered(tag, bridges, messages);
  }

  private static void awaitDelivered(String tag, List<JourneyBridge> by, long messages) {
    await("delivery of " + messages + " messages of " + tag)
        .atMost(WHILE)
        .until(() -> Merged.of(by, tag).messages().size() >= messages);
  }

  private static boolean nodesSettled() {
    return nodes.stream().allMatch(node -> node.unsettled() == 0);
  }

  private static void assertNothingLost(String tag, Multiset<String> sent) throws Exception {
    await("whole delivery of " + tag)
        .atMost(WHILE)
        .until(() -> Merged.of(bridges, tag).lost(sent).isEmpty() && nodesSettled());
    Multiset<String> surplus = Merged.of(bridges, tag).surplus(sent);
    assertThat(Sets.difference(surplus.elementSet(), sent.elementSet())).isEmpty();
  }

  private static void assertExact(String tag, Multiset<String> sent) throws Exception {
    assertNothingLost(tag, sent);
    assertThat(Merged.of(bridges, tag).surplus(sent)).as("%s%s", one.log(), two.log()).isEmpty();
  }

  /** Until a fresh message of both streams arrives once. */
  private static void awaitDeduplication(String tag) {
    int[] round = {0};
    await("deduplication " + tag)
        .atMost(WHILE)
        .until(
            () -> {
              String fresh = tag + " " + round[0]++ + ".";
              for (Node node : nodes) {
                node.rsyslog().sendTcp(("<13>" + fresh).getBytes(ISO_8859_1));
              }
              await()
                  .atMost(WHILE)
                  .until(() -> Merged.of(bridges, fresh).messages().size() > 0 && nodesSettled());
              return Merged.of(bridges, fresh).messages().size() == 1;
            });
  }
}
