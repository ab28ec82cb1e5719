package io.duplog.benchmark.report;

import io.duplog.benchmark.measure.Latency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * How many messages took how long, as SVG. The time is on a logarithmic scale, and the same for all
 * charts, so that several can be compared at a glance.
 */
public final class HistogramChart {
  private static final double FIRST_MILLIS = 0.1;
  private static final double LAST_MILLIS = 100_000;
  private static final int WIDTH = 720;
  private static final int HEIGHT = 130;
  private static final int LEFT = 70;
  private static final int TOP = 32;
  private static final int MARGIN = 30;

  private HistogramChart() {}

  /** Writes a picture. What is outside the scale is drawn at its end. */
  public static void write(Path file, String title, List<Latency.Bucket> buckets)
      throws IOException {
    StringBuilder svg = new StringBuilder();
    line(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'"
            + " font-size='12'>",
        LEFT + WIDTH + MARGIN,
        TOP + HEIGHT + MARGIN);
    line(svg, "<rect width='100%%' height='100%%' fill='white'/>");
    line(svg, "<text x='8' y='20' font-weight='bold'>%s</text>", escaped(title));
    for (double millis = FIRST_MILLIS; millis <= LAST_MILLIS * 1.01; millis *= 10) {
      line(
          svg,
          "<line x1='%.1f' y1='%d' x2='%.1f' y2='%d' stroke='#ddd'/>",
          x(millis),
          TOP,
          x(millis),
          TOP + HEIGHT);
      line(
          svg,
          "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>",
          x(millis),
          TOP + HEIGHT + 18,
          time(millis));
    }
    long most = buckets.stream().mapToLong(Latency.Bucket::count).max().orElse(0);
    for (Latency.Bucket bucket : buckets) {
      double from = x(bucket.fromMillis());
      double height = (double) HEIGHT * bucket.count() / Math.max(1, most);
      line(
          svg,
          "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='#369'/>",
          from,
          TOP + HEIGHT - height,
          Math.max(1, x(bucket.toMillis()) - from - 1),
          height);
    }
    line(svg, "<text x='%d' y='%d' text-anchor='end'>%,d</text>", LEFT - 6, TOP + 10, most);
    line(svg, "<text x='%d' y='%d' text-anchor='end'>0</text>", LEFT - 6, TOP + HEIGHT);
    line(svg, "</svg>");
    Files.writeString(file, svg);
  }

  private static double x(double millis) {
    double held = Math.min(LAST_MILLIS, Math.max(FIRST_MILLIS, millis));
    return LEFT + WIDTH * Math.log(held / FIRST_MILLIS) / Math.log(LAST_MILLIS / FIRST_MILLIS);
  }

  private static String time(double millis) {
    if (millis > 999) {
      return String.format(Locale.ROOT, "%.0f s", millis / 1000);
    }
    return String.format(Locale.ROOT, millis < 0.99 ? "%.1f ms" : "%.0f ms", millis);
  }

  private static void line(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
