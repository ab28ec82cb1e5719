package io.duplog.status;

import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats the section {@code coverage} of a bridge's state document as a table for a terminal. */
public final class CoverageText {
  /**
   * Names of the members that have a range's figures; for an hour they lie in the section itself.
   */
  private static final Map<String, String> RANGES =
      Map.of("5m", "last_5m", "1h", "", "24h", "last_24h");

  private static final String DROPPED =
      "datagrams dropped by its node's kernel: raise rcvbufSize and threads of imudp";
  private static final String DISCARDED =
      "messages discarded by its rsyslog's queues: raise queue.size, or give them a disk";

  private static final int MOST_SENDERS = 10;

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
    String member = RANGES.get(since);
    if (member == null) {
      throw new StatusException("--since must be 5m, 1h or 24h, not '" + since + "'", null);
    }
    JsonValue all = StateReader.parsed(document).at("coverage");
    if (!all.exists()) {
      throw new StatusException("this bridge does not count: coverage.enabled is false", null);
    }
    return new CoverageText(all, member.isEmpty() ? all : all.at(member));
  }

  /** Returns the section {@code coverage} as JSON text. */
  public String json() {
    return JsonObject.render(all.value());
  }

  /**
   * Returns the exit status: 1 if a stream missed more than the allowed percentage, or if two
   * streams share almost no messages; otherwise 0.
   */
  public int exitStatus() {
    boolean losing =
        range.at("streams").list().stream()
            .anyMatch(
                stream ->
                    100 * stream.at("missed_at_least").number()
                        > all.at("warn_percent").number() * stream.at("messages").number());
    return losing || !all.at("mismatches").list().isEmpty() ? 1 : 0;
  }

  /** Returns the table as text; each line ends in a line break. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (!range.at("settled_until").exists()) {
      text.append(
          line(
              "nothing is settled yet: a message counts as missed when no copy of it can come any"
                  + " more, and what came in the first %.0f s is not compared",
              all.at("dedup_window_seconds").number()));
    } else {
      writeStreams(text);
    }
    for (JsonValue mismatch : all.at("mismatches").list()) {
      write(mismatch, text);
    }
    return text.toString();
  }

  private void writeStreams(StringBuilder text) {
    double uncompared = range.at("not_compared").number();
    text.append(
        line(
            "from %s until %s%s",
            range.at("from").text(),
            range.at("settled_until").text(),
            uncompared == 0
                ? ""
                : String.format(
                    Locale.ROOT,
                    "; incomplete: up to %,.0f messages could not be compared",
                    uncompared)));
    List<JsonValue> missing = range.at("ledger_parts_missing").list();
    if (!missing.isEmpty()) {
      text.append(
          line(
              "incomplete: without the messages of part %s of the ledger's %.0f, for all or some of"
                  + " that time",
              missing.stream()
                  .map(part -> String.format(Locale.ROOT, "%.0f", part.at("part").number()))
                  .collect(Collectors.joining(", ")),
              range.at("ledger_parts").number()));
    }
    text.append(line("%n%-24s %14s %12s %9s", "", "messages", "missed", "%"));
    for (JsonValue stream : range.at("streams").list()) {
      text.append(row(stream.at("stream").text(), stream))
          .append(stream.at("absent").isTrue() ? line("  it brought nothing at all") : "");
      List<JsonValue> senders =
          stream.at("senders").list().stream()
              .filter(sender -> sender.at("missed").number() > 0)
              .limit(MOST_SENDERS)
              .toList();
      senders.forEach(sender -> text.append(row("  " + sender.at("sender").text(), sender)));
      text.append(place(stream.at("node").at("dropped"), DROPPED))
          .append(place(stream.at("node").at("discarded"), DISCARDED));
    }
    JsonValue lost = range.at("lost_by_all");
    if (lost.at("high").number() >= 1) {
      text.append(
          line(
              "%nestimated to be lost on both ways: %,.0f (%,.0f to %,.0f); more if both lose together, less if in turns",
              lost.at("messages").number(),
              Math.floor(lost.at("low").number()),
              Math.ceil(lost.at("high").number())));
    }
  }

  private static String place(JsonValue lost, String words) {
    return lost.number() > 0 ? line("  %,.0f %s", lost.number(), words) : "";
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
    text.append(line("%n%s and %s share almost no messages though both bring many", one, other));
    JsonValue example = mismatch.at("example");
    if (!example.exists()) {
      text.append(line("  no two that are alike were seen yet"));
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
