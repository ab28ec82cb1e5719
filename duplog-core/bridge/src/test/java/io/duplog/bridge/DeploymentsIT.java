package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.cli.Commands;
import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that no message is lost if two deployments share a Redis prefix by mistake, or if a bridge
 * can't identify its broker.
 */
class DeploymentsIT extends BridgeBetweenServers {
  private static final int MESSAGES = 300;

  /** Name of all brokers, as brokers in containers of equal host names have it. */
  private static final String NAME = "rabbit@localhost";

  /** Time in which bridges usually reconnect, and write the broker's name to Redis. */
  private static final Duration RECONNECTING = Duration.ofSeconds(15);

  private static RabbitMq otherA;
  private static RabbitMq otherB;

  private final CollectingSink otherSink = new CollectingSink();

  @BeforeAll
  static void startOthers() {
    otherA = RabbitMq.started();
    otherB = RabbitMq.started();
    List.of(brokerA, brokerB, otherA, otherB).forEach(each -> each.ctl("set_cluster_name", NAME));
  }

  @AfterAll
  static void stopOthers() throws Exception {
    List.of(brokerA, brokerB)
        .forEach(each -> each.ctl("set_cluster_name", "rabbit@" + each.port()));
    otherA.close();
    otherB.close();
  }

  private static String otherYaml(String name, String dedup) {
    return yaml(name, "")
        .replace(brokerA.asBridge(), otherA.asBridge())
        .replace(brokerB.asBridge(), otherB.asBridge())
        .replace("dedup: {", "dedup: {" + dedup);
  }

  private static String redisPart(Bridge bridge) {
    return bridge.status().health().conditions().stream()
        .filter(part -> part.subject().equals("redis"))
        .map(Condition::sentence)
        .findFirst()
        .orElseThrow();
  }

  private static String check(int status, String yaml) throws Exception {
    return Commands.configured(status, yaml, "check").replaceAll("\\s+", " ");
  }

  /** Publishes each message to both nodes of both deployments, in an order that differs. */
  private void publishToAll() throws Exception {
    try (TestPublisher c = new TestPublisher(otherA, "a");
        TestPublisher d = new TestPublisher(otherB, "b")) {
      List<TestPublisher> all = List.of(streamA, d, c, streamB);
      Random random = new Random(24);
      for (int i = 0; i < MESSAGES; i++) {
        int first = random.nextInt(4);
        for (int k = 0; k < 4; k++) {
          all.get((first + k) % 4).publish("message " + i);
        }
      }
    }
  }

  /**
   * A broker with an alarm takes no text that would identify it, and must be emptied all the same.
   */
  @Test
  void brokerWithAnAlarm_thatNoBridgeHasRead_isEmptied() throws Exception {
    publish("before the alarm");
    streamA.channel().queueDelete(Topology.identityQueue(Topology.DEFAULT_QUEUE));
    brokerA.raiseAlarm();
    try {
      start("one", "");
      awaitSettled();
    } finally {
      brokerA.clearAlarm();
    }

    assertThat(sink.counts()).containsOnlyKeys("before the alarm");
  }

  /**
   * The other deployment can't be distinguished from production until the alarm is over, so it must
   * not count before.
   */
  @Test
  void otherDeployment_thatBeginsInAnAlarm_costsNoMessage() throws Exception {
    start("production", "");
    awaitReaders(streamA, 1);
    awaitReaders(streamB, 1);
    for (RabbitMq each : List.of(otherA, otherB)) {
      try (TestPublisher any = new TestPublisher(each, "a")) {
        any.channel().queueDelete(Topology.identityQueue(Topology.DEFAULT_QUEUE));
      }
      each.raiseAlarm();
    }
    Bridge trial = start(parsed(otherYaml("trial", "")), otherSink);
    awaitPart(trial, "stream a", Level.DEGRADED);
    awaitPart(trial, "stream b", Level.DEGRADED);
    otherA.clearAlarm();
    otherB.clearAlarm();
    publishToAll();
    await().until(() -> sink.counts().size() == MESSAGES);
    await().until(() -> otherSink.counts().size() == MESSAGES);
  }

  /** Hosted brokers have such limits. A queue must not go unread because of them. */
  @Test
  void brokerThatTakesNoMoreQueues_isRead_andNothingOfItIsCounted() throws Exception {
    Bridge first = start("first", ""); // declares the queues that every bridge needs
    awaitReaders(streamA, 1);
    awaitReaders(streamB, 1);
    first.stop(GRACE);
    publish("before");
    streamA.channel().queueDelete(Topology.identityQueue(Topology.DEFAULT_QUEUE));
    brokerA.ctl("set_vhost_limits", "{\"max-queues\":0}");
    try {
      Bridge one = start("one", "");
      awaitSettled();
      awaitPart(one, "stream a", Level.DEGRADED);
    } finally {
      brokerA.ctl("clear_vhost_limits");
    }

    assertThat(sink.counts()).containsOnlyKeys("before");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mode: observe, "})
  void otherDeployment_withTheSamePrefix_costsNoMessage_andIsSaid(String mode) throws Exception {
    Bridge production = start("production-1", "");
    awaitReaders(streamA, 1);
    awaitReaders(streamB, 1);
    awaitPart(production, "redis", Level.OK);
    await().until(() -> redis.cli("hkeys", "duplog:sources").contains(" b/duplog"));
    String yaml = otherYaml("trial-1", mode);
    assertThat(check(1, yaml)).contains("two deployments share dedup.redis.prefix duplog");

    Bridge trial = start(parsed(yaml), otherSink);
    awaitPart(trial, "redis", Level.DEGRADED);
    publishToAll();

    await().until(() -> sink.counts().size() == MESSAGES);
    await().until(() -> otherSink.counts().size() == MESSAGES);
    awaitSettled();
    assertThat(sink.counts()).containsOnlyKeys(numbered(0, MESSAGES)).values().containsOnly(1);
    assertThat(sink.bypassed()).isZero();
    assertThat(otherSink.counts()).containsOnlyKeys(numbered(0, MESSAGES));
    assertThat(redisPart(trial))
        .contains("bridge production-1 reads", "broker rabbit@localhost ")
        .contains("two deployments share dedup.redis.prefix duplog")
        .contains("Give each deployment its own dedup.redis.prefix");
    assertThat(check(1, yaml)).contains("change: Give each deployment its own dedup.redis.prefix");
    assertThat(check(1, yaml("production-1", "")))
        .contains("PROBLEM Redis rejects bridge trial-1, which reads other brokers");
    awaitPart(production, "settings", Level.ATTENTION);
    trial.stop(GRACE);
    bridges.remove(trial);
  }

  private static boolean isAccepted(Bridge bridge) {
    return bridge.status().health().conditions().stream()
        .anyMatch(each -> each.subject().equals("redis") && each.isOk());
  }

  @Test
  void broker_thatWasRebuilt_isAgreedOnByItself_andNothingIsDuplicated() throws Exception {
    start(parsed(otherYaml("one", "")));
    start(parsed(otherYaml("two", "")));
    try (TestPublisher c = new TestPublisher(otherA, "a");
        TestPublisher d = new TestPublisher(otherB, "b")) {
      awaitReaders(c, 2);
      awaitReaders(d, 2);
      c.publish(numbered(0, 10));
      d.publish(numbered(0, 20));
      await().until(() -> sink.counts().size() == 20);
    }
    String before = redis.cli("hget", "duplog:sources", " a/duplog");

    otherA.stopApp();
    otherA.ctl("reset");
    otherA.startApp();
    otherA.ctl("set_cluster_name", NAME);
    // A bridge that connected before the renaming has another name in mind, and keeps the rest out.
    await()
        .pollInterval(RECONNECTING)
        .until(
            () -> {
              String source = redis.cli("hget", "duplog:sources", " a/duplog");
              boolean agreed =
                  !source.equals(before) && bridges.stream().allMatch(DeploymentsIT::isAccepted);
              if (!agreed) {
                otherA.ctl("close_all_connections", "renamed");
              }
              return agreed;
            });

    try (TestPublisher c = new TestPublisher(otherA, "a");
        TestPublisher d = new TestPublisher(otherB, "b")) {
      awaitReaders(c, 2);
      c.publish(numbered(10, 30));
      d.publish(numbered(20, 30));
      await().until(() -> sink.counts().size() == 30);
    }
    bridges.forEach(bridge -> awaitPart(bridge, "redis", Level.OK));
    assertThat(sink.counts()).containsOnlyKeys(numbered(0, 30)).values().containsOnly(1);
    assertThat(sink.bypassed()).isZero();
  }

  /** A connection has the name that the cluster had when the bridge connected. */
  @Test
  void clusterThatIsRenamed_isRefusedInWordsThatSaySo_untilAllConnectionsWereClosed()
      throws Exception {
    Bridge one = start(parsed(otherYaml("one", "")));
    awaitPart(one, "redis", Level.OK);
    await().until(() -> redis.cli("hkeys", "duplog:sources").contains(" a/duplog"));
    otherA.ctl("set_cluster_name", "rabbit@renamed");
    try {
      Bridge two = start(parsed(otherYaml("two", "")));
      awaitPart(two, "redis", Level.DEGRADED);
      assertThat(redisPart(two))
          .contains("comes from broker rabbit@renamed ", "reads it from rabbit@localhost ")
          .contains("the broker's cluster name has changed, and not all bridges know the new one")
          .contains("run 'rabbitmqctl close_all_connections renamed' on that node")
          .doesNotContain("two deployments share", "Give each deployment");
      assertThat(check(1, otherYaml("two", "")))
          .contains("change: After 'rabbitmqctl set_cluster_name', run");
      awaitPart(one, "settings", Level.ATTENTION);

      otherA.closeConnections("renamed");
      awaitPart(two, "redis", Level.OK);
      awaitPart(one, "redis", Level.OK);
    } finally {
      otherA.ctl("set_cluster_name", NAME);
    }
  }
}
