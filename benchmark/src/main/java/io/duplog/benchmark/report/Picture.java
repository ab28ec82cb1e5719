package io.duplog.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A picture of a report.
 *
 * @param name the file's name without its extension
 * @param title the title, which also states the unit
 * @param svg the file's content
 */
public record Picture(String name, String title, String svg) {
  private static final String DARK = "#369";
  private static final String LIGHT = "#ddd";
  private static final int WIDTH = 800;
  private static final int TOP = 32;
  private static final int MARGIN = 30;

  /** Width in pixels of the column of names to the left of the bars. */
  private static final int NAME_WIDTH = 330;

  /** Width in pixels of the column of numbers to the right of the bars. */
  private static final int NUMBER_WIDTH = 110;

  private static final int BAR_HEIGHT = 22;

  /** Width in pixels of the vertical scale to the left of a line chart. */
  private static final int LEFT = 70;

  private static final int HEIGHT = 160;

  /** Seconds between two marks of the time axis. */
  private static final int MARK_SECONDS = 5;

  /**
   * Returns a picture with a bar for each run, its name and its number.
   *
   * @param length returns the number of a run, which must not be negative
   */
  public static Picture bars(
      String name, String title, List<Run> runs, ToDoubleFunction<Run> length) {
    double most = Math.max(1e-9, runs.stream().mapToDouble(length).max().orElse(0));
    Svg svg = new Svg(NAME_WIDTH + WIDTH / 2 + NUMBER_WIDTH, TOP + BAR_HEIGHT * runs.size(), title);
    double y = TOP;
    for (Run run : runs) {
      double value = length.applyAsDouble(run);
      double end = NAME_WIDTH + value / most * WIDTH / 2;
      svg.text(NAME_WIDTH - 6, y + 12, "end", run.variant());
      svg.rectangle(NAME_WIDTH, y, end - NAME_WIDTH, BAR_HEIGHT - 6, DARK);
      svg.text(end + 5, y + 12, "start", Numbers.text(value));
      y += BAR_HEIGHT;
    }
    return new Picture(name, title, svg.toString());
  }

  /**
   * Returns a picture of the delivered messages a second, in which the time of the fault is marked.
   */
  public static Picture course(FaultResult row) {
    DeliveryCourse course = row.course();
    List<Integer> delivered = course.delivered();
    String title =
        "%s: %s (delivered messages a second)".formatted(row.fault().name(), row.fault().what());
    double perSecond = (double) Duration.ofSeconds(1).toMillis() / course.interval().toMillis();
    int most = Math.max(1, delivered.stream().mapToInt(Integer::intValue).max().orElse(0));
    double millis = Math.max(1, delivered.size() * course.interval().toMillis());
    Svg svg = framed(title, Math.round(most * perSecond));
    double began = LEFT + WIDTH * Math.min(1, course.faultBegan().toMillis() / millis);
    double ended = LEFT + WIDTH * Math.min(1, course.faultEnded().toMillis() / millis);
    svg.rectangle(began, TOP, ended - began, HEIGHT, "#fdd");
    for (int s = 0; s * 1000.0 <= millis; s += MARK_SECONDS) {
      svg.text(LEFT + WIDTH * s * 1000 / millis, TOP + HEIGHT + 18, "middle", s + " s");
    }
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < delivered.size(); i++) {
      double x = LEFT + (double) WIDTH * i / delivered.size();
      double y = TOP + HEIGHT - (double) HEIGHT * delivered.get(i) / most;
      points.append("%.1f,%.1f ".formatted(x, y));
    }
    svg.line(points.toString(), DARK);
    return new Picture(row.fault().name(), title, svg.toString());
  }

  /** Returns a line chart without a line; its vertical scale goes from zero to {@code most}. */
  private static Svg framed(String title, long most) {
    Svg svg = new Svg(LEFT + WIDTH + MARGIN, TOP + HEIGHT + MARGIN, title);
    svg.text(LEFT - 6, TOP + 10, "end", "%,d".formatted(most));
    svg.text(LEFT - 6, TOP + HEIGHT, "end", "0");
    svg.rectangle(LEFT, TOP + HEIGHT, WIDTH, 1, LIGHT);
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
