package io.duplog.coverage;

import com.google.common.collect.Maps;
import io.duplog.dedup.Tallies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * What was counted in a stretch of time: a period, an hour, or any number of them. Must not be
 * changed.
 *
 * @param number number of the period or hour
 * @param doubtful messages that were not counted; no stream's misses are overstated by more than
 *     these
 * @param totals number of messages, then each stream's copies, then each stream's dropped copies
 * @param senders counts of each sender that has a place: number of messages, then each stream's
 *     copies
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Summary(long number, long doubtful, long[] totals, Map<String, long[]> senders) {
  /**
   * Name under which a bridge counts the senders for which it had no place; no address looks like
   * this.
   */
  static final String OTHERS = "*";

  static Summary empty(long number, int streams) {
    return new Summary(number, 0, new long[1 + 2 * streams], new HashMap<>());
  }

  /**
   * Adds up what the bridges have written of a period. A bridge that ran out of places may have
   * left out any sender that it does not name. So such a sender is not told apart.
   *
   * @param fields what the store has of the period, as {@link Tallies#read} returns it
   * @param places most senders to keep
   */
  static Summary ofBridges(long period, int streams, Map<String, String> fields, int places) {
    List<Summary> bridges = new ArrayList<>();
    long doubtful = 0;
    for (Map.Entry<String, String> field : fields.entrySet()) {
      if (field.getKey().startsWith(Tallies.COUNTS)) {
        bridges.add(parse(field.getValue(), streams));
      } else if (field.getKey().startsWith(Tallies.DOUBTFUL)) {
        doubtful += Long.parseLong(field.getValue());
      }
    }
    int named = bridges.stream().mapToInt(bridge -> bridge.senders.size()).sum();
    Summary sum = sum(period, streams, bridges, named);
    bridges.stream()
        .map(bridge -> bridge.senders.keySet())
        .filter(names -> names.contains(OTHERS))
        .forEach(names -> sum.senders.keySet().retainAll(names));
    sum.senders.remove(OTHERS);
    return new Summary(period, doubtful, sum.totals, sum.senders).boundedTo(places);
  }

  /** Returns this summary with none of its messages compared. */
  Summary doubted() {
    return new Summary(number, Math.max(doubtful, messages()), totals, senders);
  }

  /** Parses text that {@link #text} has written. */
  static Summary parse(String text, int streams) {
    List<String> words = Vectors.words(text);
    int next = 3 + 2 * streams;
    long[] totals = Vectors.parse(words.subList(2, next));
    Map<String, long[]> senders = new HashMap<>();
    for (; next < words.size(); next += 2 + streams) {
      senders.put(words.get(next), Vectors.parse(words.subList(next + 1, next + 2 + streams)));
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

  /** Returns this summary with its counts in another order of streams. */
  Summary map(UnaryOperator<long[]> order) {
    return new Summary(
        number,
        doubtful,
        order.apply(totals),
        new HashMap<>(Maps.transformValues(senders, order::apply)));
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

  /** Returns the number of messages that a stream did not bring. */
  long missed(int stream) {
    return missed(totals, stream);
  }

  static long missed(long[] vector, int stream) {
    return Math.max(0, vector[0] - vector[1 + stream]);
  }

  private static long mostMissed(long[] vector, int streams) {
    return IntStream.range(0, streams).mapToLong(stream -> missed(vector, stream)).max().orElse(0);
  }

  /**
   * Adds up summaries; keeps at most {@code places} senders, roughly those with the most loss or
   * messages.
   */
  static Summary sum(long number, int streams, Iterable<Summary> parts, int places) {
    Summary sum = empty(number, streams);
    long doubtful = 0;
    for (Summary part : parts) {
      doubtful += part.doubtful;
      Vectors.add(sum.totals, part.totals);
      if (places == 0) {
        continue;
      }
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

  /**
   * Returns the summary under another number, such as that of the hour in which the period lies.
   */
  Summary numbered(long other) {
    return new Summary(other, doubtful, totals, senders);
  }

  /**
   * Returns the most important senders: half of the places go to those with the greatest loss, the
   * rest to those with the most messages.
   */
  List<String> foremost(int places) {
    Comparator<Map.Entry<String, long[]>> byVolume =
        Comparator.<Map.Entry<String, long[]>>comparingLong(sender -> sender.getValue()[0])
            .reversed()
            .thenComparing(Map.Entry.comparingByKey());
    Comparator<Map.Entry<String, long[]>> byLoss =
        Comparator.<Map.Entry<String, long[]>>comparingLong(
                sender -> mostMissed(sender.getValue(), streams()))
            .reversed()
            .thenComparing(byVolume);
    List<Map.Entry<String, long[]>> rest = new ArrayList<>(senders.entrySet());
    rest.sort(byLoss);
    int byLossOnly = Math.min(places / 2, rest.size());
    rest.subList(byLossOnly, rest.size()).sort(byVolume);
    return rest.stream().limit(places).map(Map.Entry::getKey).toList();
  }

  /** Returns the summary with only its {@link #foremost} senders; the totals stay the same. */
  Summary boundedTo(int places) {
    if (senders.size() <= places) {
      return this;
    }
    Map<String, long[]> foremost = new HashMap<>(senders);
    foremost.keySet().retainAll(Set.copyOf(foremost(places)));
    return new Summary(number, doubtful, totals, foremost);
  }
}
