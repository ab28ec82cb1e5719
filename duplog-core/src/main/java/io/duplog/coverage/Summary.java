package io.duplog.coverage;

import com.google.common.base.Splitter;
import io.duplog.dedup.Tallies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was counted in a stretch of time: a settled period, an hour, or any number of them.
 * Immutable.
 */
final class Summary {
  private static final Splitter SPACES = Splitter.on(' ');

  private final long number;
  private final long doubtful;

  /** Messages, then each stream's copies, then each stream's dropped copies. */
  private final long[] totals;

  /** For each that has a place: messages, then each stream's copies. */
  private final Map<String, long[]> senders;

  private Summary(long number, long doubtful, long[] totals, Map<String, long[]> senders) {
    this.number = number;
    this.doubtful = doubtful;
    this.totals = totals;
    this.senders = senders;
  }

  /** The period, or the hour. */
  long number() {
    return number;
  }

  /** Messages that were not counted: no stream's misses are overstated by more. */
  long doubtful() {
    return doubtful;
  }

  /** For each that has a place: messages, then each stream's copies. Not to be changed. */
  Map<String, long[]> senders() {
    return senders;
  }

  static Summary empty(long number, int streams) {
    return new Summary(number, 0, new long[1 + 2 * streams], new HashMap<>());
  }

  /** Makes sense of what the store has of a period. */
  static Summary ofFields(long period, int streams, Map<String, String> fields) {
    Map<String, long[]> senders = new HashMap<>();
    fields.forEach(
        (field, value) -> {
          if (field.startsWith(Tallies.SENDER) && !value.isEmpty()) {
            senders.put(field.substring(1), Vectors.parse(value, 1 + streams));
          }
        });
    return new Summary(
        period,
        Long.parseLong(fields.getOrDefault(Tallies.DOUBTFUL, "0")),
        Vectors.parse(fields.getOrDefault(Tallies.TOTALS, ""), 1 + 2 * streams),
        senders);
  }

  /** Reads what {@link #text} wrote. */
  static Summary parse(String text, int streams) {
    List<String> words = SPACES.splitToList(text);
    int next = 2;
    long[] totals = new long[1 + 2 * streams];
    for (int i = 0; i < totals.length; i++) {
      totals[i] = Long.parseLong(words.get(next++));
    }
    Map<String, long[]> senders = new HashMap<>();
    while (next < words.size()) {
      String name = words.get(next++);
      long[] vector = new long[1 + streams];
      for (int i = 0; i < vector.length; i++) {
        vector[i] = Long.parseLong(words.get(next++));
      }
      senders.put(name, vector);
    }
    return new Summary(Long.parseLong(words.get(0)), Long.parseLong(words.get(1)), totals, senders);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(number).append(' ').append(doubtful).append(' ').append(Vectors.text(totals));
    senders.forEach(
        (name, vector) -> text.append(' ').append(name).append(' ').append(Vectors.text(vector)));
    return text.toString();
  }

  /** The same by a bridge's own streams. */
  Summary seenBy(Columns columns) {
    Map<String, long[]> own = new HashMap<>();
    senders.forEach((name, vector) -> own.put(name, columns.own(vector)));
    return new Summary(number, doubtful, columns.own(totals), own);
  }

  int streams() {
    return totals.length / 2;
  }

  long messages() {
    return totals[0];
  }

  long copies(int stream) {
    return totals[1 + stream];
  }

  long dropped(int stream) {
    return totals[1 + streams() + stream];
  }

  /** How many of the messages a stream did not bring. */
  long missed(int stream) {
    return missed(totals, stream);
  }

  static long missed(long[] vector, int stream) {
    return Math.max(0, vector[0] - vector[1 + stream]);
  }

  private static long mostMissed(long[] vector, int streams) {
    long most = 0;
    for (int stream = 0; stream < streams; stream++) {
      most = Math.max(most, missed(vector, stream));
    }
    return most;
  }

  /** Adds up; of the senders no more than these places are left, about. */
  static Summary sum(long number, int streams, Iterable<Summary> parts, int places) {
    Summary sum = empty(number, streams);
    long doubtful = 0;
    for (Summary part : parts) {
      doubtful += part.doubtful;
      Vectors.add(sum.totals, part.totals);
      Map<String, long[]> senders = sum.senders;
      part.senders.forEach(
          (name, vector) ->
              Vectors.add(senders.computeIfAbsent(name, added -> new long[1 + streams]), vector));
      if (senders.size() > 2 * places) {
        sum = sum.boundedTo(places);
      }
    }
    return new Summary(number, doubtful, sum.totals, sum.boundedTo(places).senders);
  }

  /** The senders that matter most: half of the places by loss, the rest by volume. */
  List<String> foremost(int places) {
    Comparator<Map.Entry<String, long[]>> byName = Map.Entry.comparingByKey();
    Comparator<Map.Entry<String, long[]>> byLoss =
        Comparator.<Map.Entry<String, long[]>>comparingLong(
                sender -> mostMissed(sender.getValue(), streams()))
            .reversed();
    Comparator<Map.Entry<String, long[]>> byVolume =
        Comparator.<Map.Entry<String, long[]>>comparingLong(sender -> sender.getValue()[0])
            .reversed();
    List<Map.Entry<String, long[]>> rest = new ArrayList<>(senders.entrySet());
    rest.sort(byLoss.thenComparing(byVolume).thenComparing(byName));
    List<String> names = new ArrayList<>();
    int byLossOnly = Math.min(places / 2, rest.size());
    rest.subList(0, byLossOnly).forEach(sender -> names.add(sender.getKey()));
    List<Map.Entry<String, long[]>> others = rest.subList(byLossOnly, rest.size());
    others.sort(byVolume.thenComparing(byName));
    others
        .subList(0, Math.min(places - byLossOnly, others.size()))
        .forEach(sender -> names.add(sender.getKey()));
    return names;
  }

  /** The same with no more senders than these places; the totals stay what they are. */
  Summary boundedTo(int places) {
    if (senders.size() <= places) {
      return this;
    }
    Map<String, long[]> foremost = new HashMap<>();
    foremost(places).forEach(name -> foremost.put(name, vector(name)));
    return new Summary(number, doubtful, totals, foremost);
  }

  /** The totals alone. */
  Summary withoutSenders() {
    return new Summary(number, doubtful, totals, Map.of());
  }

  private long[] vector(String name) {
    long[] vector = senders.get(name);
    return vector == null ? new long[1 + streams()] : vector;
  }
}
