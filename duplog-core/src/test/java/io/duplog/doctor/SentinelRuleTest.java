package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.redis.RedisSentinelFacts;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SentinelRuleTest {
  private @Nullable String silence;
  private String master = "10.0.0.1:6379";
  private boolean down;
  private long replicas = 1;
  private long others = 2;
  private long quorum = 2;

  @Test
  void noSentinels_haveNothingToSay() {
    Findings findings = new Findings("redis");
    SentinelRule.judge(List.of(), findings);
    assertThat(findings.list()).isEmpty();
  }

  @Test
  void three_withAReplica_areWell() {
    assertThat(examine(facts(), facts(), facts()))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.OK);
              assertThat(finding.what())
                  .isEqualTo("3 sentinels (quorum 2) watch the master 10.0.0.1:6379 and 1 replica");
            });
  }

  @Test
  void silentOne_isAProblem_howeverManyAnswer() {
    RedisSentinelFacts well = facts();
    silence = "Connection refused";

    assertThat(examine(well, well, facts()))
        .anySatisfy(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
              assertThat(finding.what())
                  .isEqualTo(
                      "sentinel s:26379 does not say where the master is (Connection refused)");
              assertThat(finding.consequence()).startsWith("one sentinel less");
            });
    assertThat(examine(facts()).get(0).consequence()).startsWith("no bridge finds Redis");
  }

  @Test
  void differentMasters_areAProblem() {
    RedisSentinelFacts one = facts();
    master = "10.0.0.2:6379";

    assertThat(only(one, facts()).what())
        .isEqualTo("the sentinels name different masters: 10.0.0.1:6379, 10.0.0.2:6379");
  }

  @Test
  void nothingThatCouldTakeOver_isAProblem() {
    replicas = 0;

    assertThat(only(facts()).severity()).isEqualTo(Severity.PROBLEM);
  }

  @Test
  void masterThatIsDown_isAProblem() {
    down = true;

    assertThat(only(facts()).what()).contains("can't reach the master 10.0.0.1:6379");
  }

  @Test
  void fewerThanThree_areAWarning() {
    others = 1;

    assertThat(only(facts()).consequence()).contains("of two, both");
  }

  @Test
  void quorum_ofAllOrOfOne_isAWarning() {
    quorum = 3;
    assertThat(only(facts()).consequence()).contains("prevents every failover");
    quorum = 1;
    assertThat(only(facts()).what()).contains("all alone");
  }

  private RedisSentinelFacts facts() {
    return new RedisSentinelFacts("s:26379", silence, master, down, replicas, others, quorum);
  }

  private static List<Finding> examine(RedisSentinelFacts... sentinels) {
    Findings findings = new Findings("redis");
    SentinelRule.judge(Stream.of(sentinels).toList(), findings);
    return findings.list();
  }

  private static Finding only(RedisSentinelFacts... sentinels) {
    assertThat(examine(sentinels)).hasSize(1);
    return examine(sentinels).get(0);
  }
}
