package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import io.duplog.doctor.Management.Queue;
import io.duplog.receive.TestQueues;
import io.duplog.wire.Topology.QueueType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which limits of a RabbitMQ queue the doctor reports as a problem. */
class PolicyRuleTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          CLASSIC; 3; overflow=reject-publish max-length-bytes=9; OK; has a length limit
          QUORUM; 3; overflow=reject-publish max-length-bytes=9; OK; has no delivery limit
          QUORUM; 4; overflow=reject-publish max-length-bytes=9 delivery-limit=1000000; OK; limit is 1000000
          QUORUM; 4; overflow=reject-publish max-length-bytes=9 delivery-limit=-1; OK; limit is -1
          CLASSIC; 3; overflow=drop-head max-length-bytes=9; PROBLEM; overflow is drop-head (policy duplog)
          CLASSIC; 3; max-length-bytes=9; PROBLEM; overflow is drop-head
          CLASSIC; 3; overflow=reject-publish max-length=9 message-ttl=60; PROBLEM; silently drops messages
          CLASSIC; 3; overflow=reject-publish max-length=9 expires=60; PROBLEM; deletes the queue
          QUORUM; 4; overflow=reject-publish max-length=9; PROBLEM; default delivery limit of 20
          QUORUM; 3; overflow=reject-publish max-length=9 delivery-limit=50; PROBLEM; delivery limit is 50
          QUORUM; 3; overflow=reject-publish max-length=9 delivery-limit=-1; PROBLEM; negative limit as 0
          CLASSIC; 3; overflow=reject-publish; WARNING; '{"max-length-bytes":10737418240,"overflow":"reject-publish"}'
          """,
      quoteCharacter = '~')
  void limits_areJudged(QueueType type, int major, String limits, String severity, String what) {
    Map<String, String> set = Splitter.on(' ').withKeyValueSeparator('=').split(limits);

    List<String> told =
        Told.by(findings -> rule(type, major).judge(new Queue("duplog", set), findings));

    assertThat(told)
        .anySatisfy(line -> assertThat(line).startsWith(severity).contains(what))
        .filteredOn(line -> !line.startsWith("OK"))
        .hasSize(severity.equals("OK") ? 0 : 1);
  }

  @Test
  void noLengthLimit_isAWarning_withTheCommandToRun() {
    Queue queue = new Queue("", Map.of("overflow", "reject-publish", "delivery-limit", "5000"));
    assertThat(Told.by(findings -> rule(QueueType.QUORUM, 3).judge(queue, findings)).get(0))
        .startsWith("WARNING | ")
        .endsWith(
            "rabbitmqctl set_policy -p / --priority 2 --apply-to queues duplog-quorum"
                + " '^duplog(\\.[0-9]+)?$' '{\"max-length-bytes\":10737418240,"
                + "\"overflow\":\"reject-publish\",\"delivery-limit\":1000000}'");
  }

  @Test
  void withoutManagement_saysHowToCheck() {
    assertThat(Told.by(rule(QueueType.QUORUM, 4)::reportUnknown))
        .singleElement()
        .asString()
        .contains("rabbitmqctl list_policies -p /", "delivery-limit");
  }

  private static PolicyRule rule(QueueType type, int major) {
    return new PolicyRule(TestQueues.of("a", "host", type, 1), major);
  }
}
