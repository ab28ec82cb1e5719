package io.duplog.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.fault.Fault;
import io.duplog.benchmark.fault.Faults;
import io.duplog.benchmark.measure.Reconciliation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportTest {
  private static final Fault FAULT = fault("kill-broker");
  private static final long ALLOWED = 5;

  private @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "0, 5, 0, 0, '', passed",
    "0, 5, 0, 1, '', stalled",
    "1, 0, 0, 0, '', FAILED",
    "0, 6, 0, 0, '', FAILED",
    "0, 0, 1, 0, '', FAILED",
    "0, 0, 0, 0, broken, FAILED"
  })
  void row_passes_onlyWithoutLossCorruptionErrorAndUnlicensedDuplicates(
      long lost, long duplicated, long corrupted, int tooLong, String error, String verdict) {
    Reconciliation counts = new Reconciliation(100, 200, 101, lost, duplicated, corrupted);
    Duration gap = FAULT.gapLimit().plusMillis(tooLong);
    Row row = row(FAULT, counts, gap, error.isEmpty() ? List.of() : List.of(error));
    assertThat(row.verdict()).isEqualTo(verdict);
    assertThat(row.hasPassed()).isEqualTo(!verdict.equals("FAILED"));
  }

  @Test
  void pageThatIsReadAgain_keepsWhatIsNotMadeAnew_inTheOrderOfTheFaults() throws Exception {
    List<String> order = List.of("kill-redis", "kill-broker");
    Path file = folder.resolve("table.md");
    TablePage before = new TablePage();
    before.add(row("kill-broker", 1));
    before.add(row("kill-redis", 1));
    Files.writeString(file, before.text(order));
    assertThat(TablePage.read(file).text(order)).isEqualTo(before.text(order));

    TablePage after = TablePage.read(file);
    after.add(row("kill-broker", 0));

    assertThat(after.text(order).lines().filter(line -> line.startsWith("| **")))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("| **kill-redis**: ").endsWith("| FAILED |"),
            line -> assertThat(line).startsWith("| **kill-broker**: ").endsWith("| passed |"));
    assertThat(after.text(order)).contains("(kill-broker.svg)", "(kill-redis.svg)");
  }

  @Test
  void chart_isWellFormed_andMarksTheFault() throws Exception {
    Picture.course(row("kill-broker", 0)).write(folder);

    Path file = folder.resolve("kill-broker.svg");
    var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(1);
    assertThat(picture.getElementsByTagName("rect").getLength())
        .as("the ground, the axis, the fault")
        .isEqualTo(3);
  }

  private static Row row(String fault, long lost) {
    Reconciliation counts = new Reconciliation(100, 200, 101, lost, 0, 0);
    return row(fault(fault), counts, Duration.ofMillis(40), List.of());
  }

  private static Fault fault(String name) {
    return Faults.all().stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
  }

  private static Row row(Fault fault, Reconciliation counts, Duration gap, List<String> errors) {
    return new Row(
        fault,
        ALLOWED,
        counts,
        new Delays(gap, Duration.ofMillis(80), 1),
        new Course(
            List.of(10, 0, 30),
            Duration.ofMillis(250),
            Duration.ofMillis(200),
            Duration.ofMillis(500)),
        0.3,
        errors,
        List.of());
  }
}
