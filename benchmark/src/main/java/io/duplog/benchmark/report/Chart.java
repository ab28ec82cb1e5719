package io.duplog.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Delivered messages a second around a fault, as SVG. */
public final class Chart {
  private static final int WIDTH = 800;
  private static final int HEIGHT = 200;
  private static final int LEFT = 60;
  private static final int TOP = 30;
  private static final int MARGIN = 30;

  /** Marks of the time, one every so many seconds. */
  private static final int MARK_SECONDS = 5;

  private final Row row;
  private final Course course;
  private final double highest;
  private final double millis;
  private final StringBuilder svg = new StringBuilder();

  private Chart(Row row) {
    this.row = row;
    this.course = row.course();
    double most = 1;
    for (int i = 0; i < course.delivered().size(); i++) {
      most = Math.max(most, course.rate(i));
    }
    this.highest = most;
    this.millis = Math.max(1, course.delivered().size() * course.interval().toMillis());
  }

  /** Writes the picture of a row into a folder. */
  public static void write(Path folder, Row row) throws IOException {
    Files.writeString(folder.resolve(fileName(row)), new Chart(row).draw());
  }

  static String fileName(Row row) {
    return row.fault().name() + ".svg";
  }

  private String draw() {
    line(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'"
            + " font-size='12'>",
        LEFT + WIDTH + MARGIN, TOP + HEIGHT + MARGIN);
    line("<rect width='100%%' height='100%%' fill='white'/>");
    line(
        "<text x='%d' y='18'>%s: %s (delivered messages a second)</text>",
        LEFT, row.fault().name(), escaped(row.fault().what()));
    double began = x(course.faultBegan());
    line(
        "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='#fdd'/>",
        began, TOP, x(course.faultEnded()) - began, HEIGHT);
    line("<text x='%d' y='%d' text-anchor='end'>%.0f</text>", LEFT - 6, TOP + 10, highest);
    line("<text x='%d' y='%d' text-anchor='end'>0</text>", LEFT - 6, TOP + HEIGHT);
    for (int s = 0; s * 1000.0 <= millis; s += MARK_SECONDS) {
      line(
          "<text x='%.1f' y='%d' text-anchor='middle'>%d s</text>",
          x(Duration.ofSeconds(s)), TOP + HEIGHT + 18, s);
    }
    drawCourse();
    line("</svg>");
    return svg.toString();
  }

  private void drawCourse() {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < course.delivered().size(); i++) {
      double x = x(course.interval().multipliedBy(i));
      double y = TOP + HEIGHT - HEIGHT * course.rate(i) / highest;
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
    }
    line("<polyline fill='none' stroke='#036' stroke-width='1.2' points='%s'/>", points);
    line(
        "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#888'/>",
        LEFT, TOP, WIDTH, HEIGHT);
  }

  private double x(Duration time) {
    return LEFT + WIDTH * Math.min(1, time.toMillis() / millis);
  }

  private void line(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
