package io.duplog.status;

import io.duplog.observe.End;
import io.duplog.observe.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints one screen of {@code duplog top}: what became of all copies so far, and the rates at the
 * moment.
 */
public final class TopFrame {
  private static final int MOST_WARNINGS = 5;

  private final StatusText before;
  private final StatusText now;
  private final double seconds;

  /**
   * Makes a frame.
   *
   * @param before an earlier document; if it is the same as {@code now}, no rates are shown
   */
  public TopFrame(StatusText before, StatusText now) {
    this.before = before;
    this.now = now;
    this.seconds = isSameRun() ? secondsBetween() : 0;
  }

  /** Whether both documents come from the same run; a restart of the bridge resets all counts. */
  private boolean isSameRun() {
    return ofBridge(before, "started").equals(ofBridge(now, "started"));
  }

  private static String ofBridge(StatusText look, String member) {
    return look.state().at("bridge").at(member).text();
  }

  private double secondsBetween() {
    try {
      Instant from = Instant.parse(ofBridge(before, "now"));
      Instant to = Instant.parse(ofBridge(now, "now"));
      return Duration.between(from, to).toNanos() / 1e9;
    } catch (DateTimeParseException e) {
      return 0;
    }
  }

  /** Returns the lines of the frame, without line breaks. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(now.headline());
    lines.add("");
    lines.addAll(now.parts());
    lines.add("");
    lines.addAll(ledger());
    addBlock(lines, now.lag());
    addBlock(lines, warnings());
    return lines;
  }

  private static void addBlock(List<String> lines, List<String> block) {
    if (!block.isEmpty()) {
      lines.add("");
      lines.addAll(block);
    }
  }

  private List<String> ledger() {
    List<JsonValue> streams = now.state().at("streams").list();
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder("copies          ");
    streams.forEach(stream -> head.append(right(stream.at("name").text())));
    lines.add(head.append(right("all")).append(right("now")).toString());
    lines.add(row("received", "received", streams));
    for (End end : End.values()) {
      lines.add(row(end.key(), end.label(), streams));
    }
    lines.add(row("in_flight", "in flight", streams));
    return lines;
  }

  private String row(String key, String label, List<JsonValue> streams) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-16s", label));
    streams.forEach(stream -> line.append(right(StatusText.count(stream.at(key).number()))));
    line.append(right(StatusText.count(now.state().at("journey").at(key).number())));
    return line.append(right(key.equals("in_flight") ? "" : rate(key))).toString();
  }

  private String rate(String key) {
    if (seconds <= 0) {
      return "-";
    }
    double difference =
        now.state().at("journey").at(key).number() - before.state().at("journey").at(key).number();
    return StatusText.count(Math.max(0, difference) / seconds) + "/s";
  }

  private static String right(String text) {
    return String.format(Locale.ROOT, " %15s", text);
  }

  private List<String> warnings() {
    return now.state().at("warnings").list().stream()
        .limit(MOST_WARNINGS)
        .map(
            line ->
                "%s %s %s"
                    .formatted(
                        line.at("at").text(), line.at("level").text(), line.at("text").text()))
        .toList();
  }
}
