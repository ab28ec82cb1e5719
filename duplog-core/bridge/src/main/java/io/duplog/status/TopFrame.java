package io.duplog.status;

import io.duplog.observe.End;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Formats one screen of {@code duplog top}: components, counts and rates of copies, lag, and the
 * last warnings.
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
    return Objects.equals(before.bridge().started(), now.bridge().started());
  }

  private double secondsBetween() {
    Instant from = before.bridge().now();
    Instant to = now.bridge().now();
    return from == null || to == null ? 0 : Duration.between(from, to).toNanos() / 1e9;
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
    List<State.Stream> streams = now.facts().streams();
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder("copies          ");
    streams.forEach(stream -> head.append(right(stream.name())));
    lines.add(head.append(right("all")).append(right("now")).toString());
    lines.add(row("received", "received", streams));
    for (End end : End.values()) {
      lines.add(row(end.key(), end.label(), streams));
    }
    lines.add(row("in_flight", "in flight", streams));
    return lines;
  }

  private String row(String key, String label, List<State.Stream> streams) {
    StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-16s", label));
    streams.forEach(stream -> line.append(count(stream.counts(), key)));
    line.append(count(now.facts().journey(), key));
    return line.append(right(key.equals("in_flight") ? "" : rate(key))).toString();
  }

  private String rate(String key) {
    if (seconds <= 0) {
      return "-";
    }
    long difference =
        State.count(now.facts().journey(), key) - State.count(before.facts().journey(), key);
    return StatusText.count(Math.round(Math.max(0, difference) / seconds)) + "/s";
  }

  private static String count(Map<String, Long> counts, String key) {
    return right(StatusText.count(State.count(counts, key)));
  }

  private static String right(String text) {
    return String.format(Locale.ROOT, " %15s", text);
  }

  private List<String> warnings() {
    return now.findings().warnings().stream()
        .limit(MOST_WARNINGS)
        .map(line -> "%s %s %s".formatted(line.at(), line.level(), line.text()))
        .toList();
  }
}
