package io.duplog.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * An SVG chart of a report, such as bars of the rates.
 *
 * @param name the file's name without its extension
 * @param title the title, which also states the unit
 * @param svg the file's content
 */
public record Picture(String name, String title, String svg) {
  private static final String DARK_BLUE = "#369";
  private static final String LIGHT_GREY = "#ddd";
  private static final int CHART_WIDTH = 800;
  private static final int TITLE_HEIGHT = 32;
  private static final int MARGIN = 30;

  /** Width in pixels of the column of names to the left of the bars. */
  private static final int NAME_WIDTH = 330;

  /** Width in pixels of the column of numbers to the right of the bars. */
  private static final int NUMBER_WIDTH = 110;

  private static final int BAR_HEIGHT = 22;

  /** Width in pixels of the vertical scale to the left of a line chart. */
  private static final int SCALE_WIDTH = 70;

  private static final int CHART_HEIGHT = 160;

  /** Seconds between two labels of the time axis. */
  private static final int TIME_LABEL_SECONDS = 5;

  /**
   * Returns a picture with a bar for each run, its name and its number.
   *
   * @param length returns the number of a run, which must not be negative
   */
  public static Picture bars(
      String name, String title, List<Run> runs, ToDoubleFunction<Run> length) {
    double maxValue = Math.max(1e-9, runs.stream().mapToDouble(length).max().orElse(0));
    Svg svg =
        new Svg(
            NAME_WIDTH + CHART_WIDTH / 2 + NUMBER_WIDTH,
            TITLE_HEIGHT + BAR_HEIGHT * runs.size(),
            title);
    double y = TITLE_HEIGHT;
    for (Run run : runs) {
      double value = length.applyAsDouble(run);
      double end = NAME_WIDTH + value / maxValue * CHART_WIDTH / 2;
      svg.text(NAME_WIDTH - 6, y + 12, "end", run.variant());
      svg.rectangle(NAME_WIDTH, y, end - NAME_WIDTH, BAR_HEIGHT - 6, DARK_BLUE);
      svg.text(end + 5, y + 12, "start", Numbers.text(value));
      y += BAR_HEIGHT;
    }
    return new Picture(name, title, svg.toString());
  }

  /**
   * Returns a picture of the delivered messages per second, with the time of the fault highlighted.
   */
  public static Picture course(FaultResult result) {
    DeliveryCourse course = result.course();
    List<Integer> delivered = course.delivered();
    String title =
        "%s: %s (delivered messages a second)"
            .formatted(result.fault().name(), result.fault().description());
    double perSecond = (double) Duration.ofSeconds(1).toMillis() / course.interval().toMillis();
    int maxValue = Math.max(1, delivered.stream().mapToInt(Integer::intValue).max().orElse(0));
    double millis = Math.max(1, delivered.size() * course.interval().toMillis());
    Svg svg = newChart(title, Math.round(maxValue * perSecond));
    double faultX =
        SCALE_WIDTH + CHART_WIDTH * Math.min(1, course.faultBegan().toMillis() / millis);
    double faultEndX =
        SCALE_WIDTH + CHART_WIDTH * Math.min(1, course.faultEnded().toMillis() / millis);
    svg.rectangle(faultX, TITLE_HEIGHT, faultEndX - faultX, CHART_HEIGHT, "#fdd");
    for (int s = 0; s * 1000.0 <= millis; s += TIME_LABEL_SECONDS) {
      svg.text(
          SCALE_WIDTH + CHART_WIDTH * s * 1000 / millis,
          TITLE_HEIGHT + CHART_HEIGHT + 18,
          "middle",
          s + " s");
    }
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < delivered.size(); i++) {
      double x = SCALE_WIDTH + (double) CHART_WIDTH * i / delivered.size();
      double y = TITLE_HEIGHT + CHART_HEIGHT - (double) CHART_HEIGHT * delivered.get(i) / maxValue;
      points.append("%.1f,%.1f ".formatted(x, y));
    }
    svg.line(points.toString(), DARK_BLUE);
    return new Picture(result.fault().name(), title, svg.toString());
  }

  /** Returns a line chart without a line. Its vertical scale goes from zero to {@code maxValue}. */
  private static Svg newChart(String title, long maxValue) {
    Svg svg =
        new Svg(SCALE_WIDTH + CHART_WIDTH + MARGIN, TITLE_HEIGHT + CHART_HEIGHT + MARGIN, title);
    svg.text(SCALE_WIDTH - 6, TITLE_HEIGHT + 10, "end", "%,d".formatted(maxValue));
    svg.text(SCALE_WIDTH - 6, TITLE_HEIGHT + CHART_HEIGHT, "end", "0");
    svg.rectangle(SCALE_WIDTH, TITLE_HEIGHT + CHART_HEIGHT, CHART_WIDTH, 1, LIGHT_GREY);
    return svg;
  }

  String fileName() {
    return name + ".svg";
  }

  /** Writes the picture to an SVG file in a folder. */
  public void write(Path folder) throws IOException {
    Files.writeString(folder.resolve(fileName()), svg);
  }
}
