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
 * Tests that each fault in {@code faults.json} has a valid name, and that its allowed duplicates
 * follow from documented causes.
 */
class FaultsTest {
  private static final List<Fault> ALL = Faults.ALL;

  /** Messages per second with which the published table was made. */
  private static final int PUBLISHED_MESSAGES_PER_SECOND = 2000;

  private static final URL FAULTS_FILE = Resources.getResource(Faults.class, "faults.json");
  private static final Pattern HOLD_STEP = Pattern.compile("\"hold(?:-at-most)? ([0-9.]+)\"");

  /** Time to end two bridges and to start them. */
  private static final double RESTART_SECONDS = 8;

  @Test
  void faultNames_all_fitFileNamesAndCommandLine() {
    assertThat(ALL).allMatch(fault -> fault.name().matches("[a-z][a-z0-9-]{2,21}"));
  }

  @Test
  void named_namesAndAsterisks_selectsFaultsInTableOrder() {
    assertThat(Faults.named(List.of())).extracting(Fault::name).hasSize(ALL.size());
    assertThat(Faults.named(List.of("redis-flushall", "kill-broker", "term-bridge*")))
        .extracting(Fault::name)
        .containsExactly("kill-broker", "term-bridge", "term-bridges", "redis-flushall");
    assertThatThrownBy(() -> Faults.named(List.of("kill-broker", "kill-splunk")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kill-splunk");
  }

  @Test
  void faults_everyPart_isKilledTerminatedAndFrozen() {
    List<String> names = ALL.stream().map(Fault::name).toList();
    Stream.of("rsyslog", "shim", "broker", "redis", "bridge", "bridges")
        .flatMap(part -> Stream.of("kill-", "term-", "stop-").map(how -> how + part))
        .forEach(name -> assertThat(names).contains(name));
  }

  @Test
  void duplicates_allowed_haveACause() {
    for (Fault fault : ALL) {
      assertThat(fault.duplicates().at(1000) > 0)
          .as("%s: %s", fault.name(), fault.duplicates())
          .isEqualTo(!fault.duplicates().cause().isEmpty());
    }
  }

  @Test
  void causes_all_areInGuarantees() throws Exception {
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
   * The limits hold on any machine. An outage duplicates the messages that arrive during it. Any
   * other fault duplicates the messages that are in flight at its start and end. A part that fails
   * to match exceeds these limits.
   */
  @Test
  void duplicates_allowed_stayBelowDesignLimit() throws Exception {
    JsonNode rows = new ObjectMapper().readTree(Resources.toByteArray(FAULTS_FILE));
    for (Map.Entry<String, JsonNode> row : rows.properties()) {
      String steps = row.getValue().get("steps").toString();
      for (Map.Entry<String, JsonNode> amount : row.getValue().path("duplicates").properties()) {
        assertThat(amount.getValue().asDouble())
            .as("%s: %s", row.getKey(), amount.getKey())
            .isLessThanOrEqualTo(maxAmount(ExpectedDuplicates.valueOf(amount.getKey()), steps));
      }
    }
  }

  private static double maxAmount(ExpectedDuplicates cause, String steps) {
    double outage = heldSeconds(steps) + RESTART_SECONDS;
    double collector = steps.contains("hec ") ? heldSeconds(steps) : 0;
    return switch (cause) {
      case REDIS_AWAY, REDIS_PART_AWAY, STREAM_MISNAMED, ACKNOWLEDGED_LATE -> outage;
      case REDIS_ANSWER_LOST, FALLBACK, REDIS_FORGOT, REDIS_CLOCK_SET, BRIDGES_LOST, ANSWERS_LOST ->
          2 * ExpectedDuplicates.BRIDGE_IN_FLIGHT_SECONDS + collector;
      case SHIM_KILLED -> maxOfShim(steps);
      case CLIENT_WITHOUT_ANSWER -> ExpectedDuplicates.MAX_REQUEST_MESSAGES;
      case RSYSLOG_KILLED ->
          ExpectedDuplicates.MAX_CHECKPOINT_MESSAGES + ExpectedDuplicates.MAX_TRANSACTION_MESSAGES;
    };
  }

  /**
   * Returns two transactions for a shim that hangs, and one in thirty kills of one that listens.
   */
  private static double maxOfShim(String steps) {
    if (steps.contains("\"hold 100\"")) {
      return 2 * ExpectedDuplicates.MAX_TRANSACTION_MESSAGES;
    }
    return steps.contains("\"kill shim\"")
        ? 1 + ExpectedDuplicates.MAX_TRANSACTION_MESSAGES / 30.0
        : 1;
  }

  private static double heldSeconds(String steps) {
    return HOLD_STEP
        .matcher(steps)
        .results()
        .mapToDouble(hold -> Double.parseDouble(hold.group(1)))
        .sum();
  }

  @Test
  void publishedTable_everyRow_hasCurrentLimitsAndStaysWithinThem() throws Exception {
    List<Map<String, String>> rows = readPublishedRows();
    assertThat(rows).hasSameSizeAs(ALL);
    for (int i = 0; i < rows.size(); i++) {
      Fault fault = ALL.get(i);
      Map<String, String> row = rows.get(i);
      assertThat(row.get("fault"))
          .isEqualTo("**%s**: %s".formatted(fault.name(), fault.description()));
      long allowed = fault.duplicates().at(PUBLISHED_MESSAGES_PER_SECOND);
      String cause = fault.duplicates().cause();
      assertThat(row.get("allowed"))
          .as(fault.name())
          .isEqualTo(allowed + (cause.isEmpty() ? "" : ": " + cause));
      assertThat(allowed)
          .as(fault.name())
          .isBetween(Long.valueOf(row.get("duplicated")), Long.valueOf(row.get("sent")));
      assertThat(seconds(row.get("limit"))).isEqualTo(fault.limits().gap());
      assertThat(row.get("lost")).as(fault.name()).matches("0(, \\d+ with the disk)?");
      assertThat(row).containsEntry("late", "0").containsEntry("corrupted", "0");
      assertThat(row.get("verdict")).as(fault.name()).isIn("passed", "stalled");
    }
  }

  /** Returns the rows of the published table, by the heads of its columns. */
  private static List<Map<String, String>> readPublishedRows() throws Exception {
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
  void faults_destroyedHost_areThreeHostFaults() {
    assertThat(ALL.stream().filter(fault -> fault.node() == Fault.NodeFate.DESTROYED))
        .extracting(Fault::name)
        .containsExactly("host-burns", "host-burns-backlog", "host-burns-redis");
  }

  @Test
  void setups_all_areUsed() {
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
  void steps_unknownStep_isRejected(String line) {
    assertThatThrownBy(() -> Steps.of(List.of(line), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
