package io.duplog.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests when the model of Splunk's collector reports a request as acknowledged: late, in reverse
 * order, or never.
 */
class AckIdsTest {
  private static final String CHANNEL = "0aeeac95-ac74-4aa9-b30d-6c4c0ac581ba";

  @Test
  void ask_lateOrNeverOrReversed_reportsAccordingly() {
    long[] now = {0};
    AckIds ids = new AckIds(() -> now[0]);
    ids.acknowledge(new Acknowledging(Acknowledging.Order.AS_TAKEN, Duration.ofNanos(10)));
    ids.take(CHANNEL, Duration.ZERO);
    assertThat(ids.ask(CHANNEL, Set.of(0L))).isEqualTo(Map.of(0L, false));
    now[0] = 10;
    assertThat(ids.ask(CHANNEL, Set.of(0L))).isEqualTo(Map.of(0L, true));

    ids.acknowledge(new Acknowledging(Acknowledging.Order.NEVER, Duration.ZERO));
    ids.take(CHANNEL, Duration.ZERO);
    now[0] = Long.MAX_VALUE / 2;
    assertThat(ids.ask(CHANNEL, Set.of(1L))).isEqualTo(Map.of(1L, false));

    ids.acknowledge(new Acknowledging(Acknowledging.Order.REVERSED, Duration.ofDays(1)));
    now[0] = 0;
    ids.take(CHANNEL, Duration.ZERO);
    ids.take(CHANNEL, Duration.ZERO);
    assertThat(ids.ask(CHANNEL, Set.of(2L, 3L))).isEqualTo(Map.of(2L, false, 3L, true));
    assertThat(ids.ask(CHANNEL, Set.of(2L, 3L))).isEqualTo(Map.of(2L, true, 3L, false));
  }

  @Test
  void ask_singleRequestLateOrRestarted_reportsAccordingly() {
    long[] now = {0};
    AckIds ids = new AckIds(() -> now[0]);
    ids.take(CHANNEL, Duration.ofNanos(10));
    ids.take(CHANNEL, HecFault.AcknowledgeAfter.NEVER.time());
    now[0] = 10;
    assertThat(ids.ask(CHANNEL, Set.of(0L, 1L))).isEqualTo(Map.of(0L, true, 1L, false));
    ids.acknowledge(CHANNEL, 1);
    assertThat(ids.ask(CHANNEL, Set.of(1L))).isEqualTo(Map.of(1L, true));

    ids.take(CHANNEL, Duration.ZERO);
    ids.take(CHANNEL, Duration.ZERO);
    ids.acknowledge(id -> id == 3);
    assertThat(ids.ask(CHANNEL, Set.of(2L, 3L))).isEqualTo(Map.of(2L, false, 3L, true));
    ids.restart(7);
    assertThat(ids.ask(CHANNEL, Set.of(2L))).isEqualTo(Map.of(2L, false));
    assertThat(ids.take(CHANNEL, Duration.ZERO)).isEqualTo(7);
  }
}
