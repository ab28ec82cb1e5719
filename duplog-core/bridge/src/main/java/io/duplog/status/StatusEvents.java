package io.duplog.status;

import io.duplog.observe.End;
import io.duplog.observe.JsonObject;
import io.duplog.observe.JsonValue;
import io.duplog.observe.Level;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Converts the state of a bridge to flat events, which the Splunk app shows in its dashboards and
 * alerts. There is one for the bridge, one for each stream, one for each sender of which a stream
 * missed messages, one for each concern of the senders, and one for each time in which a part was
 * not well. Unknown members are left out.
 */
public final class StatusEvents {
  /** Most senders to report for each stream; senders with the most missed messages come first. */
  private static final int MOST_SENDERS = 20;

  private static final String OF_BRIDGE = "version started uptime_seconds";

  /**
   * Names of the counts to report, separated by spaces. Three {@link End}s are left out, because
   * {@code delivered} includes them.
   */
  private static final String COUNTS =
      EnumSet.complementOf(EnumSet.of(End.KEPT, End.RELEASED, End.OBSERVED)).stream()
          .map(End::key)
          .collect(Collectors.joining(" ", "received delivered ", " in_flight"));

  private static final String LAG = "age_seconds lag_seconds depth";
  private static final String COVERAGE = "messages missed missed_at_least missed_percent";

  private final JsonValue state;
  private final String time;
  private final List<JsonObject> events = new ArrayList<>();

  private StatusEvents(JsonValue state) {
    this.state = state;
    this.time = state.at("bridge").at("now").text();
  }

  /**
   * Makes the events of a state document.
   *
   * @param since times in which a part was not well are left out if they ended earlier
   * @throws IllegalArgumentException if the text is no state document
   */
  public static List<JsonObject> of(String document, Instant since) {
    StatusEvents all;
    try {
      all = new StatusEvents(JsonValue.parse(document));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The answer does not come from a bridge. Check the URL.", e);
    }
    all.addBridge();
    all.state.at("streams").list().forEach(all::addStream);
    all.state.at("senders").at("concerns").list().forEach(all::addConcern);
    all.state.at("degraded").list().forEach(period -> all.addPeriod(period, since));
    return all.events;
  }

  private JsonObject add(String kind) {
    String bridge = state.at("bridge").at("name").text();
    JsonObject event = new JsonObject().put("time", time).put("kind", kind).put("bridge", bridge);
    events.add(event);
    return event;
  }

  private static JsonObject copy(JsonValue from, JsonObject to, String names) {
    for (String name : names.split(" ", -1)) {
      if (from.at(name).exists()) {
        to.put(name, from.at(name).value());
      }
    }
    return to;
  }

  private void addBridge() {
    JsonObject event = copy(state.at("bridge"), add("bridge"), OF_BRIDGE);
    List<JsonValue> unwell =
        state.at("health").at("parts").list().stream()
            .filter(part -> !part.at("level").text().equals(Level.OK.word()))
            .toList();
    event
        .put("state", state.at("health").at("state").text())
        .put("level", state.at("health").at("level").text())
        .put("summary", state.at("health").at("summary").text())
        .put("unwell", joined(unwell, "name", ", "))
        .put("detail", joined(unwell, "detail", "; "));
    copy(state.at("journey"), event, COUNTS);
    copy(state.at("coverage"), event, "not_compared");
  }

  /**
   * Joins a member of all parts. The result is never empty, because Splunk's {@code latest} ignores
   * an empty value and would give the one before.
   */
  private static String joined(List<JsonValue> parts, String member, String between) {
    return parts.isEmpty()
        ? "none"
        : parts.stream().map(part -> part.at(member).text()).collect(Collectors.joining(between));
  }

  /**
   * Adds an event of a stream. The field is not called {@code stream}, because the Splunk app has
   * an indexed field of that name for messages.
   */
  private JsonObject addOf(String kind, String stream) {
    return add(kind).put("stream_name", stream);
  }

  private void addStream(JsonValue stream) {
    String name = stream.at("name").text();
    JsonObject event = copy(stream, addOf("stream", name), "state detail");
    copy(stream, event, COUNTS);
    JsonValue lag = ofStream(name, state.at("lag"));
    copy(lag, event.put("lag_state", lag.at("state").text()), LAG);
    JsonValue coverage = ofStream(name, state.at("coverage"));
    copy(coverage, event, COVERAGE)
        .put("coverage_level", coverage.at("level").value())
        .put("coverage_sentence", coverage.at("sentence").value());
    coverage.at("senders").list().stream()
        .filter(sender -> sender.at("missed").number() > 0)
        .limit(MOST_SENDERS)
        .forEach(sender -> copy(sender, addOf("sender", name), "sender " + COVERAGE));
  }

  private void addConcern(JsonValue concern) {
    JsonObject event = add("concern").put("concern", concern.at("name").text());
    copy(concern, event, "level count sentence runbook");
  }

  private static JsonValue ofStream(String name, JsonValue section) {
    return section.at("streams").list().stream()
        .filter(each -> each.at("stream").text().equals(name))
        .findFirst()
        .orElse(new JsonValue(null));
  }

  private void addPeriod(JsonValue period, Instant since) {
    Instant began = Instant.parse(period.at("from").text());
    boolean over = period.at("to").exists();
    Instant until = Instant.parse(over ? period.at("to").text() : time);
    if (over && until.isBefore(since)) {
      return;
    }
    JsonObject event = add("period");
    event.put("part", period.at("part").text()).put("began", began.toString()).put("over", over);
    event.put("seconds", Duration.between(began, until).toMillis() / 1e3);
    event.put("cause", period.at("cause").text());
  }
}
