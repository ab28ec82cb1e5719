package io.duplog.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.observe.EventCounts.Source;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which hosts a bridge's counts in a statement name, and that all others are added up. */
class BridgeCountsTest {
  private static BridgeCounts counts(Map<Source, Long> accepted) {
    return new BridgeCounts(List.of(), accepted);
  }

  /**
   * Returns hosts h1, h2 and so on, each with as many events as its number says, times a factor.
   */
  private static BridgeCounts hosts(int hosts, long factor) {
    Map<Source, Long> accepted = new HashMap<>();
    for (int i = 1; i <= hosts; i++) {
      accepted.put(new Source("syslog", "h" + i), i * factor);
    }
    return counts(accepted);
  }

  private static BridgeCounts stated(BridgeCounts counts) throws Exception {
    JsonObject json = new JsonObject();
    counts.shortened().addTo(json);
    return BridgeCounts.of(JsonValue.parse(JsonObject.render(json)));
  }

  @Test
  void hostsWithMostEvents_areNamed_andTheOthersAddedUp() throws Exception {
    assertThat(stated(hosts(200, 1))).isEqualTo(hosts(200, 1));

    Map<Source, Long> accepted = new HashMap<>(hosts(203, 1).accepted());
    accepted.keySet().removeAll(hosts(3, 1).accepted().keySet());
    accepted.put(new Source("syslog", "(others)"), 6L);
    assertThat(stated(hosts(203, 1)).accepted()).isEqualTo(accepted);
  }

  @Test
  void restAfterAPartThatNamesFewer_addsUpToAll() throws Exception {
    BridgeCounts first = stated(hosts(210, 1));
    Map<Source, Long> sums = new HashMap<>(hosts(210, 3).after(first).accepted());
    first.accepted().forEach((source, events) -> sums.merge(source, events, Long::sum));

    sums.values().removeIf(events -> events == 0);
    assertThat(sums).isEqualTo(hosts(210, 3).accepted());
  }

  @Test
  void whatDidNotGrow_isLeftOut() {
    assertThat(hosts(3, 1).after(hosts(3, 1)).accepted()).isEmpty();
  }
}
