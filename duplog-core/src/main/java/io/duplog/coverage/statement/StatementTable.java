package io.duplog.coverage.statement;

import io.duplog.observe.End;
import io.duplog.observe.JsonValue;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The counts of statements as a table for people, a line for each stream. */
final class StatementTable {
  /** Ends with a column of their own; the others are delivered. */
  private static final Set<End> SHOWN =
      EnumSet.complementOf(EnumSet.of(End.KEPT, End.RELEASED, End.OBSERVED));

  private StatementTable() {}

  /**
   * @param parts what bridges did in these hours, wherever it is stated
   */
  static String of(List<SignedStatement> statements, List<BridgePart> parts) {
    Map<String, Long> missed = new LinkedHashMap<>();
    long messages = 0;
    long notCompared = 0;
    for (SignedStatement each : statements) {
      JsonValue compared = each.body().at("compared");
      notCompared += (long) compared.at("not_compared").number();
      List<JsonValue> streams = compared.at("streams").list();
      messages += streams.isEmpty() ? 0 : (long) streams.get(0).at("messages").number();
      streams.forEach(
          stream ->
              missed.merge(
                  stream.at("stream").text(), (long) stream.at("missed").number(), Long::sum));
    }
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            "%,d messages were compared, %,d were not; %d statements%n%n",
            messages,
            notCompared,
            statements.size()));
    table.append(
        line("stream", "received", "delivered", SHOWN.stream().map(End::label).toList(), "missed"));
    for (StreamPart stream : SignedStatement.sums(parts)) {
      table.append(
          line(
              stream.stream(),
              number(stream.received()),
              number(stream.delivered()),
              SHOWN.stream().map(end -> number(stream.ended(end))).toList(),
              number(missed.getOrDefault(stream.stream(), 0L))));
    }
    Map<String, Long> accepted = new TreeMap<>();
    for (BridgePart part : parts) {
      part.counts()
          .accepted()
          .forEach((source, events) -> accepted.merge(source.sourcetype(), events, Long::sum));
    }
    if (!accepted.isEmpty()) {
      table.append(String.format(Locale.ROOT, "%n%-29s %13s%n", "sourcetype", "accepted"));
      accepted.forEach(
          (sourcetype, events) ->
              table.append(String.format(Locale.ROOT, "%-29s %,13d%n", sourcetype, events)));
    }
    return table.toString();
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String line(
      String stream, String received, String delivered, List<String> ends, String missed) {
    String middle =
        ends.stream()
            .map(each -> String.format(Locale.ROOT, " %13s", each))
            .collect(Collectors.joining());
    return String.format(
        Locale.ROOT, "%-15s %13s %13s%s %10s%n", stream, received, delivered, middle, missed);
  }
}
