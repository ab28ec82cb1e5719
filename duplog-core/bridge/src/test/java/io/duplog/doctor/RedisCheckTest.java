package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.base.Splitter.MapSplitter;
import io.duplog.dedup.redis.RedisClusterFacts;
import io.duplog.dedup.redis.RedisClusterFacts.Master;
import io.duplog.dedup.redis.RedisClusterFacts.Node;
import io.duplog.dedup.redis.RedisConfig;
import io.duplog.dedup.redis.RedisFacts;
import io.duplog.dedup.redis.RedisSentinelFacts;
import io.duplog.dedup.redis.RedisStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests which settings of a Redis, of its sentinels or of a cluster the doctor reports as problems.
 */
class RedisCheckTest {
  private static final RedisStore STORE =
      new RedisStore(
          new RedisConfig(
              "redis", 6379, null, null, 0, "duplog", Duration.ofMillis(500), null, null, null),
          1,
          1);

  private static final MapSplitter WORDS =
      Splitter.on(' ').omitEmptyStrings().withKeyValueSeparator('=');

  private static final Map<String, String> WELL =
      WORDS.split(
          "version=7.0.15 role=master policy=volatile-ttl memory=1073741824 evicted=0 appendonly=no"
              + " save= typical=1 slowest=2 rate=0");

  private static final RedisSentinelFacts SENTINEL = sentinel(null, "r1:6379", false, 1, 2, 2);
  private static final RedisSentinelFacts SILENT = sentinel("refused", "r1:6379", false, 1, 2, 2);

  private static final Node NODE = new Node("r1:6379", "ok", null);
  private static final Master FIRST = master("r1:6379", List.of(0), 1);
  private static final Master SECOND = master("r2:6379", List.of(1), 1);
  private static final Master THIRD = master("r3:6379", List.of(), 0);

  /**
   * @param changes facts that differ from a server with a good configuration; the value of save may
   *     be unknown
   */
  private static List<String> told(String changes) {
    return told(changes, false);
  }

  private static List<String> told(String changes, boolean beforeStart) {
    Map<String, String> facts = new HashMap<>(WELL);
    facts.putAll(WORDS.split(changes));
    RedisFacts looked =
        new RedisFacts(
            facts.get("version"),
            facts.get("role"),
            new RedisFacts.Memory(
                facts.get("policy"), number(facts, "memory"), 1 << 20, number(facts, "evicted")),
            facts.get("appendonly").equals("yes"),
            facts.get("save").equals("unknown") ? null : facts.get("save"),
            Duration.ZERO,
            Duration.ofMillis(number(facts, "typical")),
            Duration.ofMillis(number(facts, "slowest")));
    RedisCheck check =
        new RedisCheck(
            STORE,
            Duration.ofMinutes(10),
            number(facts, "rate"),
            beforeStart,
            new ClockCheck(),
            new RedisCheck.Part("Redis", "dedup.redis", RedisCheck.PASSES_THROUGH));
    return Told.by(findings -> check.judge(looked, check.rate(), findings));
  }

  private static long number(Map<String, String> facts, String name) {
    return Long.parseLong(facts.get(name));
  }

  @Test
  void wellSetUp_hasNothingToSay() {
    assertThat(told(""))
        .allMatch(line -> line.startsWith("OK"))
        .anyMatch(line -> line.contains("enough for 9725 messages/s over the window of 600 s"));
    assertThat(told("rate=9000")).hasSameSizeAs(told("")).allMatch(line -> line.startsWith("OK"));
  }

  /** A bridge starts on such a Redis, so a check before its start does not fail. */
  @Test
  void beforeStart_onlyWhatABridgeCantUse_isTold() {
    assertThat(told("version=5.0.14 memory=0 save=3600 typical=20 slowest=300", true))
        .singleElement()
        .asString()
        .startsWith("OK | maxmemory-policy is volatile-ttl");
    assertThat(told("policy=allkeys-lru role=slave", true))
        .hasSize(2)
        .allMatch(line -> line.startsWith("PROBLEM"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          policy=allkeys-lru; PROBLEM; settle too early
          policy=allkeys-lru; PROBLEM; | maxmemory-policy volatile-ttl
          policy=noeviction; WARNING; rejects every write
          policy=volatile-lru; WARNING; recent digests before old ones
          rate=20000; WARNING; but 2106 MiB is needed: 20000 messages/s are remembered for 600 s
          memory=0 rate=20000; WARNING; | maxmemory 2633 MiB
          memory=0; WARNING; --rate
          version=5.0.14; PROBLEM; Redis is 5.0.14
          role=slave; PROBLEM; accepts no writes
          save=3600; WARNING; Redis persists (save 3600)
          appendonly=yes; WARNING; Redis persists (append-only file)
          save=unknown; NOT_CHECKED; whether Redis writes snapshots
          evicted=17; WARNING; 17 keys were evicted
          typical=20 slowest=40; WARNING; limits throughput
          typical=20 slowest=300; WARNING; calls time out
          """)
  void oneThingThatIsNotWell_isTold(String changes, String severity, String what) {
    assertThat(told(changes))
        .filteredOn(line -> !line.startsWith("OK"))
        .singleElement()
        .asString()
        .startsWith(severity)
        .contains(what);
  }

  private static RedisSentinelFacts sentinel(
      String silence, String master, boolean down, long replicas, long others, long quorum) {
    return new RedisSentinelFacts("s:26379", silence, master, down, replicas, others, quorum);
  }

  private static List<String> judged(RedisSentinelFacts... sentinels) {
    return Told.by(findings -> SentinelRule.judge(List.of(sentinels), findings));
  }

  @ParameterizedTest
  @CsvSource({
    "false, 1, 2, 2, OK, 3 sentinels (quorum 2) watch the master r1:6379 and 1 replica",
    "true, 1, 2, 2, PROBLEM, can't reach the master r1:6379",
    "false, 0, 2, 2, PROBLEM, no server can take over",
    "false, 1, 1, 2, WARNING, 'with two, that means both'",
    "false, 1, 2, 3, WARNING, prevents every failover",
    "false, 1, 2, 1, WARNING, down alone"
  })
  void sentinel_thatAnswers_isJudged(
      boolean down, long replicas, long others, long quorum, String severity, String what) {
    RedisSentinelFacts facts = sentinel(null, "r1:6379", down, replicas, others, quorum);
    assertThat(judged(facts)).singleElement().asString().startsWith(severity).contains(what);
    assertThat(judged(SENTINEL, SENTINEL, facts))
        .filteredOn(line -> line.startsWith(severity))
        .hasSize(1);
  }

  @Test
  void sentinels_thatAreSilent_orNameDifferentMasters_areProblems() {
    assertThat(judged()).isEmpty();
    assertThat(judged(SENTINEL, SENTINEL, SILENT).get(0))
        .startsWith("PROBLEM | sentinel s:26379 does not say where the master is (refused)")
        .contains("from one sentinel less");
    assertThat(judged(SILENT).get(0)).contains("no bridge finds Redis");
    assertThat(judged(SENTINEL, sentinel(null, "r2:6379", false, 1, 2, 2)).get(0))
        .startsWith("PROBLEM | the sentinels name different masters: r1:6379, r2:6379");
  }

  private static Master master(String address, List<Integer> parts, int replicas) {
    return new Master(address, parts, replicas, null, null);
  }

  private static List<String> found(List<Node> nodes, List<Master> masters, Integer... homeless) {
    Findings findings = new Findings("Redis");
    ClusterRule.judge(
        new RedisClusterFacts(2, nodes, masters, List.of(homeless)), "they pass", findings);
    return findings.list().stream().map(each -> each.severity() + " " + each.what()).toList();
  }

  @Test
  void cluster_thatIsWell_isOneLine_withThePartsOfEachMaster() {
    assertThat(found(List.of(NODE), List.of(FIRST, SECOND, THIRD)))
        .containsExactly(
            "OK 3 masters have the 2 parts: r1:6379 has part 0, r2:6379 has part 1, r3:6379 has no"
                + " part");
  }

  @Test
  void node_thatIsSilent_orSaysThatTheClusterIsDown_isAProblem() {
    List<Node> nodes =
        List.of(new Node("r2:6379", "", "Connection refused"), new Node("r3:6379", "fail", null));

    assertThat(found(nodes, List.of(FIRST, SECOND, THIRD)))
        .containsExactly(
            "PROBLEM node r2:6379 does not report where the slots are (Connection refused)",
            "PROBLEM node r3:6379 reports that the cluster is down (cluster_state:fail)");
  }

  @Test
  void part_thatWouldBeLostWithItsServer_orIsLost_isTold() {
    List<Master> masters =
        List.of(
            master("r1:6379", List.of(0), 0),
            new Master("r2:6379", List.of(1), 1, null, "Redis r2:6379 unavailable (no route)"));

    assertThat(found(List.of(NODE), masters, 1))
        .containsExactly(
            "PROBLEM no server has the slots of part 1",
            "WARNING only 2 masters have slots",
            "WARNING r1:6379 has no replica",
            "PROBLEM Redis r2:6379 unavailable (no route)");
  }
}
