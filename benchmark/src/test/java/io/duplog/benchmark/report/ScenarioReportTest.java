package io.duplog.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

/** Tests the page, the pictures and the JSON file that report a scenario's runs. */
class ScenarioReportTest {
  private static final Latency LATENCY = new Latency(10, 1.5, 1.25, 2.5, 3.5, 4.5, 5.5);
  private static final Run SINGLE = run("single", 0, LATENCY);
  private static final Run PAIR = run("a < b", 1, null);

  private @TempDir Path folder;

  private static Run run(String variant, long lost, Latency latency) {
    return new Run(
            variant,
            new Reconciliation(1000, 2000, 1000, lost, 2 * lost, 3 * lost),
            12_345.5,
            null,
            ImmutableMap.of("generator", 9.5, "shim", 2.25, "bridge", 4.0),
            Map.of("bridge", 100L << 20),
            Map.of(),
            Map.of("shim", "defaults"))
        .withLatency(latency)
        .withFigures(Map.of("bytes a digest", 44.5))
        .withFacts(Map.of("delivery", "3 ms"));
  }

  private ScenarioReport report() {
    return new ScenarioReport(
        "sc4s",
        "Before.\n\n{{results}}\n\nAfter.\n",
        Machine.facts(),
        List.of(SINGLE, PAIR),
        List.of("So."));
  }

  @Test
  void json_writtenAndRead_hasSameRuns() throws Exception {
    report().write(folder);

    assertThat(Json.read(folder.resolve("sc4s.json"), ScenarioResults.class).runs())
        .usingRecursiveComparison()
        .ignoringFields("latency.count") // The JSON has no count of the samples.
        .isEqualTo(List.of(SINGLE, PAIR));
  }

  @Test
  void json_written_hasFieldsOfPublishedFormat() throws Exception {
    Path file = folder.resolve("sc4s.json");
    report().writeJson(file);

    JsonNode json = Json.read(file, JsonNode.class);
    assertThat(json.at("/scenario").asText()).isEqualTo("sc4s");
    assertThat(json.get("machine").fieldNames())
        .toIterable()
        .contains("cores", "cpu", "memory", "system", "kernel", "java", "rsyslog", "redis")
        .contains("build", "made", "load at the start");
    assertThat(json.at("/runs/0"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"variant": "single",
                     "sent": 1000, "copies": 2000, "delivered": 1000,
                     "lost": 0, "duplicated": 0, "corrupted": 0,
                     "rate": 12345.5,
                     "latency_ms":
                       {"avg": 1.5, "p50": 1.25, "p75": 2.5, "p95": 3.5, "p99": 4.5, "max": 5.5},
                     "cpu_us_per_message": {"generator": 9.5, "shim": 2.25, "bridge": 4.0},
                     "resident_bytes": {"bridge": 104857600},
                     "figures": {"bytes a digest": 44.5},
                     "configuration": {"shim": "defaults", "delivery": "3 ms"}}
                    """));
    assertThat(json.at("/runs/1").has("latency_ms")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"0, 7, 0, true", "1, 0, 0, false", "0, 0, 1, false"})
  void isWhole_messageLostOrAltered_isFalse(
      long lost, long duplicated, long corrupted, boolean isWhole) {
    Reconciliation counts = new Reconciliation(9, 18, 9, lost, duplicated, corrupted);
    Run run = new Run("any", counts, 1, null, Map.of(), Map.of(), Map.of(), Map.of());
    assertThat(run.isWhole()).isEqualTo(isWhole);
  }

  @Test
  void page_written_hasTextAroundResultsAndPicture() throws Exception {
    Path page = report().write(folder);

    assertThat(page).isEqualTo(folder.resolve("sc4s.md"));
    assertThat(Files.readString(page))
        .startsWith("# sc4s\n\nBefore.\n\n")
        .contains(
            "| single | 12,346 | 1,000 | 1,000 | 0 | 0 | 0"
                + " | 1.50 | 1.25 | 2.50 | 3.50 | 4.50 | 5.50 |\n",
            "| a < b | 12,346 | 1,000 | 1,000 | 1 | 2 | 3 |  |  |  |  |  |  |\n",
            "| single | 9.50 | 2.25 | 4 (100) | 6.25 |\n",
            "| run | bytes a digest |\n|---|--:|\n| single | 44.5 |\n",
            "![sc4s: messages a second at the sink, each counted once](sc4s.svg)\n\nAfter.\n\n",
            "\n\nAfter.\n\nSo.\n\n**single**: shim defaults");
    Document rates = picture("sc4s.svg");
    assertThat(rates.getElementsByTagName("rect").getLength())
        .as("including the background")
        .isEqualTo(3);
    assertThat(rates.getElementsByTagName("text").item(3).getTextContent()).isEqualTo("a < b");
  }

  @Test
  void summary_withAndWithoutLatency_isOneLine() {
    String counts =
        "%s: 12,346 messages/s, sent=1000 delivered=1000 lost=%d duplicated=%d corrupted=%d%s,"
            + " 6.25 µs CPU a message";
    assertThat(SINGLE.summary())
        .isEqualTo(counts.formatted("single", 0, 0, 0, ", 1.50 ms on average, p99 4.50 ms"));
    assertThat(PAIR.summary()).isEqualTo(counts.formatted("a < b", 1, 2, 3, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0         | 0
          0.0012    | 1.2e-03
          1.234     | 1.23
          2         | 2
          44.56     | 44.6
          551.42    | 551
          12345.5   | 12,346
          """)
  void text_number_hasThreeSignificantDigits(double value, String text) {
    assertThat(Numbers.text(value)).isEqualTo(text);
  }

  @Test
  void bars_noRunsOrZeros_isWellFormed() throws Exception {
    assertThat(rectangles("none", List.of())).isEqualTo(1);
    assertThat(rectangles("zero", List.of(SINGLE))).isEqualTo(2);
  }

  /** Counts a chart's rectangles, including the background. */
  private int rectangles(String name, List<Run> runs) throws Exception {
    Picture.bars(name, "a < b", runs, run -> 0).write(folder);
    Document document = picture(name + ".svg");
    assertThat(document.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("a < b");
    return document.getElementsByTagName("rect").getLength();
  }

  private Document picture(String name) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(folder.resolve(name).toFile());
  }
}
