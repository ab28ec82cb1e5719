package io.duplog.status;

import io.duplog.observe.End;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Prints the state of a bridge as text, for {@code duplog status} and {@code duplog top}. */
public final class StatusText {
  private final JsonValue state;

  StatusText(JsonValue state) {
    this.state = state;
  }

  /**
   * Reads a state document.
   *
   * @throws StatusException if the text is no state document
   */
  public static StatusText at(String document) throws StatusException {
    JsonValue state = StateReader.parsed(document);
    if (!state.at("bridge").exists() || !state.at("health").exists()) {
      throw new StatusException(
          "The answer does not come from a bridge: it lacks bridge or health.", null);
    }
    return new StatusText(state);
  }

  JsonValue state() {
    return state;
  }

  /** Returns the exit status of the bridge's {@link Level}. */
  public int exitStatus() {
    return level(state.at("health")).exitStatus();
  }

  /** Returns the level of a component, or of the bridge. An older bridge has the state only. */
  private static Level level(JsonValue component) {
    JsonValue level = component.at("level");
    return Level.named((level.exists() ? level : component.at("state")).text());
  }

  /** Returns the bridge's state as lines of text for an operator. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add(headline());
    lines.addAll(parts());
    lines.add(journey());
    lines.addAll(lag());
    return String.join("\n", lines) + "\n";
  }

  String headline() {
    JsonValue bridge = state.at("bridge");
    JsonValue health = state.at("health");
    // A bridge of an older version has no summary.
    String summary =
        health.at("summary").exists() ? health.at("summary").text() : level(health).word();
    return "bridge %s: %s (version %s, up %s)"
        .formatted(
            bridge.at("name").text(),
            summary,
            bridge.at("version").text(),
            span(bridge.at("uptime_seconds").number()));
  }

  /** Returns a line for each component, those that need attention first, with their runbooks. */
  List<String> parts() {
    return state.at("health").at("parts").list().stream()
        .sorted(Comparator.comparing(StatusText::level).reversed())
        .map(
            part ->
                "  %-20s %-10s %s%s"
                    .formatted(
                        part.at("name").text(),
                        level(part).word(),
                        part.at("detail").text(),
                        part.at("runbook").exists()
                            ? " [docs: " + part.at("runbook").text() + "]"
                            : ""))
        .toList();
  }

  private String journey() {
    JsonValue journey = state.at("journey");
    StringBuilder text = new StringBuilder("received " + count(journey.at("received").number()));
    String sign = " = ";
    for (End end : End.values()) {
      double number = journey.at(end.key()).number();
      if (number != 0 || end == End.KEPT || end == End.DROPPED) {
        text.append(sign).append(end.label()).append(' ').append(count(number));
        sign = " + ";
      }
    }
    double inFlight = journey.at("in_flight").number();
    if (inFlight != 0) {
      text.append(sign).append("in flight ").append(count(inFlight));
    }
    return text.toString();
  }

  /** Returns a line for each stream that says how far the stream lags behind. */
  List<String> lag() {
    return state.at("lag").at("streams").list().stream()
        .map(
            stream ->
                "lag %s: last delivery %s ago, %s in the queue, %s"
                    .formatted(
                        stream.at("stream").text(),
                        stream.at("age_seconds").exists()
                            ? span(stream.at("age_seconds").number())
                            : "?",
                        stream.at("depth").exists() ? count(stream.at("depth").number()) : "?",
                        stream.at("state").text()))
        .toList();
  }

  static String count(double number) {
    return String.format(Locale.ROOT, "%,d", Math.round(number));
  }

  static String span(double seconds) {
    if (seconds < 120) {
      return Math.round(seconds) + " s";
    }
    if (seconds < 2 * 3600) {
      return Math.round(seconds / 60) + " min";
    }
    return seconds < 48 * 3600
        ? Math.round(seconds / 3600) + " h"
        : Math.round(seconds / 86_400) + " d";
  }
}
