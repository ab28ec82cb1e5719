package io.duplog.senders;

import com.google.common.base.Splitter;
import com.google.common.collect.Comparators;
import com.google.common.primitives.Longs;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What all bridges know about one sender. Times are in milliseconds since the epoch, by the clocks
 * of the ingest nodes. Immutable.
 *
 * @param firstMillis when the first message was published
 * @param totals what was delivered
 * @param rhythm how it speaks
 * @param volume how much it sends
 * @param numbers the numbers that it gives its messages
 * @param headers what its headers say
 * @param paths what each stream brought, by the stream's name; a stream that brought nothing is
 *     missing
 */
record SenderRecord(
    long firstMillis,
    Totals totals,
    Rhythm rhythm,
    Volume volume,
    MessageNumbers numbers,
    Headers headers,
    SortedMap<String, Path> paths) {

  /**
   * What one stream brought.
   *
   * @param lastMillis when the last copy was published
   * @param copies number of copies
   * @param othersBefore number of copies that the other streams had brought when this one brought
   *     its last one
   */
  record Path(long lastMillis, long copies, long othersBefore) {
    String text() {
      return Longs.join(" ", lastMillis, copies, othersBefore);
    }
  }

  /**
   * Number of copies, for each other stream, that a stream must have missed before a sender counts
   * as silent on it.
   */
  private static final long MISSED = 5;

  /** Time for which the other streams must have brought messages that the stream did not bring. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /**
   * Time after its last message from which on a sender is no longer silent on single paths, but
   * altogether.
   */
  private static final Duration ABSENCE = Duration.ofDays(1);

  /**
   * Shortest time for which a sender is kept after its last message, so that weekly senders stay
   * known. {@link #MOST_KEPT} is the longest.
   */
  private static final Duration LEAST_KEPT = Duration.ofDays(8);

  private static final Duration MOST_KEPT = Duration.ofDays(35);

  static final SenderRecord NOTHING =
      new SenderRecord(
          Long.MAX_VALUE,
          Totals.NONE,
          Rhythm.NONE,
          Volume.NONE,
          MessageNumbers.NONE,
          Headers.NONE,
          Collections.emptySortedMap());

  /** Parses text that {@link #text} has written; returns null if the text is another one. */
  static @Nullable SenderRecord parse(String text) {
    List<String> words = Splitter.on(' ').splitToList(text);
    try {
      SortedMap<String, Path> paths = new TreeMap<>();
      for (int i = 6; i < words.size(); i += 4) {
        paths.put(
            words.get(i).intern(), // since each record has the same few
            new Path(number(words, i + 1), number(words, i + 2), number(words, i + 3)));
      }
      SenderRecord record =
          new SenderRecord(
              number(words, 0),
              Totals.parse(words.get(1)),
              Rhythm.parse(words.get(2)),
              Volume.parse(words.get(3)),
              MessageNumbers.parse(words.get(4)),
              Headers.parse(words.get(5)),
              paths);
      return record.text().equals(text) ? record : null;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  private static long number(List<String> words, int index) {
    return Long.parseLong(words.get(index));
  }

  /** Parses numbers that are separated by commas. */
  static long[] numbers(String text) {
    return Splitter.on(',').splitToStream(text).mapToLong(Long::parseLong).toArray();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append(firstMillis).append(' ').append(totals.text());
    text.append(' ').append(rhythm.text()).append(' ').append(volume.text());
    text.append(' ').append(numbers.text()).append(' ').append(headers.text());
    paths.forEach(
        (stream, path) -> text.append(' ').append(stream).append(' ').append(path.text()));
    return text.toString();
  }

  /**
   * Returns this record without times in the future, which a wrong clock has left. If there are
   * any, rhythm, volume and numbers begin anew, because such times spoil them.
   *
   * @param tolerance milliseconds by which the clock may have been set back
   */
  SenderRecord upTo(long nowMillis, long tolerance) {
    if (lastMillis() <= nowMillis + tolerance) {
      return this;
    }
    SortedMap<String, Path> mended = new TreeMap<>(paths);
    mended.replaceAll(
        (stream, path) ->
            new Path(Math.min(path.lastMillis(), nowMillis), path.copies(), path.othersBefore()));
    return new SenderRecord(
        Math.min(firstMillis, nowMillis),
        totals,
        Rhythm.NONE,
        Volume.NONE,
        MessageNumbers.NONE,
        headers,
        mended);
  }

  /**
   * Returns this record with more counts added.
   *
   * @param streams names of the streams that the counts are of
   * @param away when these streams did not bring everything
   */
  SenderRecord plus(SenderCounts counts, List<String> streams, AwayTimes away) {
    SortedMap<String, Path> sum = new TreeMap<>(paths);
    Totals more = counts.totals();
    long before = lastMillis();
    long copies = copies() + LongStream.of(counts.copies).sum();
    long most = Longs.max(counts.copies);
    for (int i = 0; i < streams.size(); i++) {
      if (counts.copies[i] > 0) {
        @Nullable Path known = paths.get(streams.get(i));
        long lastHere = Math.max(counts.lastMillis[i], known == null ? 0 : known.lastMillis());
        long own = counts.copies[i] + (known == null ? 0 : known.copies());
        sum.put(streams.get(i), new Path(lastHere, own, copies - own));
      }
    }
    return new SenderRecord(
        Math.min(firstMillis, counts.firstMillis),
        totals.plus(more),
        most == 0 // no more than what was refused
            ? rhythm
            : rhythm.plus(
                before,
                counts.firstMillis,
                Longs.max(counts.lastMillis),
                most,
                before > 0 && counts.firstMillis > before
                    ? away.silence(this, before, counts.firstMillis, rhythm::expected)
                    : 0),
        volume.plus(counts.firstDeliveredMillis, counts.lastDeliveredMillis, more.messages()),
        numbers.plus(
            counts.numbers(),
            counts.uncountedNumber,
            counts.firstDeliveredMillis,
            counts.lastDeliveredMillis),
        headers.plus(counts.aheadMillis, counts.host),
        sum);
  }

  /** Returns the number of copies that all streams brought. */
  private long copies() {
    return paths.values().stream().mapToLong(Path::copies).sum();
  }

  /** Returns when the last message was published on any path; 0 if there was none. */
  long lastMillis() {
    return paths.values().stream().mapToLong(Path::lastMillis).max().orElse(0);
  }

  /**
   * Whether the sender is no longer kept. It is kept after its last message for as long as it was
   * heard before, within bounds, so that invented addresses give way soon.
   */
  boolean isOld(long nowMillis) {
    Duration heard = Duration.ofMillis(lastMillis() - firstMillis);
    Duration kept = Comparators.min(Comparators.max(heard, LEAST_KEPT), MOST_KEPT);
    return nowMillis - lastMillis() > kept.toMillis();
  }

  /** Returns the number of copies that others brought since this stream brought its last one. */
  long othersSince(String stream) {
    Path path = paths.get(stream);
    return path == null ? copies() : copies() - path.copies() - path.othersBefore();
  }

  /**
   * Whether the other streams bring the sender's messages and this one does not.
   *
   * @param streams all streams
   * @param missed number of copies that the others brought while this one was up to date and
   *     brought none
   * @param sinceMillis time since which the stream has been up to date
   */
  boolean isMissedBy(
      String stream, List<String> streams, long missed, long sinceMillis, long nowMillis) {
    long others =
        streams.stream().filter(each -> !each.equals(stream) && paths.containsKey(each)).count();
    long last = lastMillis();
    return missed >= MISSED * Math.max(1, others)
        && last - Math.max(lastMillis(stream), sinceMillis) >= SILENCE.toMillis()
        && nowMillis - last < ABSENCE.toMillis();
  }

  /** Whether the stream brought a message in the half minute up to the sender's last message. */
  boolean wasBroughtLastBy(String stream) {
    return paths.containsKey(stream) && lastMillis() - lastMillis(stream) < SILENCE.toMillis();
  }

  /** Returns when a stream brought its last copy, or when the sender began if it brought none. */
  long lastMillis(String stream) {
    Path path = paths.get(stream);
    return path == null ? firstMillis : path.lastMillis();
  }
}
