package io.duplog.status;

import io.duplog.coverage.CoverageState;
import io.duplog.observe.End;
import io.duplog.observe.Json;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Level;
import io.duplog.senders.SendersState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts the state of a bridge to flat events, which the Splunk app shows in its dashboards and
 * alerts. There is one event for the bridge, for each stream, and for each sender with messages
 * that a stream missed. There is also one for each concern of the senders, and for each time in
 * which a part was not healthy. Unknown members are left out.
 */
public final class StatusEvents {
  /** Most senders to report for each stream; senders with the most missed messages come first. */
  private static final int MOST_SENDERS = 20;

  /**
   * Names of the counts to report. Three {@link End}s are left out, because {@code delivered}
   * includes them.
   */
  private static final List<String> COUNTS =
      Stream.of(
              Stream.of("received", "delivered"),
              EnumSet.complementOf(EnumSet.of(End.KEPT, End.RELEASED, End.OBSERVED)).stream()
                  .map(End::key),
              Stream.of("in_flight"))
          .flatMap(names -> names)
          .toList();

  private final State state;
  private final State.Bridge bridge;
  private final List<JsonObject> events = new ArrayList<>();

  private StatusEvents(State state, State.Bridge bridge) {
    this.state = state;
    this.bridge = bridge;
  }

  /**
   * Makes the events of a state document.
   *
   * @param since times in which a part was not well are left out if they ended earlier
   * @throws IllegalArgumentException if the text is no state document
   */
  public static List<JsonObject> of(String document, Instant since) {
    State state = null;
    IOException failure = null;
    try {
      state = Json.read(document, State.class);
    } catch (IOException e) {
      failure = e;
    }
    State.Bridge bridge = state == null ? null : state.facts().bridge();
    if (state == null || bridge == null) {
      throw new IllegalArgumentException(
          "The answer does not come from a bridge. Check the URL.", failure);
    }
    StatusEvents all = new StatusEvents(state, bridge);
    all.addBridge();
    state.facts().streams().forEach(all::addStream);
    SendersState senders = state.details().senders();
    if (senders != null) {
      senders.concerns().forEach(all::addConcern);
    }
    state.findings().degraded().forEach(period -> all.addPeriod(period, since));
    return all.events;
  }

  private JsonObject add(String kind) {
    JsonObject event =
        new JsonObject().put("time", bridge.now()).put("kind", kind).put("bridge", bridge.name());
    events.add(event);
    return event;
  }

  private static void putIfKnown(JsonObject event, String name, @Nullable Object value) {
    if (value != null && !value.equals("")) {
      event.put(name, value);
    }
  }

  private static void putCounts(JsonObject event, Map<String, Long> counts) {
    COUNTS.forEach(name -> putIfKnown(event, name, counts.get(name)));
  }

  private void addBridge() {
    JsonObject event = add("bridge");
    event
        .put("version", bridge.version())
        .put("started", bridge.started())
        .put("uptime_seconds", bridge.uptimeSeconds());
    State.Overall health = state.findings().health();
    if (health != null) {
      List<State.Component> unwell =
          health.parts().stream().filter(part -> part.level() != Level.OK).toList();
      event
          .put("state", health.state())
          .put("level", health.level())
          .put("summary", health.summary())
          .put("unwell", joined(unwell, State.Component::name, ", "))
          .put("detail", joined(unwell, State.Component::detail, "; "));
    }
    putCounts(event, state.facts().journey());
    CoverageState coverage = state.details().coverage();
    if (coverage != null) {
      event.put("not_compared", coverage.lastHour().comparison().notCompared());
    }
  }

  /**
   * Joins a member of all parts. The result is never empty, because Splunk's {@code latest} ignores
   * an empty value and would give the one before.
   */
  private static String joined(
      List<State.Component> parts, Function<State.Component, String> member, String between) {
    return parts.isEmpty()
        ? "none"
        : parts.stream().map(member).collect(Collectors.joining(between));
  }

  /**
   * Adds an event of a stream. The field is not called {@code stream}, because the Splunk app has
   * an indexed field of that name for messages.
   */
  private JsonObject addOf(String kind, String stream) {
    return add(kind).put("stream_name", stream);
  }

  private void addStream(State.Stream stream) {
    String name = stream.name();
    JsonObject event =
        addOf("stream", name).put("state", stream.state()).put("detail", stream.detail());
    putCounts(event, stream.counts());
    State.Lag lags = state.findings().lag();
    (lags == null ? Stream.<State.LagOfStream>empty() : lags.streams().stream())
        .filter(lag -> lag.stream().equals(name))
        .forEach(lag -> putLag(event, lag));
    CoverageState coverage = state.details().coverage();
    (coverage == null
            ? Stream.<CoverageState.Stream>empty()
            : coverage.lastHour().streams().stream())
        .filter(each -> each.misses().stream().equals(name))
        .forEach(each -> addCoverage(event, each));
  }

  private static void putLag(JsonObject event, State.LagOfStream lag) {
    event.put("lag_state", lag.state());
    putIfKnown(event, "age_seconds", lag.ageSeconds());
    putIfKnown(event, "lag_seconds", lag.lagSeconds());
    putIfKnown(event, "depth", lag.depth());
  }

  private void addCoverage(JsonObject event, CoverageState.Stream stream) {
    CoverageState.Misses misses = stream.misses();
    event
        .put("messages", misses.messages())
        .put("missed", misses.missed())
        .put("missed_at_least", misses.missedAtLeast())
        .put("missed_percent", misses.missedPercent())
        .put("coverage_level", stream.level())
        .put("coverage_sentence", stream.sentence());
    misses.senders().stream()
        .filter(sender -> sender.missed() > 0)
        .limit(MOST_SENDERS)
        .forEach(
            sender ->
                addOf("sender", misses.stream())
                    .put("sender", sender.sender())
                    .put("messages", sender.messages())
                    .put("missed", sender.missed())
                    .put("missed_percent", sender.missedPercent()));
  }

  private void addConcern(SendersState.ConcernState concern) {
    JsonObject event = add("concern").put("concern", concern.name());
    event
        .put("level", concern.level())
        .put("count", concern.count())
        .put("sentence", concern.sentence());
    putIfKnown(event, "runbook", concern.runbook());
  }

  private void addPeriod(State.Period period, Instant since) {
    Instant began = period.from();
    Instant ended = period.to();
    Instant until = ended == null ? bridge.now() : ended;
    if (began == null || until == null || (ended != null && ended.isBefore(since))) {
      return;
    }
    add("period")
        .put("part", period.part())
        .put("began", began)
        .put("over", ended != null)
        .put("seconds", Duration.between(began, until).toMillis() / 1e3)
        .put("cause", period.cause());
  }
}
