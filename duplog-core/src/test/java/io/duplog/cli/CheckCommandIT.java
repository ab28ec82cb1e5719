package io.duplog.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.bridge.BridgeBetweenServers;
import io.duplog.parts.Redis;
import io.duplog.wire.Topology;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What check sees of real brokers and a real Redis before a bridge does. */
class CheckCommandIT extends BridgeBetweenServers {
  @Test
  void soundConfiguration_beforeTheFirstBridge_passes() throws Exception {
    assertThat(check(0, yaml("one", "")))
        .contains("ok      redis %s:%d\n".formatted(redis.host(), redis.port()))
        .contains("ok      each stream has a queue of its own\n")
        .contains("ok      no bridge has agreed on anything yet")
        .doesNotContain("warning", "failed");
  }

  @Test
  void soundConfiguration_besideOtherBridges_passes() throws Exception {
    startAgreed();

    assertThat(check(0, yaml("two", "")))
        .contains("ok      the bridges agree on the streams a, b (window 600000 ms, layout ")
        .contains("as this file says");
    assertThat(check(0, yaml("one", ""))).contains("ok      a bridge of the name one lives: if");
    start("one", "");
    await().until(() -> check(0, yaml("one", "")).contains("warning 2 bridges of the name one"));
  }

  @Test
  void otherWindow_thanBridgesAgreeOn_fails() throws Exception {
    startAgreed();

    String other = yaml("two", "").replace("lease: 2s", "lease: 2s, window: 5m");
    assertThat(check(1, other))
        .contains("failed  the bridges that live (one) agree on the streams a, b (window 600000 ms")
        .contains("this file says the streams a, b (window 300000 ms")
        .contains("Redis refuses a bridge with this file: all that it reads passes through")
        .contains("change: other bridges work with");
    bridges.remove(0).stop(GRACE);
    assertThat(check(0, other))
        .contains("warning no other bridge lives, and the last ones agreed on the streams a, b");
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
              "failed  Redis %s:%d does not let user 'duplog' do what a bridge does \\((%s)"
                  .formatted(redis.host(), redis.port(), why))
          .contains("change: the user's line in Redis's aclfile as deploy/redis/users.acl has it");
    } finally {
      redis.cli("acl", "load");
    }
    assertThat(redis.cli("keys", "*")).doesNotContain("permissions");
    assertThat(check(0, yaml("one", "")))
        .contains("ok      Redis lets user 'duplog' do all that a bridge does\n");
  }

  @Test
  void mistypedStream_fails_andOneMoreOrLessIsSaid() throws Exception {
    startAgreed();

    assertThat(check(1, yaml("two", "").replace("name: b,", "name: bb,")))
        .contains("failed  the bridges that live (one) agree on the streams a, b (")
        .contains("this file says the streams a, bb (")
        .contains("take bb out of this bridge's configuration, or add b to it");
    String three = "  - {name: c, queues: [duplog-c], " + brokerB.asBridge() + "}\ndedup:";
    assertThat(check(0, yaml("two", "").replace("dedup:", three)))
        .contains("warning the bridges agree on the streams a, b (")
        .contains("this file adds c");
  }

  @Test
  void missingQueue_isSaid_andNotDeclared_andSectionThatIsNotReadIsNamed() throws Exception {
    String mistyped =
        yaml("one", "")
            .replaceFirst("name: b,", "name: b, queues: [duplog.typo],")
            .replace("sink: {type: stdout}", "sink:\n  type: stdout\n  file: {path: /x}");

    assertThat(check(0, mistyped))
        .contains("warning broker b " + brokerB.host())
        .contains(" queue duplog.typo is not there: a bridge declares it, and nothing comes")
        .containsPattern("warning line \\d+: sink.file is not read, since sink.type is stdout");
    assertThat(brokerB.ctl("list_queues", "name")).doesNotContain("typo");
  }

  @Test
  void oneQueue_underTwoNames_fails() throws Exception {
    assertThat(check(1, withBrokerAUnderBothNames("one")))
        .contains("failed  streams a (" + brokerA.host())
        .contains("are one queue, duplog of one broker")
        .contains("change: streams: the host of each node's own broker");
    assertThat(brokerA.ctl("list_queues", "name")).doesNotContain(".doctor.");
  }

  @Test
  void exchangedNames_besideABridgeThatHasThemRight_fail() throws Exception {
    start("one", "");
    await().until(() -> redis.cli("hget", "duplog:board", "b broker").contains("@"));

    assertThat(check(1, withNamesExchanged("two")))
        .contains("failed  broker b " + brokerA.host())
        .contains("is what another bridge reads as a: what comes under the wrong name");
  }

  @Test
  void exchangedNames_whileMessagesWait_fail() throws Exception {
    streamA.publish("x");

    assertThat(check(1, withNamesExchanged("two")))
        .contains("queue duplog says that it is of a: what comes");
    assertThat(streamA.channel().messageCount(Topology.DEFAULT_QUEUE)).isOne();
  }

  private void startAgreed() throws Exception {
    start("one", "");
    await().until(() -> redis.cli("get", "duplog:streams").startsWith("a,b "));
  }

  private static String check(int status, String yaml) throws IOException {
    return Commands.configured(status, yaml, "check");
  }
}
