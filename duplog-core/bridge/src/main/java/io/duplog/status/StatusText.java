package io.duplog.status;

import io.duplog.observe.End;
import io.duplog.observe.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * A state document in words, for {@code status} and for the parts of the live view that are not
 * rates.
 */
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
      throw new StatusException("what answers is no bridge: bridge or health are missing", null);
    }
    return new StatusText(state);
  }

  JsonValue state() {
    return state;
  }

  /** Returns 0 if all parts are healthy, 1 if degraded but ready, 2 if the bridge is not ready. */
  public int exitStatus() {
    return switch (state.at("health").at("state").text()) {
      case "well" -> 0;
      case "degraded" -> 1;
      default -> 2;
    };
  }

  /** Returns the bridge's state as lines of text for an operator. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add(headline());
    lines.addAll(parts());
    lines.add(journey());
    lines.addAll(coverage());
    lines.addAll(lag());
    return String.join("\n", lines) + "\n";
  }

  String headline() {
    JsonValue bridge = state.at("bridge");
    List<String> unwell =
        state.at("health").at("parts").list().stream()
            .filter(part -> !part.at("state").text().equals("well"))
            .map(part -> part.at("name").text())
            .toList();
    String how =
        switch (exitStatus()) {
          case 0 -> "all well";
          case 1 -> "ready, degraded: " + String.join(", ", unwell);
          default -> "NOT READY: " + String.join(", ", unwell);
        };
    return "bridge %s: %s (version %s, up %s)"
        .formatted(
            bridge.at("name").text(),
            how,
            bridge.at("version").text(),
            span(bridge.at("uptime_seconds").number()));
  }

  List<String> parts() {
    return state.at("health").at("parts").list().stream()
        .map(
            part ->
                "  %-20s %-10s %s"
                    .formatted(
                        part.at("name").text(),
                        part.at("state").text().replace('-', ' '),
                        part.at("detail").text()))
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

  /**
   * Returns a line for each stream: what it missed, and from which sender most. More lines follow
   * if the comparison is incomplete.
   */
  List<String> coverage() {
    List<String> lines = new ArrayList<>();
    double uncompared = state.at("coverage").at("not_compared").number();
    for (JsonValue stream : state.at("coverage").at("streams").list()) {
      double sure = stream.at("missed_at_least").number();
      double most = stream.at("missed").number();
      boolean uncertain = uncompared > 0 && sure < most;
      String atMost = sure == 0 ? "at most " : count(sure) + " to ";
      String sender =
          stream.at("senders").list().stream()
              .filter(each -> each.at("missed").number() > 0 && !(uncertain && sure == 0))
              .max(Comparator.comparingDouble(each -> each.at("missed").number()))
              .map(each -> ", most of it from " + each.at("sender").text())
              .orElse("");
      lines.add(
          String.format(
              Locale.ROOT,
              "coverage %s missed %s%s of %s (%.2f %%)%s",
              stream.at("stream").text(),
              uncertain ? atMost : "",
              count(most),
              count(stream.at("messages").number()),
              stream.at("missed_percent").number(),
              sender));
    }
    if (uncompared > 0) {
      lines.add(
          "coverage incomplete: up to %s messages could not be compared"
              .formatted(count(uncompared)));
    }
    int missing = state.at("coverage").at("ledger_parts_missing").list().size();
    if (missing > 0) {
      lines.add(
          "coverage without %d of the ledger's %s parts for all or some of that time"
              .formatted(missing, count(state.at("coverage").at("ledger_parts").number())));
    }
    return lines;
  }

  /** Returns a line for each stream that says how far the stream lags behind. */
  List<String> lag() {
    return state.at("lag").at("streams").list().stream()
        .map(
            stream ->
                "lag %s: newest settled %s old, %s in the queue, %s"
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
