package io.duplog.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.Faults;
import io.duplog.benchmark.measure.Reconciliation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Fault FAULT =
      Faults.all().stream().filter(f -> f.name().equals("kill-broker")).findFirst().orElseThrow();
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

    JsonReport.write(file, List.of(row(1, 2, 3)));

    Map<String, String> fields = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(Files.readString(file))) {
      while (json.nextToken() != null) {
        if (json.currentToken().isScalarValue() && json.currentName() != null) {
          fields.put(json.currentName(), json.getText());
        }
      }
    }
    assertThat(fields)
        .containsEntry("fault", "kill-broker")
        .containsEntry("sent", "100")
        .containsEntry("delivered", "101")
        .containsEntry("lost", "1")
        .containsEntry("duplicated", "2")
        .containsEntry("allowed_duplicates", "5")
        .containsEntry("corrupted", "3")
        .containsEntry("longest_gap_ms", "40")
        .containsEntry("late", "1")
        .containsEntry("bridge_peak_rss", "7000000")
        .containsEntry("shim_peak_rss", "6000000")
        .containsEntry("seconds", "12.5")
        .containsEntry("passed", "false");
  }

  @Test
  void markdown_hasALineAndAPictureForEachRow() {
    String page = Table.markdown(List.of(row(0, 0, 0), row(1, 0, 0)));

    assertThat(page.lines().filter(line -> line.startsWith("| **kill-broker**"))).hasSize(2);
    assertThat(page).contains("| passed |").contains("| FAILED |").contains("(kill-broker.svg)");
  }

  @Test
  void chart_isWellFormed_andMarksTheFault() throws Exception {
    Chart.write(folder, row(0, 0, 0));

    Path file = folder.resolve("kill-broker.svg");
    var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(1);
    assertThat(picture.getElementsByTagName("rect").getLength()).isEqualTo(3);
  }

  private static Row row(long lost, long duplicated, long corrupted) {
    return row(
        new Reconciliation(100, 200, 101, lost, duplicated, corrupted), Duration.ofMillis(40));
  }

  private static Row row(Reconciliation counts, Duration gap, String... errors) {
    return new Row(
        FAULT,
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
