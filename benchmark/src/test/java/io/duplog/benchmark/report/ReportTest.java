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

/** Tests which results of a chaos fault count as failed, and the page and chart that show them. */
class ReportTest {
  private static final Fault FAULT = fault("kill-broker");
  private static final long ALLOWED_DUPLICATES = 5;

  private @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "0, 5, 0, 0, 0, '', passed",
    "0, 5, 0, 0, 1, '', stalled",
    "1, 0, 0, 0, 0, '', FAILED",
    "0, 6, 0, 0, 0, '', FAILED",
    "0, 0, 1, 0, 0, '', FAILED",
    "0, 0, 0, 1, 0, '', FAILED",
    "0, 0, 0, 0, 0, broken, FAILED"
  })
  void verdict_lossOrDelayOrErrorOrTooManyDuplicates_isFailed(
      long lost,
      long duplicated,
      long corrupted,
      long late,
      int millisAboveLimit,
      String error,
      String verdict) {
    Reconciliation counts = new Reconciliation(100, 200, 101, lost, duplicated, corrupted);
    Delays delays =
        new Delays(
            FAULT.limits().gap().plusMillis(millisAboveLimit),
            Duration.ofMillis(80),
            late,
            Duration.ZERO);
    FaultResult result =
        newResult(FAULT, counts, delays, error.isEmpty() ? List.of() : List.of(error));
    assertThat(result.verdict()).isEqualTo(verdict);
    assertThat(result.hasPassed()).isEqualTo(!verdict.equals("FAILED"));
  }

  @Test
  void text_pageReadAndRowReplaced_keepsOtherRowsInFaultOrder() throws Exception {
    List<String> order = List.of("kill-redis", "kill-broker");
    Path file = folder.resolve("table.md");
    TablePage firstPage = new TablePage();
    firstPage.add(newResult("kill-broker", 1), "1234abcd");
    firstPage.add(newResult("kill-redis", 1), "1234abcd");
    String text = firstPage.text(order, build -> false);
    Files.writeString(file, firstPage.text(order, build -> true));
    assertThat(TablePage.read(file).text(order, build -> false)).isEqualTo(text);

    TablePage secondPage = TablePage.read(file);
    secondPage.add(newResult("kill-broker", 0), "5678abcd");

    text = secondPage.text(order, "1234abcd"::equals);
    assertThat(text.lines().filter(line -> line.startsWith("| **")))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("| **kill-redis**: ")
                    .endsWith(" | 1234abcd, older | FAILED |"),
            line ->
                assertThat(line)
                    .startsWith("| **kill-broker**: ")
                    .endsWith(" | 5678abcd | passed |"));
    assertThat(text).contains("(kill-broker.svg)", "(kill-redis.svg)");
  }

  @Test
  void course_anyResult_isWellFormedAndHighlightsFault() throws Exception {
    Picture.course(newResult("kill-broker", 0)).write(folder);

    Path file = folder.resolve("kill-broker.svg");
    var picture = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(1);
    assertThat(picture.getElementsByTagName("rect").getLength())
        .as("background, axis and fault")
        .isEqualTo(3);
  }

  private static FaultResult newResult(String fault, long lost) {
    Reconciliation counts = new Reconciliation(100, 200, 101, lost, 0, 0);
    Delays delays = new Delays(Duration.ofMillis(40), Duration.ofMillis(80), 0, Duration.ZERO);
    return newResult(fault(fault), counts, delays, List.of());
  }

  private static Fault fault(String name) {
    return Faults.ALL.stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
  }

  private static FaultResult newResult(
      Fault fault, Reconciliation counts, Delays delays, List<String> errors) {
    return new FaultResult(
        fault,
        ALLOWED_DUPLICATES,
        counts,
        delays,
        new DeliveryCourse(
            List.of(10, 0, 30),
            Duration.ofMillis(250),
            Duration.ofMillis(200),
            Duration.ofMillis(500)),
        0.3,
        errors,
        List.of());
  }
}
