package io.duplog.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.Faults;
import io.duplog.benchmark.measure.Reconciliation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Fault FAULT = fault("kill-broker");
  private static final long ALLOWED = 5;

  private @TempDir Path folder;

  @Test
  void row_passes_onlyWithoutLossCorruptionErrorAndUnlicensedDuplicates() {
    assertThat(row(0, ALLOWED, 0).hasPassed()).isTrue();
    assertThat(row(1, 0, 0).hasPassed()).isFalse();
    assertThat(row(0, ALLOWED + 1, 0).hasPassed()).isFalse();
    assertThat(row(0, 0, 1).hasPassed()).isFalse();
    assertThat(row(new Reconciliation(9, 9, 9, 0, 0, 0), Duration.ZERO, "broken").hasPassed())
        .isFalse();
  }

  @Test
  void row_whoseStreamStoodStillForTooLong_isStalled() {
    Reconciliation exact = new Reconciliation(9, 9, 9, 0, 0, 0);

    assertThat(row(exact, FAULT.gapLimit()).verdict()).isEqualTo("passed");
    assertThat(row(exact, FAULT.gapLimit().plusMillis(1)).verdict()).isEqualTo("stalled");
    assertThat(row(1, 0, 0).verdict()).isEqualTo("FAILED");
  }

  @Test
  void json_hasEveryFigure() throws IOException {
    Path file = folder.resolve("rows.json");

    Json.write(file, List.of(row(1, 2, 3)));

    JsonNode json = Json.read(file, JsonNode.class).get(0);
    String fields =
        """
        fault=kill-broker
        sent=100
        delivered=101
        lost=1
        duplicated=2
        allowed_duplicates=5
        corrupted=3
        longest_gap_ms=40
        late=1
        bridge_peak_rss=7000000
        shim_peak_rss=6000000
        seconds=12.5
        passed=false
        """;
    assertThat(fields.lines())
        .allSatisfy(
            field -> {
              String[] parts = field.split("=", 2);
              assertThat(json.path(parts[0]).asText()).as(field).isEqualTo(parts[1]);
            });
  }

  @Test
  void markdown_hasALineAndAPictureForEachRow() {
    TablePage page = new TablePage();
    page.add(row(0, 0, 0));
    page.add(row("kill-redis", 1));

    String text = page.text(List.of("kill-redis", "kill-broker"));

    assertThat(text.lines().filter(line -> line.startsWith("| **")))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("| **kill-redis**: ").endsWith("| FAILED |"),
            line -> assertThat(line).startsWith("| **kill-broker**: ").endsWith("| passed |"));
    assertThat(text).contains("(kill-broker.svg)").contains("(kill-redis.svg)");
  }

  @Test
  void pageThatIsReadAgain_keepsWhatIsNotMadeAnew() throws Exception {
    List<String> order = List.of("kill-broker", "kill-redis");
    Path file = folder.resolve("table.md");
    TablePage before = new TablePage();
    before.add(row(1, 0, 0));
    before.add(row("kill-redis", 0));
    Files.writeString(file, before.text(order));

    TablePage after = TablePage.read(file);
    after.add(row(0, 0, 0));

    TablePage wanted = new TablePage();
    wanted.add(row(0, 0, 0));
    wanted.add(row("kill-redis", 0));
    assertThat(after.text(order)).isEqualTo(wanted.text(order));
    assertThat(TablePage.read(file).text(order)).isEqualTo(before.text(order));
  }

  @Test
  void chart_isWellFormed_andMarksTheFault() throws Exception {
    Picture.course(row(0, 0, 0)).write(folder);

    Path file = folder.resolve("kill-broker.svg");
    var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(1);
    assertThat(picture.getElementsByTagName("rect").getLength())
        .as("the ground, the axis, the fault")
        .isEqualTo(3);
  }

  private static Row row(long lost, long duplicated, long corrupted) {
    return row(
        new Reconciliation(100, 200, 101, lost, duplicated, corrupted), Duration.ofMillis(40));
  }

  private static Row row(String fault, long lost) {
    return row(fault(fault), new Reconciliation(100, 200, 101, lost, 0, 0), Duration.ofMillis(40));
  }

  private static Fault fault(String name) {
    return Faults.all().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
  }

  private static Row row(Reconciliation counts, Duration gap, String... errors) {
    return row(FAULT, counts, gap, errors);
  }

  private static Row row(Fault fault, Reconciliation counts, Duration gap, String... errors) {
    return new Row(
        fault,
        ALLOWED,
        counts,
        new Delays(gap, Duration.ofMillis(80), 1, Duration.ZERO),
        new Course(
            List.of(10, 0, 30),
            Duration.ofMillis(250),
            Duration.ofMillis(200),
            Duration.ofMillis(500)),
        7_000_000,
        6_000_000,
        12.5,
        0.3,
        List.of(errors),
        List.of());
  }
}
