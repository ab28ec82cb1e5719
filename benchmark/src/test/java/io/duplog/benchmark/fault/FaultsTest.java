package io.duplog.benchmark.fault;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import com.google.common.collect.Streams;
import com.google.common.io.Resources;
import io.duplog.benchmark.lab.LabJars;
import java.net.URL;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the table of faults: names, choice, allowed duplicates and the bounds that follow from the
 * design.
 */
class FaultsTest {
  private static final List<Fault> ALL = Faults.ALL;

  /** Messages a second at which the published table was made. */
  private static final int PUBLISHED_RATE = 2000;

  private static final URL FAULTS = Resources.getResource(Faults.class, "faults.json");
  private static final Pattern HOLD = Pattern.compile("\"hold(?:-at-most)? ([0-9.]+)\"");

  /** Time that it takes to end two bridges and to start them. */
  private static final double RESTART_SECONDS = 8;

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

  /**
   * The bounds hold on any machine: an outage doubles what comes while it lasts, and any other
   * fault what is under way at its two ends. So a part that forgets to match goes beyond them.
   */
  @Test
  void bounds_followFromTheDesign() throws Exception {
    JsonNode rows = new ObjectMapper().readTree(Resources.toByteArray(FAULTS));
    for (Map.Entry<String, JsonNode> row : rows.properties()) {
      String steps = row.getValue().get("steps").toString();
      for (Map.Entry<String, JsonNode> amount : row.getValue().path("duplicates").properties()) {
        assertThat(amount.getValue().asDouble())
            .as("%s: %s", row.getKey(), amount.getKey())
            .isLessThanOrEqualTo(most(ExpectedDuplicates.valueOf(amount.getKey()), steps));
      }
    }
  }

  private static double most(ExpectedDuplicates cause, String steps) {
    double outage = heldSeconds(steps) + RESTART_SECONDS;
    double collector = steps.contains("hec ") ? heldSeconds(steps) : 0;
    return switch (cause) {
      case REDIS_AWAY, REDIS_PART_AWAY, STREAM_MISNAMED, ACKNOWLEDGED_LATE -> outage;
      case REDIS_ANSWER_LOST, FALLBACK, REDIS_FORGOT, REDIS_CLOCK_SET, BRIDGES_LOST, ANSWERS_LOST ->
          2 * ExpectedDuplicates.UNDER_WAY + collector;
      case SHIM_KILLED -> steps.contains("\"hold 100\"") ? 2 * ExpectedDuplicates.TRANSACTION : 1;
      case RSYSLOG_KILLED -> ExpectedDuplicates.CHECKPOINT + ExpectedDuplicates.TRANSACTION;
    };
  }

  private static double heldSeconds(String steps) {
    return HOLD.matcher(steps)
        .results()
        .mapToDouble(hold -> Double.parseDouble(hold.group(1)))
        .sum();
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
      assertThat(seconds(row.get("limit"))).isEqualTo(fault.limits().gap());
      assertThat(row.get("lost")).as(fault.name()).matches("0(, burned \\d+)?");
      assertThat(row).containsEntry("late", "0").containsEntry("corrupted", "0");
      assertThat(row.get("verdict")).as(fault.name()).isIn("passed", "stalled");
    }
  }

  /** Returns the rows of the published table, by the heads of its columns. */
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
