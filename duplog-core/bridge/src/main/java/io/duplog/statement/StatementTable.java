package io.duplog.statement;

import io.duplog.config.ConfigException;
import io.duplog.observe.End;
import io.duplog.observe.JsonValue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Formatter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the signed hourly statements of a folder, and prints the sums as a table. Reads one
 * statement after another and stores only their sums.
 */
public final class StatementTable {
  /** Ends that have their own column. The others are counted as delivered. */
  private static final Set<End> ENDS_WITH_COLUMN =
      EnumSet.complementOf(EnumSet.of(End.KEPT, End.RELEASED, End.OBSERVED));

  private final Predicate<Instant> wantedHours;
  private int statements;
  private long messages;
  private long notCompared;
  private final Map<String, Long> missed = new HashMap<>();
  private final Map<String, StreamPart> streams = new LinkedHashMap<>();
  private final Map<String, Long> accepted = new TreeMap<>();

  private StatementTable(Predicate<Instant> wantedHours) {
    this.wantedHours = wantedHours;
  }

  /**
   * Returns the counts of all statements in a range of hours, without verifying them. A bridge's
   * counts belong to the hour in which it counted, even if they are stated later.
   *
   * @param from beginning of the first hour, or null for the first statement's
   * @param until end of the last hour, or null for the last statement's
   * @throws ConfigException that names the folder if it can't be read
   */
  public static String of(Path folder, @Nullable Instant from, @Nullable Instant until)
      throws ConfigException {
    StatementTable table =
        new StatementTable(
            hour ->
                (from == null || !hour.isBefore(from))
                    && (until == null || !hour.plus(1, ChronoUnit.HOURS).isAfter(until)));
    try {
      new StatementFolder(folder).statements(Integer.MAX_VALUE).forEach(table::add);
    } catch (IOException e) {
      throw ConfigException.unreadable(folder, e);
    }
    return table.text();
  }

  private void add(SignedStatement statement) {
    if (wantedHours.test(statement.hour())) {
      statements++;
      JsonValue compared = statement.body().at("compared");
      notCompared += (long) compared.at("not_compared").number();
      List<JsonValue> ofStreams = compared.at("streams").list();
      messages += ofStreams.isEmpty() ? 0 : (long) ofStreams.get(0).at("messages").number();
      for (JsonValue stream : ofStreams) {
        long more = (long) stream.at("missed").number();
        missed.merge(stream.at("stream").text(), more, Long::sum);
      }
    }
    statement.parts().stream().filter(part -> wantedHours.test(part.hour())).forEach(this::add);
  }

  private void add(BridgePart part) {
    for (StreamPart more : part.streams()) {
      streams.merge(
          more.stream(), more, (sum, each) -> StreamPart.sum(each.stream(), List.of(sum, each)));
    }
    part.counts()
        .accepted()
        .forEach((source, events) -> accepted.merge(source.sourcetype(), events, Long::sum));
  }

  private String text() {
    Formatter table = new Formatter(Locale.ROOT);
    table.format(
        "%,d messages were compared, %,d were not; %d statements%n%n",
        messages, notCompared, statements);
    table.format("%-15s %13s %13s", "stream", "received", "delivered");
    ENDS_WITH_COLUMN.forEach(end -> table.format(" %13s", end.label()));
    table.format(" %10s%n", "missed");
    for (StreamPart stream : streams.values()) {
      String name = stream.stream();
      table.format("%-15s %,13d %,13d", name, stream.received(), stream.delivered());
      ENDS_WITH_COLUMN.forEach(end -> table.format(" %,13d", stream.ended(end)));
      table.format(" %,10d%n", missed.getOrDefault(name, 0L));
    }
    if (!accepted.isEmpty()) {
      table.format("%n%-29s %13s%n", "sourcetype", "accepted");
      accepted.forEach((sourcetype, events) -> table.format("%-29s %,13d%n", sourcetype, events));
    }
    return table.toString();
  }
}
