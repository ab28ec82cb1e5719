package io.duplog.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.duplog.benchmark.measure.Latency;
import io.duplog.benchmark.measure.Reconciliation;
import io.duplog.benchmark.report.ScenarioReport.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;

class ScenarioReportTest {
  private static final Latency LATENCY = new Latency(10, 1.5, 1.25, 2.5, 3.5, 4.5, 5.5, List.of());
  private static final Map<String, Double> CPU =
      mapOf("generator", 9.5, "shim", 2.25, "broker", 1.5, "redis", 0.5, "bridge", 4.0);
  private static final Reconciliation EXACT = new Reconciliation(1_000, 2_000, 1_000, 0, 0, 0);

  private @TempDir Path folder;

  @Test
  void earlierRuns_stay_whereLaterOnesDoNotReplaceThem() throws Exception {
    Reconciliation other = new Reconciliation(7, 14, 9, 0, 2, 0);
    ScenarioReport earlier = report(run("single", EXACT, LATENCY), run("pair", EXACT, null));
    earlier.write(folder);

    ScenarioReport both = report(run("pair", other, null)).besideThoseOf(folder);

    assertThat(both.runs())
        .usingRecursiveComparison()
        .ignoringFields("latency.count") // the JSON has no count of the samples
        .isEqualTo(List.of(run("single", EXACT, LATENCY), run("pair", other, null)));
    assertThat(both.remarks()).last().asString().contains("`pair` later than the others");
    both.write(folder);
    assertThat(picture("sizing.svg").getElementsByTagName("rect").getLength())
        .as("a background and a bar for each run")
        .isEqualTo(3);
  }

  @Test
  void reportOfItsOwn_isNotChanged_whereThereIsNoEarlierOne() throws IOException {
    ScenarioReport only = report(run("pair", EXACT, null));
    assertThat(only.besideThoseOf(folder)).isEqualTo(only);
  }

  @Test
  void json_hasTheFieldsThatProgramsReadFromIt() throws IOException {
    Path file = folder.resolve("sc4s.json");
    Reconciliation faulty = new Reconciliation(1_000, 2_000, 1_004, 1, 2, 3);
    report(run("single", EXACT, LATENCY), run("pair", faulty, null)).writeJson(file);

    JsonNode json = Json.read(file, JsonNode.class);
    assertThat(json.get("machine").fieldNames())
        .toIterable()
        .contains("cores", "cpu", "memory", "system", "kernel", "java", "rsyslog", "redis");
    String places =
        """
        /scenario=sc4s
        /runs/0/variant=single
        /runs/0/seconds=20.0
        /runs/0/sent=1000
        /runs/0/copies=2000
        /runs/0/delivered=1000
        /runs/0/lost=0
        /runs/0/rate=12345.5
        /runs/0/latency_ms/avg=1.5
        /runs/0/latency_ms/p50=1.25
        /runs/0/latency_ms/p75=2.5
        /runs/0/latency_ms/p95=3.5
        /runs/0/latency_ms/p99=4.5
        /runs/0/latency_ms/max=5.5
        /runs/0/cpu_us_per_message/generator=9.5
        /runs/0/resident_bytes/bridge=104857600
        /runs/0/figures/bytes a digest=44.5
        /runs/0/configuration/shim=defaults
        /runs/0/notes/0=a "note"
        /runs/1/variant=pair
        /runs/1/lost=1
        /runs/1/duplicated=2
        /runs/1/corrupted=3
        """;
    assertThat(places.lines())
        .allSatisfy(
            place -> {
              String[] parts = place.split("=", 2);
              assertThat(json.at(parts[0]).asText()).as(place).isEqualTo(parts[1]);
            });
    assertThat(json.at("/runs/1").has("latency_ms")).isFalse();
  }

  @Test
  void report_isWhole_ifNoRunLostOrAlteredAMessage() {
    Reconciliation lost = new Reconciliation(9, 18, 8, 1, 0, 0);
    Reconciliation altered = new Reconciliation(9, 18, 10, 0, 0, 1);
    Reconciliation repeated = new Reconciliation(9, 18, 10, 0, 1, 0);
    Run exact = run("exact", EXACT, null);
    assertThat(report(exact, run("repeated", repeated, null)).isWhole()).isTrue();
    assertThat(report(exact, run("lost", lost, null)).isWhole()).isFalse();
    assertThat(report(run("altered", altered, null), exact).isWhole()).isFalse();
  }

  @Test
  void folder_getsThePage_theJsonAndEveryPicture() throws Exception {
    Path page = report(run("single", EXACT, LATENCY), run("a < b & c", EXACT, null)).write(folder);

    assertThat(page).isEqualTo(folder.resolve("sc4s.md"));
    assertThat(ScenarioResults.read(folder.resolve("sc4s.json")).runs().get(1).variant())
        .isEqualTo("a < b & c");
    Document rates = picture("sc4s.svg");
    assertThat(rates.getElementsByTagName("rect").getLength()).as("with the ground").isEqualTo(3);
    assertThat(rates.getElementsByTagName("text").item(3).getTextContent()).isEqualTo("a < b & c");
    assertThat(picture("sizing.svg").getElementsByTagName("rect").getLength()).isEqualTo(3);
    assertThat(Files.readString(page))
        .contains(
            "| single | 12,346 | 1,000 | 1,000 | 0 | 0 | 0 | 1.5 | 1.3 | 2.5 | 3.5 | 4.5 | 5.5 |")
        .contains("| single | 9.50 | 2.25 | 1.50 | 0.50 | 4.00 (100) | 8.25 |")
        .contains("![sc4s: messages a second at the sink, each counted once](sc4s.svg)")
        .contains("![by cores](sizing.svg)")
        .contains("| run | bytes a digest |\n|---|--:|\n| single | 44.50 |\n")
        .contains("| others | 21,100/s |")
        .contains("\nNot comparable.\n")
        .contains("**single**: shim defaults\n\n- a \"note\"\n");
  }

  @Test
  void summary_hasALineForEachRun() {
    String summary = report(run("single", EXACT, LATENCY), run("pair", EXACT, null)).summary();
    assertThat(summary.lines())
        .containsExactly(
            "sc4s: single: 12,346 messages/s, sent=1000 delivered=1000 lost=0 duplicated=0"
                + " corrupted=0, 1.5 ms on average, p99 4.5 ms, 8.25 µs CPU a message",
            "sc4s: pair: 12,346 messages/s, sent=1000 delivered=1000 lost=0 duplicated=0"
                + " corrupted=0, 8.25 µs CPU a message");
  }

  @Test
  void run_withAnotherLatency_keepsTheRest() {
    Run run = run("single", EXACT, null);
    Run other = run.withLatency(LATENCY, Map.of("delivery", "3 ms"));
    assertThat(other.latency()).isEqualTo(LATENCY);
    assertThat(other.facts()).containsEntry("shim", "defaults").containsEntry("delivery", "3 ms");
    assertThat(other.withLatency(LATENCY, Map.of()).counts()).isEqualTo(run.counts());
  }

  @ParameterizedTest
  @MethodSource
  void pictures_areWellFormed(Picture picture, int rectangles) throws Exception {
    picture.write(folder);
    Document document = picture(picture.name() + ".svg");
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(rectangles);
    assertThat(document.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("a < b");
  }

  static List<Arguments> pictures_areWellFormed() {
    List<Latency.Bucket> buckets =
        List.of(
            new Latency.Bucket(0.01, 0.02, 5),
            new Latency.Bucket(10, 12.5, 20),
            new Latency.Bucket(1e6, 2e6, 1));
    return List.of( // with the ground; histograms have an axis and seven lines, too
        Arguments.of(Picture.bars("none", "a < b", List.of()), 1),
        Arguments.of(Picture.bars("zero", "a < b", List.of(new Picture.Bar("zero", 0))), 2),
        Arguments.of(Picture.histogram("empty", "a < b", List.of()), 9),
        Arguments.of(Picture.histogram("full", "a < b", buckets), 12));
  }

  private Document picture(String name) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(folder.resolve(name).toFile());
  }

  private static ScenarioReport report(Run... runs) {
    return new ScenarioReport(
        "sc4s",
        "What it does.",
        List.of(runs),
        List.of(new Published("others", "21,100/s")),
        List.of("Not comparable."),
        all ->
            List.of(
                Picture.bars(
                    "sizing",
                    "by cores",
                    all.stream().map(run -> new Picture.Bar(run.variant(), 17.5)).toList())));
  }

  private static Run run(String variant, Reconciliation counts, @Nullable Latency latency) {
    return new Run(
        variant,
        20,
        counts,
        12_345.5,
        latency,
        CPU,
        Map.of("bridge", 100L << 20),
        Map.of("bytes a digest", 44.5),
        Map.of("shim", "defaults"),
        List.of("a \"note\""));
  }

  private static Map<String, Double> mapOf(Object... entries) {
    Map<String, Double> map = new LinkedHashMap<>();
    for (int i = 0; i < entries.length; i += 2) {
      map.put((String) entries[i], (Double) entries[i + 1]);
    }
    return map;
  }
}
