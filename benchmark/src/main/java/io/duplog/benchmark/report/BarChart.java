package io.duplog.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Bars that lie side by side, each with its name and its number, as SVG. */
public final class BarChart {
  private static final int NAME_WIDTH = 330;
  private static final int BAR_WIDTH = 420;
  private static final int NUMBER_WIDTH = 110;
  private static final int ROW = 22;
  private static final int TOP = 34;

  /** One of them. */
  public record Bar(String name, double value) {}

  private BarChart() {}

  /**
   * Writes a picture.
   *
   * @param title says the unit, too
   * @param bars none of them negative
   */
  public static void write(Path file, String title, List<Bar> bars) throws IOException {
    double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    int width = NAME_WIDTH + BAR_WIDTH + NUMBER_WIDTH;
    line(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'"
            + " font-size='12'>",
        width,
        TOP + ROW * bars.size() + ROW / 2);
    line(svg, "<rect width='100%%' height='100%%' fill='white'/>");
    line(svg, "<text x='8' y='20' font-weight='bold'>%s</text>", escaped(title));
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      int y = TOP + ROW * i;
      double length = most <= 0 ? 0 : BAR_WIDTH * bar.value() / most;
      line(
          svg,
          "<text x='%d' y='%d' text-anchor='end'>%s</text>",
          NAME_WIDTH - 6,
          y + ROW - 8,
          escaped(bar.name()));
      line(
          svg,
          "<rect x='%d' y='%d' width='%.1f' height='%d' fill='#369'/>",
          NAME_WIDTH,
          y + 2,
          length,
          ROW - 6);
      line(
          svg,
          "<text x='%.1f' y='%d'>%s</text>",
          NAME_WIDTH + length + 5,
          y + ROW - 8,
          number(bar.value()));
    }
    line(svg, "</svg>");
    Files.writeString(file, svg);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 1000 ? "%,.0f" : "%.1f", value);
  }

  private static void line(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
