package io.duplog.benchmark.report;

import com.google.common.xml.XmlEscapers;
import java.util.Locale;

/** Draws the SVG pictures of reports. Coordinates are in pixels from the upper left corner. */
final class Svg {
  private final StringBuilder text = new StringBuilder();

  /**
   * Begins a picture.
   *
   * @param title text above the drawing
   */
  Svg(int width, int height, String title) {
    add(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'"
            + " font-size='12'>",
        width, height);
    add("<rect width='100%%' height='100%%' fill='white'/>");
    add(
        "<text x='8' y='20' font-weight='bold'>%s</text>",
        XmlEscapers.xmlContentEscaper().escape(title));
  }

  /**
   * Adds a text at a point.
   *
   * @param anchor part of the text that is at the point: {@code start}, {@code middle} or {@code
   *     end}
   */
  void text(double x, double y, String anchor, String label) {
    add(
        "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>",
        x, y, anchor, XmlEscapers.xmlContentEscaper().escape(label));
  }

  void rectangle(double x, double y, double width, double height, String fill) {
    add(
        "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>",
        x, y, width, height, fill);
  }

  /**
   * Adds a line.
   *
   * @param points coordinates, such as {@code 0,0 10,20}
   */
  void line(String points, String stroke) {
    add("<polyline fill='none' stroke='%s' points='%s'/>", stroke, points);
  }

  private void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** Returns the content of the SVG file. */
  @Override
  public String toString() {
    return text + "</svg>\n";
  }
}
