package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.Bridge;
import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.observe.Level;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Redis;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests what {@code duplog check} and {@code duplog doctor} report about real RabbitMQs and a real
 * Redis, in good and in wrong setups.
 */
class CheckupIT extends BridgeBetweenServers {
  @Test
  void check_beforeTheFirstBridge_passes() throws Exception {
    assertThat(check(0, yaml("one", "")))
        .containsPattern(
            "configuration .*\\.yaml ok every key and value can be used compression ok a body can be")
        .contains("broker a %s:%d queue duplog ok".formatted(brokerA.host(), brokerA.port()))
        .contains("ok the queue is as shim and bridge declare it", "ok 0 bridges read the queue")
        .contains("streams and brokers ok each stream has its own queue")
        .contains("Redis %s:%d ok maxmemory-policy is".formatted(redis.host(), redis.port()))
        .contains("ok it accepts the bridges' writes")
        .contains("ok no bridge has used this Redis yet", "sink stdout ok it can be opened")
        .containsPattern("check: problems=0 warnings=0 not-checked=0 ok=\\d+ $");
  }

  @Test
  void check_besideOtherBridges_passes() throws Exception {
    startAgreed();

    assertThat(check(0, yaml("two", "")))
        .contains("ok the bridges agree on the streams a, b (window 600000 ms, layout ")
        .contains("as this file says");
    assertThat(check(0, yaml("one", ""))).contains("ok a running bridge has the name one: if");
    start("one", "");
    await()
        .until(
            () ->
                check(0, yaml("one", "")).contains("WARNING 2 running bridges have the name one"));
  }

  @Test
  void otherWindow_thanBridgesAgreeOn_fails() throws Exception {
    startAgreed();

    String other = yaml("two", "").replace("lease: 10s", "lease: 10s, window: 5m");
    assertThat(check(1, other))
        .contains("PROBLEM the running bridges (one) agree on the streams a, b (window 600000 ms")
        .contains("this file says the streams a, b (window 300000 ms")
        .contains("causes: Redis rejects a bridge with this file: all its messages pass through")
        .contains(
            "change: dedup.window is 300000 ms here, but 600000 ms on the other bridges. Give");
    bridges.remove(0).stop(GRACE);
    assertThat(check(0, other))
        .contains(
            "WARNING no other bridge is running, and the last ones agreed on the streams a, b");
  }

  @Test
  void otherIdentity_thanBridgesAgreeOn_fails_andIsDegraded() throws Exception {
    startAgreed();

    assertThat(check(1, yaml("two", "").replace("lease: 10s", "lease: 10s, identity: message")))
        .contains("this file says the streams a, b (window 600000 ms, identity message, layout")
        .contains("change: dedup.identity is message here, but sender-and-message on the other");
    awaitPart(
        startWith("two", "lease: 10s", "lease: 10s, identity: message"), "redis", Level.DEGRADED);
  }

  @Test
  void differentSharedSettings_degradeBothBridges() throws Exception {
    Bridge one = start("one", "");
    Bridge two = start("two", "coverage: {senders: 20}");
    awaitPart(one, "settings", Level.ATTENTION);
    awaitPart(two, "settings", Level.ATTENTION);
    two.stop(GRACE);
  }

  @Test
  void bridgeOnTheSameQueues_withAnotherRedis_isReported() throws Exception {
    startAgreed();
    startWith("two", "lease: 10s", "lease: 10s, store: memory");
    awaitReaders(streamA, 2);

    assertThat(check(0, yaml("one", "")))
        .contains("WARNING 2 bridges read broker a " + brokerA.host())
        .contains(
            ", but only 1 share this Redis causes: messages that are counted elsewhere, or not at all, are");
  }

  @ParameterizedTest
  @CsvSource({
    "-eval, NOPERM .*'eval'",
    "-evalsha, NOPERM .*'evalsha'",
    "-zadd -hincrby, 'in scripts: hincrby, zadd'",
  })
  void redisUser_withoutWhatScriptsNeed_fails_andLeavesNothingBehind(String less, String why)
      throws Exception {
    redis.cli(("acl setuser " + Redis.USER + " " + less).split(" ", -1));
    try {
      assertThat(check(1, yaml("one", "")))
          .containsPattern(
              "PROBLEM Redis %s:%d does not let user 'duplog' do what a bridge does \\((%s)"
                  .formatted(redis.host(), redis.port(), why))
          .contains("change: copy the user's line from deploy/redis/users.acl to Redis's aclfile");
    } finally {
      redis.cli("acl", "load");
    }
    assertThat(redis.cli("keys", "*")).doesNotContain("permissions");
    assertThat(check(0, yaml("one", "")))
        .contains("ok Redis lets user 'duplog' do all that a bridge does ");
  }

  @Test
  void redis_thatMayEvictWhatHasNoTtl_fails_andDegradesTheBridge() throws Exception {
    Bridge bridge = start("one", "");
    String policy = "maxmemory-policy is allkeys-lru";
    String why = "Redis may evict keys without a TTL";
    redis.cli("config", "set", "maxmemory-policy", "allkeys-lru");
    try {
      assertThat(check(1, yaml("two", "")))
          .contains("Redis %s:%d PROBLEM ".formatted(redis.host(), redis.port()))
          .contains("PROBLEM " + policy + " causes: " + why)
          .contains("change: maxmemory-policy volatile-ttl");
      awaitPart(bridge, "redis", Level.DEGRADED);
      assertThat(bridge.status().health().conditions().toString()).contains(policy + ". " + why);
    } finally {
      redis.cli("config", "set", "maxmemory-policy", "volatile-ttl");
    }
    awaitPart(bridge, "redis", Level.OK);
    check(0, yaml("two", ""));
  }

  @Test
  void redisForgettingTooSoon_isAWarning_andDegradesTheBridgeWhileItHasAnEffect() throws Exception {
    Bridge bridge = start("one", "");
    redis.cli("set", "duplog:forgotten", "0 9999999999999");
    awaitPart(bridge, "redis", Level.DEGRADED);

    String why = "digests disappeared from Redis before their window ended";
    assertThat(bridge.status().health().conditions().toString())
        .contains(why, "no node is at fault");
    assertThat(bridge.status().metrics().scrape()).contains("duplog_store_forgets 1");
    assertThat(check(0, yaml("two", ""))).contains("WARNING " + why, "may be delivered twice");

    redis.cli("set", "duplog:forgotten", "0 1");
    awaitPart(bridge, "redis", Level.OK);
    assertThat(check(0, yaml("two", ""))).doesNotContain(why);
  }

  @Test
  void spare_thatIsTheFirstRedisUnderAnotherName_isRefused_andMakesNoSecondBridge()
      throws Exception {
    String otherName = redis.host().equals("localhost") ? "127.0.0.1" : "localhost";
    String again = redis.asBridge().replace(redis.host(), otherName);
    String spare = "lease: 10s, spare: {timeout: 8s, " + again + "}";
    Bridge bridge = startWith("one", "lease: 10s", spare);
    awaitPart(bridge, "spare", Level.DEGRADED);

    String why =
        "is the server of dedup.redis under another name; configure a Redis on another host";
    assertThat(bridge.status().health().conditions().toString()).contains(why);
    assertThat(redis.cli("zcard", "duplog:leases").strip()).isEqualTo("1");
    assertThat(check(1, yaml("one", "").replace("lease: 10s", spare)))
        .containsPattern("PROBLEM dedup.spare \\(.*\\) is the server of dedup.redis \\(")
        .contains("a running bridge has the name one")
        .doesNotContain("2 bridges");
  }

  @Test
  void mistypedStream_fails_andAddedOrRemovedStreamIsReported() throws Exception {
    startAgreed();

    assertThat(check(1, yaml("two", "").replace("name: b,", "name: bb,")))
        .contains("PROBLEM the running bridges (one) agree on the streams a, b (")
        .contains("this file says the streams a, bb (")
        .contains("Remove bb from this bridge's configuration, or add b to it");
    String three = "  - {name: c, queues: [duplog-c], " + brokerB.asBridge() + "}\ndedup:";
    assertThat(check(0, yaml("two", "").replace("dedup:", three)))
        .contains("WARNING the bridges agree on the streams a, b (")
        .contains("this file adds c");
  }

  @Test
  void missingQueue_isReportedButNotDeclared_andIgnoredSectionIsNamed() throws Exception {
    String mistyped =
        yaml("one", "")
            .replaceFirst("name: b,", "name: b, queues: [duplog.typo],")
            .replace("sink: {type: stdout}", "sink:\n  type: stdout\n  file: {path: /x}");

    assertThat(check(0, mistyped))
        .contains("broker b %s:%d queue duplog.typo ".formatted(brokerB.host(), brokerB.port()))
        .contains(
            "WARNING queue duplog.typo does not exist causes: neither a shim nor a bridge has")
        .contains("; it stays empty until a shim publishes to it change: start them, because the")
        .contains("first one declares it; or compare the shim's broker.queue and virtual-host")
        .containsPattern("WARNING line \\d+: sink.file is ignored, because sink.type is stdout");
    assertThat(brokerB.ctl("list_queues", "name")).doesNotContain("typo");
  }

  @Test
  void oneQueue_underTwoNames_fails() throws Exception {
    assertThat(check(1, withBrokerAUnderBothNames("one")))
        .contains(
            "PROBLEM streams a (" + brokerA.host(), "both read queue duplog of the same broker")
        .contains("change: under streams, set each host to that node's own broker");
    assertThat(brokerA.ctl("list_queues", "name")).doesNotContain(".doctor.");
  }

  @Test
  void exchangedNames_withACorrectBridgeRunning_fail() throws Exception {
    start("one", "");
    for (String stream : List.of("a", "b")) {
      await().until(() -> redis.cli("hget", "duplog:board", stream + " broker").contains("@"));
    }

    assertThat(check(1, withNamesExchanged("two")))
        .contains("PROBLEM broker b " + brokerA.host())
        .contains("is read by another bridge as stream a causes: messages under the wrong name");
  }

  @Test
  void exchangedNames_whileMessagesWait_fail() throws Exception {
    streamA.publish("x");

    assertThat(check(1, withNamesExchanged("two")))
        .contains("PROBLEM a message in broker b ", "queue duplog names stream a causes:");
    assertThat(streamA.channel().messageCount(Topology.DEFAULT_QUEUE)).isOne();
  }

  @Test
  void queuesReportedByAShim_missingInTheFile_degradeAndFail() throws Exception {
    Bridge bridge = start("one", "");
    Heartbeat last =
        new Heartbeat(
            "a",
            "p",
            System.currentTimeMillis(),
            600_000,
            new Heartbeat.Report(0, 0, 4, Heartbeat.Losses.NONE_KNOWN, Heartbeat.Rsyslog.NOT_KNOWN),
            false);
    streamA.publishAs(Heartbeat.CONTENT_TYPE, null, last.encode());
    awaitPart(bridge, "lag a", Level.DEGRADED);

    assertThat(sum(bridge, "duplog_stream_queues_unread{stream=\"a\"}")).isEqualTo(3);
    // The bridge tells Redis so a moment after it knows.
    await()
        .untilAsserted(
            () ->
                assertThat(check(1, yaml("one", "")))
                    .contains(
                        "PROBLEM the shim of a publishes to 4 queues, but this file reads only 1")
                    .contains(
                        "change: set queue-count of a under streams to 4 on every bridge, or"));
    assertThat(doctor(1)).containsPattern("PROBLEM +the shim of a publishes to 4 queues");
    String raised = yaml("one", "").replace("name: a,", "name: a, queue-count: 4,");
    assertThat(check(0, raised)).doesNotContain("the shim of a publishes");
  }

  /** Starts a bridge whose lease is longer than any pause of a busy machine. */
  private void startAgreed() throws Exception {
    startWith("one", "lease: 10s", "lease: 30s");
    await().until(() -> redis.cli("get", "duplog:streams").startsWith("a,b "));
  }

  private static String check(int status, String yaml) throws IOException {
    return Commands.configured(status, yaml, "check").replaceAll("\\s+", " ");
  }

  @Test
  void doctor_ofAHealthyInstallation_hasNoProblem_andCanaryArrivesOnce() throws Exception {
    startAgreed();
    startWith("two", "lease: 10s", "lease: 30s");
    awaitConsumers(2);

    String said = doctor(0, "--canary");

    // Only the time that Redis takes depends on this machine; a healthy one has no other warning.
    int slow = said.contains("  WARNING      a round trip takes ") ? 1 : 0;
    assertThat(said)
        .contains("2 bridges read the queue", "the dead-letter queue exists and is empty")
        .contains("each stream has its own queue", "bridges at Redis " + redis.host())
        .contains("maxmemory-policy is volatile-ttl", "it doesn't show its configuration")
        .contains("canary through a temporary queue: confirmed after")
        .contains("a: judged by a bridge after", "b: judged by a bridge after")
        .contains("the clock of Redis is within 3 s")
        .contains("a round trip takes ")
        .contains("problems=0 warnings=" + slow + " ");
    assertThat(sink.count()).isEqualTo(1);
    assertThat(sink.counts().keySet()).singleElement().asString().contains("duplog canary ");
  }

  @Test
  void doctorWithoutCanary_leavesBrokersAndSinkUntouched() throws Exception {
    start("one", "");
    awaitConsumers(1);

    String said = doctor(0, "--no-canary");

    assertThat(said).contains("only one bridge reads the queue").doesNotContain("canary");
    assertThat(doctor(1, "--strict", "--no-canary", "--rate", "1000000"))
        .contains("but 105286 MiB is needed: 1000000 messages/s");
    assertThat(sink.count()).isZero();
  }

  @Test
  void missingQueue_isReportedButNotDeclared_andQueueDroppingItsOldestIsAProblem()
      throws Exception {
    streamA.channel().queueDelete(Topology.DEFAULT_QUEUE);
    assertThat(doctor(1)).contains("queue duplog does not exist");
    assertThat(brokerA.ctl("list_queues", "name")).doesNotContain(Topology.DEFAULT_QUEUE + "\n");
    streamA
        .channel()
        .queueDeclare(
            Topology.DEFAULT_QUEUE, true, false, false, Map.of("x-queue-type", "classic"));

    assertThat(doctor(1))
        .contains("the queue has other arguments", "x-overflow", "no bridge reads the queue");
  }

  @Test
  void refusedMessages_waitingForRoom_areReported() throws Exception {
    String waiting = Topology.waitingLettersQueue(Topology.DEFAULT_QUEUE);
    streamB.channel().queueDeclare(waiting, true, false, false, Topology.deadLetterArguments());
    assertThat(doctor(1)).doesNotContain(waiting);
    streamB.channel().basicPublish("", waiting, null, new byte[] {'x'});
    streamB.channel().waitForConfirmsOrDie(10_000);

    assertThat(doctor(1).replaceAll("\\s+", " "))
        .containsOnlyOnce("WARNING 1 refused messages wait in " + waiting)
        .contains("a bridge moves them when there is room")
        .contains("purge the dead-letter queue on every node (rabbitmqctl purge_queue)");
  }

  @Test
  void unavailableRedis_isAProblem() throws Exception {
    redis.pause();
    try {
      String yaml = yaml("doctor", "").replace("timeout: 8s, ", "");
      assertThat(Commands.configured(1, yaml, "doctor"))
          .contains(" unavailable (", "pass through undeduplicated");
    } finally {
      redis.unpause();
    }
  }

  @Test
  void brokerWithAnAlarm_takesNoCanary() throws Exception {
    start("one", "");
    awaitConsumers(1);
    brokerA.raiseAlarm();
    try {
      assertThat(doctor(1)).containsPattern("takes nothing\\s+from\\s+publishers"); // wrapped
    } finally {
      brokerA.clearAlarm();
    }
  }

  @Test
  void wrongPassword_isAProblem() throws Exception {
    String wrong = yaml("doctor", "").replaceFirst(RabbitMq.BRIDGE_PASSWORD, "wrong");

    assertThat(Commands.configured(1, wrong, "doctor")).contains("refused user 'duplog-bridge'");
  }

  @Test
  void nothingToCheck_isReported() {
    assertThat(Commands.run(2, null, "doctor").err()).contains("give --config");
    for (String option : List.of("--canary", "--canary-to=h:514", "--rate=9")) {
      assertThat(Commands.run(2, null, "doctor", "--rsyslog=none", option).err())
          .contains("need --config");
    }
    assertThat(Commands.run(2, null, "doctor", "--rsyslog=none").err()).contains("none can't be");
    assertThat(Commands.run(2, null, "doctor", "--no-canary", "--canary").err())
        .contains("--no-canary sends nothing");
  }

  private void awaitConsumers(int wanted) {
    awaitReaders(streamA, wanted);
    awaitReaders(streamB, wanted);
    await().until(() -> redis.cli("zcard", "duplog:leases").strip().equals("" + wanted));
  }

  private static String doctor(int status, String... arguments) throws IOException {
    return Commands.configured(status, yaml("doctor", ""), "doctor", arguments);
  }
}
