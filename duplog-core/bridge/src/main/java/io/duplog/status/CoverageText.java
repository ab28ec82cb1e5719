package io.duplog.status;

import com.fasterxml.jackson.databind.JsonNode;
import io.duplog.coverage.CoverageState;
import io.duplog.coverage.CoverageState.MismatchState;
import io.duplog.coverage.CoverageState.Range;
import io.duplog.coverage.Mismatch;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a bridge's answer about coverage into the output and the exit status of {@code duplog
 * coverage}.
 */
public final class CoverageText {
  private final String json;
  private final CoverageState all;

  /** The range that is shown; null if the bridge does not know it. */
  private final @Nullable Range range;

  private CoverageText(String json, CoverageState all, @Nullable Range range) {
    this.json = json;
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
    JsonNode state = StateReader.parsed(document, JsonNode.class);
    return ofAnswer(String.valueOf(state == null ? null : state.get("coverage")), since);
  }

  /**
   * Reads what a bridge answers to a question for coverage.
   *
   * @param since {@code 5m}, {@code 1h} or {@code 24h}
   * @throws StatusException if there is no such range, or if the answer is no JSON
   */
  public static CoverageText ofAnswer(String answer, String since) throws StatusException {
    CoverageState all = StateReader.parsed(answer, CoverageState.class);
    Range range =
        switch (since) {
          case "5m" -> all == null ? null : all.lastFiveMinutes();
          case "1h" -> all == null ? null : all.lastHour();
          case "24h" -> all == null ? null : all.lastDay();
          default ->
              throw new StatusException("--since must be 5m, 1h or 24h, not '" + since + "'", null);
        };
    if (all == null) {
      throw new StatusException("this bridge does not count: coverage.enabled is false", null);
    }
    return new CoverageText(answer, all, range);
  }

  /** Returns the section {@code coverage} as JSON text, as the bridge wrote it. */
  public String json() {
    return json;
  }

  /** Returns the exit status: that of the worst level of the range that is shown. */
  public int exitStatus() {
    return StateReader.exitStatus(
        Stream.concat(
            range == null
                ? Stream.empty()
                : range.streams().stream().map(CoverageState.Stream::level),
            all.mismatches().stream().map(MismatchState::level)));
  }

  /** Returns the table as text; each line ends in a line break. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (range != null) {
      write(range, text);
    }
    all.mismatches().forEach(mismatch -> write(mismatch, text));
    return text.toString();
  }

  private static void write(Range range, StringBuilder text) {
    if (range.period().settledUntil() != null) {
      writeStreams(range, text);
    }
    sentence(range.sentence(), text);
    if (range.asked() != null) {
      sentence(range.asked().sentence(), text);
    }
    for (CoverageState.Stream stream : range.streams()) {
      sentence(stream.sentence(), text);
      if (stream.node() != null) {
        sentence(stream.node().sentence(), text);
      }
    }
    if (range.lostByAll() != null) {
      sentence(range.lostByAll().sentence(), text);
    }
  }

  private static void sentence(String sentence, StringBuilder text) {
    if (!sentence.isEmpty()) {
      text.append(line("%s", sentence));
    }
  }

  private static void writeStreams(Range range, StringBuilder text) {
    text.append(line("from %s until %s", range.period().from(), range.period().settledUntil()));
    text.append(line("%n%-24s %14s %12s %9s", "", "messages", "missed", "%"));
    for (CoverageState.Stream stream : range.streams()) {
      CoverageState.Misses misses = stream.misses();
      text.append(row(misses.stream(), misses.messages(), misses.missed(), misses.missedPercent()));
      misses.senders().stream()
          .filter(each -> range.asked() != null || each.missed() > 0)
          .forEach(
              each ->
                  text.append(
                      row(
                          "  " + each.sender(),
                          each.messages(),
                          each.missed(),
                          each.missedPercent())));
    }
    text.append('\n');
  }

  private static String row(String name, long messages, long missed, double percent) {
    return line("%-24s %,14d %,12d %9.2f", name, messages, missed, percent);
  }

  private static void write(MismatchState mismatch, StringBuilder text) {
    sentence(mismatch.sentence(), text);
    Mismatch.Example example = mismatch.example();
    if (example == null) {
      return;
    }
    text.append(line("  %-20s %s", mismatch.one(), example.one()));
    text.append(line("  %-20s %s", mismatch.other(), example.other()));
    text.append(line("  they differ from byte %d on: %s", example.offset(), example.cause()));
  }

  private static String line(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values) + "\n";
  }
}
