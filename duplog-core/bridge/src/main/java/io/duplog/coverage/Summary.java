package io.duplog.coverage;

import com.google.common.base.Splitter;
import com.google.common.collect.Maps;
import com.google.common.primitives.Longs;
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
 * Coverage counts of a period or hour, of one bridge or of all bridges. Contains the number of
 * messages and the number of copies that each stream brought, in total and for each sender. Must
 * not be changed.
 *
 * @param number number of the period or hour
 * @param doubtful number of messages that were not counted; each stream's misses may be overstated
 *     by as many, and not by more
 * @param totals number of messages, then each stream's copies, then each stream's dropped copies
 * @param senders counts of each sender that is counted separately: number of messages, then each
 *     stream's copies
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Summary(long number, long doubtful, long[] totals, Map<String, long[]> senders) {
  /**
   * Name for the counts of all senders that a bridge does not count separately. No address looks
   * like this.
   */
  static final String OTHERS = "*";

  private static final Splitter SPACES = Splitter.on(' ').omitEmptyStrings();

  static Summary empty(long number, int streams) {
    return new Summary(number, 0, new long[1 + 2 * streams], new HashMap<>());
  }

  /**
   * Adds up the counts of a period that the bridges have written. A bridge that reached its maximum
   * number of senders may have counted any further sender among the others. Such a sender gets no
   * separate counts.
   *
   * @param fields the stored data of the period, as {@link Tallies#read} returns it
   * @param maxSenders maximum number of senders to keep
   */
  static Summary ofBridges(long period, int streams, Map<String, String> fields, int maxSenders) {
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
    return new Summary(period, doubtful, sum.totals, sum.senders).boundedTo(maxSenders);
  }

  /** Returns this summary with all of its messages doubtful. */
  Summary withAllDoubtful() {
    return new Summary(number, Math.max(doubtful, messages()), totals, senders);
  }

  /** Parses the output of {@link #text}. */
  static Summary parse(String text, int streams) {
    List<String> words = SPACES.splitToList(text);
    int next = 3 + 2 * streams;
    long[] totals = numbers(words.subList(2, next));
    Map<String, long[]> senders = new HashMap<>();
    for (; next < words.size(); next += 2 + streams) {
      senders.put(words.get(next), numbers(words.subList(next + 1, next + 2 + streams)));
    }
    return new Summary(Long.parseLong(words.get(0)), Long.parseLong(words.get(1)), totals, senders);
  }

  private static long[] numbers(List<String> words) {
    return words.stream().mapToLong(Long::parseLong).toArray();
  }

  /** Adds the counts of a vector to a sum. */
  static void add(long[] sum, long[] more) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += more[i];
    }
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(number).append(' ').append(doubtful).append(' ').append(Longs.join(" ", totals));
    senders.forEach(
        (name, vector) ->
            text.append(' ').append(name).append(' ').append(Longs.join(" ", vector)));
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

  /** Returns the number of messages that did not arrive on a stream. */
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
   * Adds up summaries. Keeps at most {@code maxSenders} senders, roughly those with the most missed
   * messages or the most messages.
   */
  static Summary sum(long number, int streams, Iterable<Summary> parts, int maxSenders) {
    Summary sum = empty(number, streams);
    long doubtful = 0;
    for (Summary part : parts) {
      doubtful += part.doubtful;
      add(sum.totals, part.totals);
      if (maxSenders == 0) {
        continue;
      }
      Map<String, long[]> senders = sum.senders;
      part.senders.forEach(
          (name, vector) ->
              add(senders.computeIfAbsent(name, added -> new long[1 + streams]), vector));
      if (senders.size() > 2 * maxSenders) {
        sum = sum.boundedTo(maxSenders);
      }
    }
    return new Summary(number, doubtful, sum.totals, sum.boundedTo(maxSenders).senders);
  }

  /**
   * Returns the summary with another number, such as the number of the hour in which the period
   * lies.
   */
  Summary withNumber(long other) {
    return new Summary(other, doubtful, totals, senders);
  }

  /**
   * Returns the top senders: half of them are those with the most missed messages, the rest those
   * with the most messages.
   */
  List<String> topSenders(int maxSenders) {
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
    int byLossOnly = Math.min(maxSenders / 2, rest.size());
    rest.subList(byLossOnly, rest.size()).sort(byVolume);
    return rest.stream().limit(maxSenders).map(Map.Entry::getKey).toList();
  }

  /** Returns the summary with only its {@link #topSenders}. The totals stay the same. */
  Summary boundedTo(int maxSenders) {
    if (senders.size() <= maxSenders) {
      return this;
    }
    Map<String, long[]> remaining = new HashMap<>(senders);
    remaining.keySet().retainAll(Set.copyOf(topSenders(maxSenders)));
    return new Summary(number, doubtful, totals, remaining);
  }
}
