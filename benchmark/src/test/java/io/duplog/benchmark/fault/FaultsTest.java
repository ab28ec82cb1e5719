package io.duplog.benchmark.fault;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Splitter;
import com.google.common.collect.Streams;
import io.duplog.benchmark.lab.LabJars;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultsTest {
  private static final List<Fault> ALL = Faults.ALL;

  /** Messages a second, of which the published table was made. */
  private static final int PUBLISHED_RATE = 2000;

  /** Messages of a quarter of a second: what is under way when a kill happens to meet it. */
  private static final long ANY_UNDER_WAY = PUBLISHED_RATE / 4;

  /**
   * More of it: the transaction of a shim with a backlog. A kill meets it between its publication
   * and its answer or not, so that runs showed 30 to 999, and 54 to 1,308 in 30 kills. A kill of
   * rsyslog meets its queue on disk between two checkpoints.
   */
  private static final Map<String, Long> UNDER_WAY =
      Map.of(
          "kill-shim-alone",
          1_024L,
          "kill-shim-transaction",
          3_000L,
          "bulk-kill-shim",
          3_000L,
          "bulk-hang-shim",
          1_024L,
          // Ten times up to 128 since the checkpoint, and what the transaction has.
          "durable-kill-rsyslog",
          2_000L);

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
  void causes_areInTheWordsOfTheGuarantees() throws Exception {
    String guarantees =
        read("docs/guarantees.md")
            .replaceAll("\\[([^]]*)]\\([^)]*\\)|[*`]", "$1")
            .replaceAll("\\s+", " ");
    for (Fault fault : ALL) {
      for (String cause : fault.duplicates().cause().split("; ", -1)) {
        assertThat(guarantees).as(fault.name()).containsIgnoringCase(cause);
      }
    }
  }

  @Test
  void publishedTable_hasTheBoundsThatAreStatedNow_andKeepsThem() throws Exception {
    List<Map<String, String>> rows = published();
    assertThat(rows).hasSameSizeAs(ALL);
    for (int i = 0; i < rows.size(); i++) {
      Fault fault = ALL.get(i);
      Map<String, String> row = rows.get(i);
      assertThat(row.get("fault")).isEqualTo("**%s**: %s".formatted(fault.name(), fault.what()));
      long allowed = fault.duplicates().at(PUBLISHED_RATE);
      String cause = fault.duplicates().cause();
      assertThat(row.get("allowed"))
          .as(fault.name())
          .isEqualTo(allowed + (cause.isEmpty() ? "" : ": " + cause));
      assertThat(allowed)
          .as(fault.name())
          .isBetween(Long.valueOf(row.get("duplicated")), Long.valueOf(row.get("sent")));
      assertThat(allowed)
          .as("%s may double no more than three times what was seen", fault.name())
          .isLessThanOrEqualTo(
              Math.max(
                  UNDER_WAY.getOrDefault(fault.name(), ANY_UNDER_WAY),
                  3 * Long.parseLong(row.get("duplicated"))));
      assertThat(seconds(row.get("limit"))).isEqualTo(fault.limits().gap());
      assertThat(row.get("lost")).as(fault.name()).matches("0(, burned \\d+)?");
      assertThat(row).containsEntry("late", "0").containsEntry("corrupted", "0");
      assertThat(row.get("verdict")).as(fault.name()).isIn("passed", "stalled");
    }
  }

  /** The rows of the published table, by the heads of its columns. */
  private static List<Map<String, String>> published() throws Exception {
    List<List<String>> lines =
        read("benchmark/results/chaos/table.md")
            .lines()
            .filter(line -> line.startsWith("| "))
            .map(line -> Splitter.on('|').trimResults().splitToList(line))
            .toList();
    return lines.stream()
        .skip(1)
        .map(cells -> Streams.zip(lines.get(0).stream(), cells.stream(), Map::entry))
        .map(row -> row.filter(cell -> !cell.getKey().isEmpty()))
        .map(row -> row.collect(toMap(Map.Entry::getKey, Map.Entry::getValue)))
        .toList();
  }

  private static Duration seconds(String cell) {
    return Duration.ofMillis(Math.round(1000 * Double.parseDouble(cell.replace(" s", ""))));
  }

  private static String read(String document) throws Exception {
    return Files.readString(LabJars.checkout().resolve(document));
  }

  @Test
  void host_thatIsDestroyed_hasSomeMessagesAlone() {
    assertThat(ALL.stream().filter(fault -> fault.node() == Fault.NodeFate.BURNED))
        .extracting(Fault::name)
        .containsExactly("host-burns", "host-burns-backlog", "host-burns-redis");
  }

  @Test
  void everySetup_isUsed() {
    assertThat(ALL.stream().map(Fault::setup).distinct())
        .containsExactlyInAnyOrderElementsOf(Arrays.asList(Setup.values()));
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
