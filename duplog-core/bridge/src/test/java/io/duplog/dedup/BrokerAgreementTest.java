package io.duplog.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.wire.StreamBroker;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests whether a refused bridge blames the right cause: a renamed RabbitMQ cluster, or two
 * deployments that share a Redis prefix.
 */
class BrokerAgreementTest {
  private static final String ONE = "7d1f2f7e-58d5-4b4e-9a52-0a7c5f0f6d11";
  private static final String TWO = "7d1f2f7e-58d5-4b4e-9a52-0a7c5f0f6d12";

  @ParameterizedTest
  @CsvSource({
    "new name " + ONE + ", old " + ONE + ", true",
    "new " + ONE + ", old " + TWO + ", false",
    ONE + ", " + TWO + ", false",
    // A bridge without permission for the queue sees a name and a virtual host.
    "new /, old /, false",
    "new that no bridge has read, old " + ONE + ", false",
    "new " + ONE + ", '', false",
  })
  void brokersOfOneText_areOneThatWasRenamed(String own, String other, boolean renamed) {
    List<StreamBroker> brokers = List.of(StreamBroker.of("a", "duplog", own));
    BrokerAgreement.Conflict conflict = new BrokerAgreement.Conflict("a/duplog", "two 1", other);

    String refusal = BrokerAgreement.refusal(brokers, conflict, "duplog");

    assertThat(refusal.contains("the broker's cluster name has changed")).isEqualTo(renamed);
    assertThat(refusal.contains("two deployments share dedup.redis.prefix")).isEqualTo(!renamed);
    assertThat(refusal).contains("rabbitmqctl close_all_connections renamed");
  }
}
