package io.duplog.coverage.statement;

import io.duplog.observe.End;
import io.duplog.observe.JsonValue;
import java.util.EnumSet;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
    Formatter table = new Formatter(Locale.ROOT);
    table.format(
        "%,d messages were compared, %,d were not; %d statements%n%n",
        messages, notCompared, statements.size());
    table.format("%-15s %13s %13s", "stream", "received", "delivered");
    SHOWN.forEach(end -> table.format(" %13s", end.label()));
    table.format(" %10s%n", "missed");
    for (StreamPart stream : SignedStatement.sums(parts)) {
      String name = stream.stream();
      table.format("%-15s %,13d %,13d", name, stream.received(), stream.delivered());
      SHOWN.forEach(end -> table.format(" %,13d", stream.ended(end)));
      table.format(" %,10d%n", missed.getOrDefault(name, 0L));
    }
    Map<String, Long> accepted = new TreeMap<>();
    for (BridgePart part : parts) {
      part.counts()
          .accepted()
          .forEach((source, events) -> accepted.merge(source.sourcetype(), events, Long::sum));
    }
    if (!accepted.isEmpty()) {
      table.format("%n%-29s %13s%n", "sourcetype", "accepted");
      accepted.forEach((sourcetype, events) -> table.format("%-29s %,13d%n", sourcetype, events));
    }
    return table.toString();
  }
}
