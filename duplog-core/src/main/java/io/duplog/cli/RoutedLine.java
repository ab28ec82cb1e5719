package io.duplog.cli;

import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.Route;
import io.duplog.deliver.route.Routing;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells in a block of text what a line would get. For one thread. */
final class RoutedLine {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private static final int SHOWN = 100;
  private static final String TOKENS = "(the token's)";

  private final EventMetadata metadata;
  private final List<String> places;

  /**
   * @param places file and line of each rule
   */
  RoutedLine(Routing routing, List<String> places) {
    this.places = places;
    metadata = new EventMetadata(routing);
  }

  /**
   * Describes a line.
   *
   * @param number of the line
   * @param data the sender's address and a space, if it is known, and the message
   * @param textStart offset of the message
   */
  String describe(long number, byte[] data, int textStart, long receivedMillis) {
    metadata.read(data, 0, textStart, data.length, receivedMillis);
    Route route = metadata.route();
    String fields =
        route.fields().entrySet().stream()
            .map(field -> field.getKey() + "=" + field.getValue())
            .collect(Collectors.joining(", "));
    StringBuilder text = new StringBuilder();
    text.append("line ").append(number).append(": ").append(shown(data)).append('\n');
    add(
        text,
        "rule",
        route.rule() == 0
            ? "none, the defaults"
            : route.rule() + " (" + places.get(route.rule() - 1) + ")");
    add(
        text,
        "time",
        TIME.format(Instant.ofEpochMilli(metadata.timeMillis()))
            + (metadata.hasTime() ? " (the sender's)" : " (the receipt's)"));
    add(text, "host", host(route));
    add(text, "index", orTokens(route.index()));
    add(text, "sourcetype", route.sourcetype());
    add(text, "source", orTokens(route.source()));
    add(text, "fields", fields.isEmpty() ? "(none)" : fields);
    return text.toString();
  }

  private String host(Route route) {
    if (route.host().fixed() != null) {
      return route.host().fixed() + " (the configuration's)";
    }
    int start = metadata.hostStart();
    int end = metadata.hostEnd();
    if (start == end) {
      return "(nobody knows)";
    }
    String name = new String(metadata.host(), start, end - start, StandardCharsets.UTF_8);
    return printable(name)
        + switch (metadata.hostOrigin()) {
          case MESSAGE -> " (the message's)";
          case SENDER -> " (the sender's address)";
          case TABLE -> " (the host table's)";
        };
  }

  private static void add(StringBuilder text, String name, String value) {
    text.append("  ").append(name).append(" ".repeat(12 - name.length()));
    text.append(value).append('\n');
  }

  private static String orTokens(@Nullable String value) {
    return value == null ? TOKENS : value;
  }

  static String shown(byte[] data) {
    String text = printable(new String(data, StandardCharsets.UTF_8));
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
  }

  /** A log line must not steer the terminal that it is shown on. */
  private static String printable(String text) {
    return text.replaceAll("[\\p{Cntrl}\\x{80}-\\x{9f}]", "?");
  }
}
