package io.duplog.cli.route;

import static java.util.Objects.requireNonNullElse;

import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.EventMetadata.HeaderValues;
import io.duplog.deliver.route.Facility;
import io.duplog.deliver.route.MessageFilter;
import io.duplog.deliver.route.Route;
import io.duplog.deliver.route.RoutingConfig.Drop;
import io.duplog.observe.Json;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Printable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A line of standard input with the metadata that it would get, printed by {@code duplog route}. An
 * instance is reused for all lines. Not thread-safe.
 */
final class RoutedLine {
  private static final int MAX_SHOWN_LENGTH = 100;
  private static final String TOKEN_VALUE = "(the token's)";
  private static final String NONE = "-";

  private final EventMetadata metadata;

  /** The rules that drop or mask, or null if there are none. */
  private final @Nullable MessageFilter filter;

  private final RuleSource.Opened rules;
  private byte[] data = {};
  private int textStart;

  RoutedLine(RuleSource.Opened rules) {
    this.rules = rules;
    metadata = new EventMetadata(rules.routing());
    filter = rules.routing().filter();
  }

  /**
   * Replaces the line with another one.
   *
   * @param data the message, preceded by its sender's address and a space if the address is known
   * @param textStart offset of the message
   */
  void read(byte[] data, int textStart, long receivedMillis) {
    this.data = data;
    this.textStart = textStart;
    metadata.read(data, 0, textStart, data.length, receivedMillis);
    if (filter != null) {
      filter.read(data, 0, textStart, data.length, receivedMillis, null);
    }
  }

  /** Returns the line and its metadata as a block of text for people, with this line number. */
  String text(long number) {
    Route route = metadata.route();
    StringBuilder text = new StringBuilder();
    text.append("line ").append(number).append(": ").append(excerpt()).append('\n');
    HeaderValues header = metadata.headerValues(data);
    Map<String, String> values = new LinkedHashMap<>();
    putUnlessNull(values, "host", header.host());
    putUnlessNull(values, "program", header.program());
    putUnlessNull(values, "facility", lower(header.facility()));
    putUnlessNull(values, "severity", header.severity());
    add(text, "header", Printable.of(join(values)));
    add(text, "rule", route.rule() == 0 ? "none, the defaults" : numbered(route.rule()));
    if (filter != null && filter.rule() > 0) {
      add(text, "drop", drop(filter));
    }
    byte[] masked = filter == null ? null : filter.masked();
    if (filter != null && masked != null) {
      add(
          text,
          "mask",
          filter.maskingRules().stream().map(this::numbered).collect(Collectors.joining(", ")));
      add(text, "becomes", excerpt(new String(masked, StandardCharsets.UTF_8)));
    }
    add(text, "time", time() + (metadata.hasTime() ? " (the sender's)" : " (the receipt's)"));
    String host = host();
    add(text, "host", host == null ? "(nobody knows)" : Printable.of(host) + " " + hostOrigin());
    add(text, "index", requireNonNullElse(route.index(), TOKEN_VALUE));
    add(text, "sourcetype", route.sourcetype());
    add(text, "source", requireNonNullElse(route.source(), TOKEN_VALUE));
    add(text, "fields", join(route.fields()));
    String topic = topic();
    if (topic != null) {
      add(text, "topic", topic);
    }
    return text.toString();
  }

  /**
   * Returns the line's routing as a JSON object. Its member {@code match} has the values that the
   * rules' conditions test. Its member {@code set} has the metadata that the message gets. Missing
   * values are null.
   */
  JsonObject json(long number) {
    Route route = metadata.route();
    HeaderValues header = metadata.headerValues(data);
    JsonObject match =
        new JsonObject()
            .put("sender", textStart == 0 ? null : textBetween(0, textStart - 1))
            .put("host", header.host())
            .put("program", header.program())
            .put("facility", lower(header.facility()))
            .put("severity", header.severity())
            .put("message", textBetween(textStart, data.length))
            .put("event", metadata.event()); // null, because a line is no event of HEC
    JsonObject fields = new JsonObject();
    route.fields().forEach(fields::put);
    JsonObject set =
        new JsonObject()
            .put("index", route.index())
            .put("sourcetype", route.sourcetype())
            .put("source", route.source())
            .put("host", host())
            .put("fields", fields)
            .put("topic", topic());
    JsonObject json =
        new JsonObject()
            .put("line", number)
            .put("match", match)
            .put("rule", route.rule())
            .put("place", route.rule() == 0 ? null : ruleLocation(route))
            .put("time", time())
            .put("timeFrom", metadata.hasTime() ? "message" : "receipt")
            .put("hostFrom", hostFrom())
            .put("set", set);
    return filter == null ? json : withActions(json, filter);
  }

  /** Adds what the rules do with the line, unless none drops or masks it. */
  private JsonObject withActions(JsonObject json, MessageFilter actions) {
    if (actions.rule() > 0) {
      json.put(
          "drop",
          new JsonObject()
              .put("rule", actions.rule())
              .put("place", rules.ruleLocations().get(actions.rule() - 1))
              .put("observed", actions.drop() == Drop.OBSERVE)
              .put("oneOf", actions.sample())
              .put("dropped", actions.drop() != Drop.FALSE && actions.drop() != Drop.OBSERVE));
    }
    byte[] masked = actions.masked();
    return masked == null
        ? json
        : json.put(
            "mask",
            new JsonObject()
                .put("rules", actions.maskingRules())
                .put("message", new String(masked, StandardCharsets.UTF_8)));
  }

  /** Says what the decisive rule does. Which lines a sample has depends on the bridge's digests. */
  private String drop(MessageFilter actions) {
    String by = numbered(actions.rule());
    String which = actions.sample() == 1 ? "" : "all but one of " + actions.sample() + ", ";
    Drop drop = actions.drop();
    return switch (drop == null ? Drop.TRUE : drop) {
      case TRUE -> (which.isEmpty() ? "yes, " : which) + "by rule " + by;
      case OBSERVE ->
          "no; only observed by rule "
              + by
              + (which.isEmpty() ? "" : ", one of " + actions.sample() + " excepted");
      case FALSE -> "no, by rule " + by;
    };
  }

  private String numbered(int rule) {
    return rule + " (" + rules.ruleLocations().get(rule - 1) + ")";
  }

  /** Formats an object as one line of JSON without characters that could control the terminal. */
  static String render(JsonObject json) {
    return Printable.escaped(Json.render(json));
  }

  /**
   * Returns this line's metadata by name, for comparison with a sample. The value {@code -} means
   * not set.
   */
  Map<String, String> outcome() {
    Route route = metadata.route();
    return Map.of(
        "sourcetype", route.sourcetype(),
        "host", requireNonNullElse(host(), NONE),
        "time", metadata.hasTime() ? time() : NONE,
        "index", requireNonNullElse(route.index(), NONE),
        "source", requireNonNullElse(route.source(), NONE),
        "topic", requireNonNullElse(topic(), NONE));
  }

  /** Returns the routes of other matching rules that would set other metadata, in rule order. */
  List<Route> others() {
    List<Object> own = metadataOf(metadata.route());
    return metadata.matching(data, 0, textStart, data.length).stream()
        .filter(other -> !metadataOf(other).equals(own))
        .toList();
  }

  private static List<Object> metadataOf(Route route) {
    return List.of(
        route.sourcetype(),
        String.valueOf(route.index()),
        String.valueOf(route.source()),
        String.valueOf(route.host()),
        route.fields(),
        String.valueOf(route.topic()));
  }

  Route route() {
    return metadata.route();
  }

  /** Returns the file and line of the rule that a route belongs to. */
  String ruleLocation(Route route) {
    return rules.ruleLocations().get(route.rule() - 1);
  }

  /** Returns the beginning of the line, without characters that could control the terminal. */
  String excerpt() {
    return excerpt(textBetween(0, data.length));
  }

  private static String excerpt(String line) {
    String text = Printable.of(line);
    return text.length() <= MAX_SHOWN_LENGTH ? text : text.substring(0, MAX_SHOWN_LENGTH) + "...";
  }

  /** Returns the topic of Kafka, or null if the sink has none or it is not known. */
  private @Nullable String topic() {
    String topic = rules.hasTopics() ? metadata.route().topic() : null;
    return topic == null ? rules.topic() : topic;
  }

  private String time() {
    return Rfc3339.format(Instant.ofEpochMilli(metadata.timeMillis()));
  }

  private @Nullable String host() {
    String fixed = metadata.route().host().fixed();
    int start = metadata.hostStart();
    int length = metadata.hostEnd() - start;
    if (fixed != null || length == 0) {
      return fixed;
    }
    return new String(metadata.host(), start, length, StandardCharsets.UTF_8);
  }

  private @Nullable String hostFrom() {
    if (host() == null) {
      return null;
    }
    return metadata.route().host().fixed() == null
        ? metadata.hostOrigin().name().toLowerCase(Locale.ROOT)
        : "configuration";
  }

  private String hostOrigin() {
    if (metadata.route().host().fixed() != null) {
      return "(the configuration's)";
    }
    return switch (metadata.hostOrigin()) {
      case MESSAGE -> "(the message's)";
      case SENDER -> "(the sender's address)";
      case TABLE -> "(the host table's)";
    };
  }

  private String textBetween(int start, int end) {
    return new String(data, start, end - start, StandardCharsets.UTF_8);
  }

  private static @Nullable String lower(@Nullable Facility facility) {
    return facility == null ? null : facility.name().toLowerCase(Locale.ROOT);
  }

  private static void putUnlessNull(Map<String, String> to, String name, @Nullable String value) {
    if (value != null) {
      to.put(name, value);
    }
  }

  private static String join(Map<String, String> values) {
    return values.isEmpty()
        ? "(none)"
        : values.entrySet().stream()
            .map(value -> value.getKey() + "=" + value.getValue())
            .collect(Collectors.joining(", "));
  }

  private static void add(StringBuilder text, String name, String value) {
    text.append("  ").append(name).append(" ".repeat(12 - name.length()));
    text.append(value).append('\n');
  }
}
