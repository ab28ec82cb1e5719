package io.duplog.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.Faults;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChoiceTest {
  private static final List<Fault> ALL = Faults.all();

  @Test
  void noName_isAll() {
    assertThat(Choice.of(ALL, List.of())).isEqualTo(ALL);
  }

  @Test
  void names_areChosenInTheOrderOfTheTable() {
    assertThat(Choice.of(ALL, List.of("redis-flushall", "kill-broker")))
        .extracting(Fault::name)
        .containsExactly("kill-broker", "redis-flushall");
  }

  @Test
  void asterisk_standsForAnything() {
    assertThat(Choice.of(ALL, List.of("term-*")))
        .extracting(Fault::name)
        .containsExactlyInAnyOrder(
            "term-rsyslog",
            "term-shim",
            "term-broker",
            "term-redis",
            "term-bridge",
            "term-bridges");
  }

  @Test
  void unknownName_isAnError() {
    assertThatThrownBy(() -> Choice.of(ALL, List.of("kill-broker", "kill-splunk")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kill-splunk");
  }
}
