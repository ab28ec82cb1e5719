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
 * Everything that the bridges together know about one sender, as they share it in the store. Times
 * are in milliseconds since the epoch, by the clocks of the ingest nodes. Immutable.
 *
 * @param firstMillis when the first message was published
 * @param totals totals of the delivered messages
 * @param rhythm when the sender usually sends messages
 * @param volume how many messages the sender sends
 * @param numbers statistics of the numbers that the sender gives its messages
 * @param headers statistics of the messages' headers
 * @param paths copies that arrived on each stream, by the stream's name; without streams on which
 *     none arrived
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
   * The copies that arrived on one stream.
   *
   * @param lastMillis when the last copy was published
   * @param copies number of copies
   * @param otherCopiesBefore number of copies that had arrived on the other streams when the last
   *     copy arrived on this one
   */
  record Path(long lastMillis, long copies, long otherCopiesBefore) {
    String text() {
      return Longs.join(" ", lastMillis, copies, otherCopiesBefore);
    }
  }

  /**
   * Minimum number of copies that a stream has missed, for each other stream, before a sender
   * counts as silent on it.
   */
  private static final long MIN_MISSED_COPIES = 5;

  /** Minimum time during which messages have arrived on the other streams only. */
  private static final Duration MIN_SILENCE = Duration.ofSeconds(30);

  /**
   * Time after its last message at which a sender no longer counts as silent on single paths, but
   * on all of them.
   */
  private static final Duration MAX_SILENCE = Duration.ofDays(1);

  /**
   * Minimum time for which a sender is kept after its last message, so that weekly senders stay
   * known. {@link #MAX_RETENTION} is the maximum.
   */
  private static final Duration MIN_RETENTION = Duration.ofDays(8);

  private static final Duration MAX_RETENTION = Duration.ofDays(35);

  static final SenderRecord EMPTY =
      new SenderRecord(
          Long.MAX_VALUE,
          Totals.NONE,
          Rhythm.NONE,
          Volume.NONE,
          MessageNumbers.NONE,
          Headers.NONE,
          Collections.emptySortedMap());

  /** Parses the output of {@link #text}, or returns null for any other text. */
  static @Nullable SenderRecord parse(String text) {
    List<String> words = Splitter.on(' ').splitToList(text);
    try {
      SortedMap<String, Path> paths = new TreeMap<>();
      for (int i = 6; i < words.size(); i += 4) {
        paths.put(
            words.get(i).intern(), // because all records have the same few names
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
   * Returns this record without times in the future, which come from a wrong clock. If there are
   * any, the rhythm, the volume and the numbers are cleared, because such times have made them
   * wrong.
   *
   * @param toleranceMillis milliseconds by which the clock may have been set back
   */
  SenderRecord withoutFutureTimes(long nowMillis, long toleranceMillis) {
    if (lastMillis() <= nowMillis + toleranceMillis) {
      return this;
    }
    SortedMap<String, Path> corrected = new TreeMap<>(paths);
    corrected.replaceAll(
        (stream, path) ->
            new Path(
                Math.min(path.lastMillis(), nowMillis), path.copies(), path.otherCopiesBefore()));
    return new SenderRecord(
        Math.min(firstMillis, nowMillis),
        totals,
        Rhythm.NONE,
        Volume.NONE,
        MessageNumbers.NONE,
        headers,
        corrected);
  }

  /**
   * Returns this record with more counts added.
   *
   * @param streams names of the streams, in the order of the counts
   * @param outages the outages of these streams
   */
  SenderRecord plus(SenderCounts counts, List<String> streams, StreamOutages outages) {
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
        most == 0 // the counts contain only refusals
            ? rhythm
            : rhythm.plus(
                before,
                counts.firstMillis,
                Longs.max(counts.lastMillis),
                most,
                before > 0 && counts.firstMillis > before
                    ? outages.measureSilence(
                        this, before, counts.firstMillis, rhythm::expectedBursts)
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

  /** Returns the number of copies that arrived on all streams. */
  private long copies() {
    return paths.values().stream().mapToLong(Path::copies).sum();
  }

  /** Returns when the last message was published on any path, or 0 if there was none. */
  long lastMillis() {
    return paths.values().stream().mapToLong(Path::lastMillis).max().orElse(0);
  }

  /**
   * Whether the sender's retention is over. A sender is kept after its last message for as long as
   * it was heard before, within limits. This removes forged addresses soon.
   */
  boolean isExpired(long nowMillis) {
    Duration heard = Duration.ofMillis(lastMillis() - firstMillis);
    Duration kept = Comparators.min(Comparators.max(heard, MIN_RETENTION), MAX_RETENTION);
    return nowMillis - lastMillis() > kept.toMillis();
  }

  /**
   * Returns the number of copies that have arrived on other streams since the last copy on this
   * stream.
   */
  long copiesMissedBy(String stream) {
    Path path = paths.get(stream);
    return path == null ? copies() : copies() - path.copies() - path.otherCopiesBefore();
  }

  /**
   * Whether the sender's messages arrive on the other streams and not on this one.
   *
   * @param streams all streams
   * @param missed number of copies that arrived on the other streams while this stream was up to
   *     date and received none
   * @param sinceMillis time since which the stream has been up to date
   */
  boolean isMissingOn(
      String stream, List<String> streams, long missed, long sinceMillis, long nowMillis) {
    long others =
        streams.stream().filter(each -> !each.equals(stream) && paths.containsKey(each)).count();
    long last = lastMillis();
    return missed >= MIN_MISSED_COPIES * Math.max(1, others)
        && last - Math.max(lastMillis(stream), sinceMillis) >= MIN_SILENCE.toMillis()
        && nowMillis - last < MAX_SILENCE.toMillis();
  }

  /**
   * Whether a message arrived on the stream in the half minute before the sender's last message.
   */
  boolean wasRecentlyDeliveredBy(String stream) {
    return paths.containsKey(stream) && lastMillis() - lastMillis(stream) < MIN_SILENCE.toMillis();
  }

  /**
   * Returns when the last copy on a stream was published, or when the sender's first message was
   * published if the stream had none.
   */
  long lastMillis(String stream) {
    Path path = paths.get(stream);
    return path == null ? firstMillis : path.lastMillis();
  }
}
