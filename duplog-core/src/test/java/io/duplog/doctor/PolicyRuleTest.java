package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.amqp.BrokerLogin;
import io.duplog.receive.QueueSettings;
import io.duplog.receive.Share;
import io.duplog.wire.Topology.QueueType;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyRuleTest {
  private static final Map<String, Object> SOUND =
      Map.of("overflow", "reject-publish", "max-length-bytes", "1000000");

  @Test
  void soundPolicy_hasNothingToSay() {
    assertThat(wrong(QueueType.CLASSIC, 3, SOUND)).isEmpty();
    assertThat(wrong(QueueType.QUORUM, 3, SOUND)).isEmpty();
    assertThat(wrong(QueueType.QUORUM, 4, with("delivery-limit", "1000000"))).isEmpty();
  }

  @Test
  void overflowThatDrops_isAProblem() {
    Finding finding = only(wrong(QueueType.CLASSIC, 3, with("overflow", "drop-head")));

    assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
    assertThat(finding.what()).isEqualTo("the queue's overflow is drop-head (policy duplog)");
  }

  @Test
  void noLengthLimit_isAWarning_withTheCommandToRun() {
    Finding finding = only(wrong(QueueType.QUORUM, 3, Map.of("overflow", "reject-publish")));

    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.remedy())
        .isEqualTo(
            "rabbitmqctl set_policy -p / --priority 2 --apply-to queues duplog-quorum"
                + " '^duplog(\\.[0-9]+)?$' '{\"max-length-bytes\":10737418240,"
                + "\"overflow\":\"reject-publish\",\"delivery-limit\":1000000}'");
  }

  @Test
  void expiry_isAProblem() {
    assertThat(only(wrong(QueueType.CLASSIC, 3, with("message-ttl", "60000"))).consequence())
        .contains("drops messages in silence");
    assertThat(only(wrong(QueueType.CLASSIC, 3, with("expires", "60000"))).consequence())
        .contains("deletes the queue");
  }

  @Test
  void quorumQueue_withFewDeliveries_isAProblem() {
    assertThat(only(wrong(QueueType.QUORUM, 4, SOUND)).what())
        .contains("default delivery limit of 20");
    assertThat(only(wrong(QueueType.QUORUM, 3, with("delivery-limit", "50"))).what())
        .contains("delivery limit is 50");
    assertThat(wrong(QueueType.QUORUM, 4, with("delivery-limit", "-1"))).isEmpty();
    assertThat(only(wrong(QueueType.QUORUM, 3, with("delivery-limit", "-1"))).consequence())
        .contains("below 0 for 0");
  }

  @Test
  void withoutManagement_saysHowToCheck() {
    Findings findings = new Findings("queue");

    rule(QueueType.QUORUM, 4).isUnknown(findings);

    assertThat(only(findings.list()).remedy())
        .contains("rabbitmqctl list_policies -p /", "delivery-limit");
  }

  private static Map<String, Object> with(String name, Object value) {
    Map<String, Object> limits = new HashMap<>(SOUND);
    limits.put(name, value);
    return limits;
  }

  private static List<Finding> wrong(QueueType type, int major, Map<String, Object> limits) {
    Findings findings = new Findings("queue");
    rule(type, major).judge(new Management.Queue("duplog", limits), findings);
    return findings.list().stream().filter(each -> each.severity() != Severity.OK).toList();
  }

  private static PolicyRule rule(QueueType type, int major) {
    Duration second = Duration.ofSeconds(1);
    return new PolicyRule(
        new QueueSettings(
            "a",
            new BrokerLogin("host", 5672, "/", "u", "p", second, second, null),
            "duplog",
            type,
            Share.WHOLE,
            1,
            second,
            second),
        major);
  }

  private static Finding only(List<Finding> findings) {
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }
}
