package io.duplog.benchmark.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
  private static final List<Fault> ALL = Faults.all();

  @Test
  void names_fitForAFileAndACommandLine() {
    assertThat(ALL).allMatch(fault -> fault.name().matches("[a-z][a-z0-9-]{2,21}"));
  }

  @Test
  void named_areChosenInTheOrderOfTheTable_andAnAsteriskStandsForAnything() {
    assertThat(Faults.named(List.of())).extracting(Fault::name).hasSize(ALL.size());
    assertThat(Faults.named(List.of("redis-flushall", "kill-broker", "term-bridge*")))
        .extracting(Fault::name)
        .containsExactly("kill-broker", "term-bridge", "term-bridges", "redis-flushall");
    assertThatThrownBy(() -> Faults.named(List.of("kill-broker", "kill-splunk")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kill-splunk");
  }

  @Test
  void everyPart_isKilledTerminatedAndFrozen() {
    List<String> names = ALL.stream().map(Fault::name).toList();
    Stream.of("rsyslog", "shim", "broker", "redis", "bridge", "bridges")
        .flatMap(part -> Stream.of("kill-", "term-", "stop-").map(how -> how + part))
        .forEach(name -> assertThat(names).contains(name));
  }

  @Test
  void duplicates_areAllowedForACauseOnly() {
    for (Fault fault : ALL) {
      assertThat(fault.duplicates().at(1000) > 0)
          .as("%s: %s", fault.name(), fault.duplicates())
          .isEqualTo(!fault.duplicates().cause().isEmpty());
    }
  }

  @Test
  void everySetup_isUsed() {
    assertThat(ALL.stream().map(Fault::setup).distinct())
        .containsExactlyInAnyOrderElementsOf(Arrays.asList(Setup.values()));
  }

  @Test
  void bounds_addUpAndMultiply() {
    Bound bound = new Bound("a", 2, 0).and(new Bound("b", 0, 7)).times(3);
    assertThat(bound.at(100)).isEqualTo(3 * (200 + 7));
    assertThat(bound.cause()).isEqualTo("a; b");
    assertThat(Bound.none().and(new Bound("c", 0, 1)).cause()).isEqualTo("c");
    assertThat(Bound.none().at(1_000_000)).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "explode broker",
        "kill Broker",
        "hold long",
        "slow-down",
        "hold 1 s",
        "freeze",
        "refuse broker redis",
        "hold 1 2",
        "wipe-node broker"
      })
  void stepThatThereIsNot_isRefused(String line) {
    assertThatThrownBy(() -> Steps.of(List.of(line), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
