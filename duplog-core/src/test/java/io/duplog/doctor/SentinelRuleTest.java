package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.redis.RedisSentinelFacts;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SentinelRuleTest {
  private static final RedisSentinelFacts WELL = facts(null, "r1:6379", false, 1, 2, 2);
  private static final RedisSentinelFacts SILENT = facts("refused", "r1:6379", false, 1, 2, 2);

  private static RedisSentinelFacts facts(
      @Nullable String silence,
      String master,
      boolean down,
      long replicas,
      long others,
      long quorum) {
    return new RedisSentinelFacts("s:26379", silence, master, down, replicas, others, quorum);
  }

  private static List<String> told(RedisSentinelFacts... sentinels) {
    return Told.by(findings -> SentinelRule.judge(Stream.of(sentinels).toList(), findings));
  }

  @ParameterizedTest
  @CsvSource({
    "false, 1, 2, 2, OK, 3 sentinels (quorum 2) watch the master r1:6379 and 1 replica",
    "true, 1, 2, 2, PROBLEM, can't reach the master r1:6379",
    "false, 0, 2, 2, PROBLEM, nothing can take over",
    "false, 1, 1, 2, WARNING, 'of two, both'",
    "false, 1, 2, 3, WARNING, prevents every failover",
    "false, 1, 2, 1, WARNING, all alone"
  })
  void sentinel_thatAnswers_isJudged(
      boolean down, long replicas, long others, long quorum, String severity, String what) {
    RedisSentinelFacts facts = facts(null, "r1:6379", down, replicas, others, quorum);
    assertThat(told(facts)).singleElement().asString().startsWith(severity).contains(what);
    assertThat(told(WELL, WELL, facts)).filteredOn(line -> line.startsWith(severity)).hasSize(1);
  }

  @Test
  void silentOne_isAProblem_howeverManyAnswer() {
    assertThat(told()).isEmpty();
    assertThat(told(WELL, WELL, SILENT).get(0))
        .startsWith("PROBLEM | sentinel s:26379 does not say where the master is (refused)")
        .contains("one sentinel less");
    assertThat(told(SILENT).get(0)).contains("no bridge finds Redis");
  }

  @Test
  void differentMasters_areAProblem() {
    assertThat(told(WELL, facts(null, "r2:6379", false, 1, 2, 2)))
        .singleElement()
        .asString()
        .startsWith("PROBLEM | the sentinels name different masters: r1:6379, r2:6379");
  }
}
