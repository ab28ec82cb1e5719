package io.duplog.status;

import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints for {@code duplog coverage} what each stream missed, as a table. */
public final class CoverageText {
  /**
   * Names of the members that have a range's figures; for an hour they lie in the section itself.
   */
  private static final Map<String, String> RANGES =
      Map.of("5m", "last_5m", "1h", "", "24h", "last_24h");

  private final JsonValue all;
  private final JsonValue range;

  private CoverageText(JsonValue all, JsonValue range) {
    this.all = all;
    this.range = range;
  }

  /**
   * Reads a state document.
   *
   * @param since {@code 5m}, {@code 1h} or {@code 24h}
   * @throws StatusException if there is no such range, or if the document has nothing about
   *     coverage
   */
  public static CoverageText at(String document, String since) throws StatusException {
    return of(StateReader.parsed(document).at("coverage"), since);
  }

  /**
   * Reads what a bridge answers to a question for coverage.
   *
   * @param since {@code 5m}, {@code 1h} or {@code 24h}
   * @throws StatusException if there is no such range, or if the answer is no JSON
   */
  public static CoverageText ofAnswer(String answer, String since) throws StatusException {
    return of(StateReader.parsed(answer), since);
  }

  private static CoverageText of(JsonValue all, String since) throws StatusException {
    String member = RANGES.get(since);
    if (member == null) {
      throw new StatusException("--since must be 5m, 1h or 24h, not '" + since + "'", null);
    }
    if (!all.exists()) {
      throw new StatusException("this bridge does not count: coverage.enabled is false", null);
    }
    return new CoverageText(all, member.isEmpty() ? all : all.at(member));
  }

  /** Returns the section {@code coverage} as JSON text. */
  public String json() {
    return JsonObject.render(all.value());
  }

  /** Returns the exit status: that of the worst level of the range that is shown. */
  public int exitStatus() {
    List<JsonValue> findings = new ArrayList<>(range.at("streams").list());
    findings.addAll(all.at("mismatches").list());
    return StateReader.exitStatus(findings);
  }

  /** Returns the table as text; each line ends in a line break. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (range.at("settled_until").exists()) {
      writeStreams(text);
    }
    sentence(range, text);
    sentence(range.at("asked"), text);
    for (JsonValue stream : range.at("streams").list()) {
      sentence(stream, text);
      sentence(stream.at("node"), text);
    }
    sentence(range.at("lost_by_all"), text);
    for (JsonValue mismatch : all.at("mismatches").list()) {
      write(mismatch, text);
    }
    return text.toString();
  }

  private static void sentence(JsonValue finding, StringBuilder text) {
    if (finding.at("sentence").exists()) {
      text.append(line("%s", finding.at("sentence").text()));
    }
  }

  private void writeStreams(StringBuilder text) {
    text.append(
        line("from %s until %s", range.at("from").text(), range.at("settled_until").text()));
    text.append(line("%n%-24s %14s %12s %9s", "", "messages", "missed", "%"));
    boolean isAsked = range.at("asked").exists();
    for (JsonValue stream : range.at("streams").list()) {
      text.append(row(stream.at("stream").text(), stream));
      stream.at("senders").list().stream()
          .filter(sender -> isAsked || sender.at("missed").number() > 0)
          .forEach(sender -> text.append(row("  " + sender.at("sender").text(), sender)));
    }
    text.append('\n');
  }

  private static String row(String name, JsonValue counts) {
    return line(
        "%-24s %,14.0f %,12.0f %9.2f",
        name,
        counts.at("messages").number(),
        counts.at("missed").number(),
        counts.at("missed_percent").number());
  }

  private static void write(JsonValue mismatch, StringBuilder text) {
    String one = mismatch.at("one").text();
    String other = mismatch.at("other").text();
    sentence(mismatch, text);
    JsonValue example = mismatch.at("example");
    if (!example.exists()) {
      return;
    }
    text.append(line("  %-20s %s", one, example.at("one").text()));
    text.append(line("  %-20s %s", other, example.at("other").text()));
    text.append(
        line(
            "  they differ from byte %.0f on: %s",
            example.at("offset").number(), example.at("cause").text()));
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values) + "\n";
  }
}
