package io.duplog.status;

import io.duplog.observe.End;
import io.duplog.observe.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Prints the state of a bridge as text, for {@code duplog status} and {@code duplog top}. */
public final class StatusText {
  private final State.Facts facts;
  private final State.Findings findings;
  private final State.Bridge bridge;
  private final State.Overall health;

  private StatusText(
      State.Facts facts, State.Findings findings, State.Bridge bridge, State.Overall health) {
    this.facts = facts;
    this.findings = findings;
    this.bridge = bridge;
    this.health = health;
  }

  /**
   * Reads a state document.
   *
   * @throws StatusException if the text is no state document
   */
  public static StatusText at(String document) throws StatusException {
    State.Facts facts = StateReader.parsed(document, State.Facts.class);
    State.Findings findings = StateReader.parsed(document, State.Findings.class);
    State.Bridge bridge = facts == null ? null : facts.bridge();
    State.Overall health = findings == null ? null : findings.health();
    if (facts == null || findings == null || bridge == null || health == null) {
      throw new StatusException(
          "The answer does not come from a bridge: the key bridge or health is missing.", null);
    }
    return new StatusText(facts, findings, bridge, health);
  }

  State.Facts facts() {
    return facts;
  }

  State.Findings findings() {
    return findings;
  }

  State.Bridge bridge() {
    return bridge;
  }

  /** Returns the exit status of the bridge's {@link Level}. */
  public int exitStatus() {
    return health.judged().exitStatus();
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
    // A bridge of an older version has no summary.
    String summary = health.summary().isEmpty() ? health.judged().word() : health.summary();
    return "bridge %s: %s (version %s, up %s)"
        .formatted(bridge.name(), summary, bridge.version(), span((double) bridge.uptimeSeconds()));
  }

  /** Returns a line for each component, those that need attention first, with their runbooks. */
  List<String> parts() {
    return health.parts().stream()
        .sorted(Comparator.comparing(State.Component::judged).reversed())
        .map(
            part ->
                "  %-20s %-10s %s%s"
                    .formatted(
                        part.name(),
                        part.judged().word(),
                        part.detail(),
                        part.runbook().isEmpty() ? "" : " [docs: " + part.runbook() + "]"))
        .toList();
  }

  private String journey() {
    Map<String, Long> journey = facts.journey();
    StringBuilder text = new StringBuilder("received " + count(State.count(journey, "received")));
    String sign = " = ";
    for (End end : End.values()) {
      long number = State.count(journey, end.key());
      if (number != 0 || end == End.KEPT || end == End.DROPPED) {
        text.append(sign).append(end.label()).append(' ').append(count(number));
        sign = " + ";
      }
    }
    long inFlight = State.count(journey, "in_flight");
    if (inFlight != 0) {
      text.append(sign).append("in flight ").append(count(inFlight));
    }
    return text.toString();
  }

  /** Returns a line for each stream that says how far the stream lags behind. */
  List<String> lag() {
    State.Lag lag = findings.lag();
    return lag == null ? List.of() : lag.streams().stream().map(StatusText::line).toList();
  }

  private static String line(State.LagOfStream lag) {
    return "lag %s: last delivery %s ago, %s in the queue, %s"
        .formatted(
            lag.stream(),
            lag.ageSeconds() == null ? "?" : span(lag.ageSeconds()),
            lag.depth() == null ? "?" : count(lag.depth()),
            lag.state());
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
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
