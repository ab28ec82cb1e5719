package io.duplog.senders;

import com.google.common.base.Splitter;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.Ints;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * How many messages a sender sends: on each of the last days, and in the loudest hour of each.
 * Hours and days are UTC's, counted since the epoch. Immutable.
 *
 * @param hour last hour of which there was a message
 * @param inHour number of messages in that hour so far
 * @param hourBefore number of messages in the hour before that one
 * @param days number of messages on each day, the latest one first, back to the first one
 * @param loudest number of messages in the loudest hour of each of these days
 * @see "docs/decisions/senders.md#sender-volume"
 */
record Volume(
    long hour, long inHour, long hourBefore, ImmutableIntArray days, ImmutableIntArray loudest) {

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final int WEEK = 7;

  /**
   * Days that are kept: today; yesterday, which is not judged in the first hour of today; the day
   * that is judged then, with its three weeks; and a day of which only a part was heard.
   */
  private static final int DAYS = 3 * WEEK + 3;

  /** Least number of messages in an hour that is told as loud. */
  private static final int LOUD_HOUR = 1_000;

  /** Factor above the usual loudest hour from which on an hour is loud. */
  private static final int LOUD_TIMES = 5;

  /** Least usual number of messages of a day that is told as slow. */
  private static final int SLOW_DAY = 100;

  /** Fraction of the usual messages of a day below which a day is slow. */
  private static final double SLOW_PART = 0.6;

  private static final int RADIX = 36;

  static final Volume NONE = new Volume(0, 0, 0, ImmutableIntArray.of(), ImmutableIntArray.of());

  /**
   * A number of messages that is not the usual one.
   *
   * @param messages number of messages, in an hour if they are more, on a day if they are fewer
   * @param usual number of messages in the loudest hour before, or on the same day of one of the
   *     two weeks before
   */
  record Change(long messages, long usual) {
    boolean isLoud() {
      return messages > usual;
    }
  }

  /**
   * Parses text that {@link #text} has written; {@link SenderRecord#parse} refuses all other.
   *
   * @throws IllegalArgumentException if a number can't be right
   */
  static Volume parse(String text) {
    List<Long> numbers =
        Splitter.on(',').splitToStream(text).map(word -> Long.parseLong(word, RADIX)).toList();
    int days = (numbers.size() - 3) / 2;
    if (days > DAYS || numbers.stream().anyMatch(n -> n < 0)) {
      throw new IllegalArgumentException(text);
    }
    return new Volume(
        numbers.get(0),
        numbers.get(1),
        numbers.get(2),
        ints(numbers.subList(3, 3 + days)),
        ints(numbers.subList(3 + days, 3 + 2 * days)));
  }

  private static ImmutableIntArray ints(List<Long> numbers) {
    return ImmutableIntArray.copyOf(numbers.stream().mapToInt(Ints::checkedCast));
  }

  /** Returns the volume as one word. */
  String text() {
    return LongStream.concat(
            LongStream.of(hour, inHour, hourBefore),
            LongStream.concat(days.stream().asLongStream(), loudest.stream().asLongStream()))
        .mapToObj(number -> Long.toString(number, RADIX))
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the volume with more messages.
   *
   * @param firstMillis when the first of them was published
   * @param lastMillis when the last of them was published
   */
  Volume plus(long firstMillis, long lastMillis, long messages) {
    if (messages == 0) {
      return this;
    }
    long last = lastMillis / HOUR;
    long first = Math.max(firstMillis / HOUR, last - 24 * DAYS);
    Volume next =
        days.isEmpty()
            ? new Volume(first, 0, 0, ImmutableIntArray.of(0), ImmutableIntArray.of(0))
            : this;
    // What a bridge hands over at once may be of many hours, after the store was away.
    long hours = last - first + 1;
    for (long i = 0; i < hours; i++) {
      long more = messages * (i + 1) / hours - messages * i / hours;
      next = more == 0 ? next : next.plusIn(first + i, more);
    }
    return next;
  }

  private Volume plusIn(long newHour, long more) {
    long latest = Math.max(hour, newHour);
    int[] sums = until(latest / 24, days);
    int[] most = until(latest / 24, loudest);
    int daysBack = (int) (latest / 24 - newHour / 24);
    if (daysBack < sums.length) {
      sums[daysBack] = Ints.saturatedCast(sums[daysBack] + more);
    }
    long in = newHour > hour ? more : newHour == hour ? inHour + more : inHour;
    if (newHour == latest) {
      most[0] = Math.max(most[0], Ints.saturatedCast(in));
    }
    return new Volume(
        latest,
        in,
        newHour > hour + 1 ? 0 : newHour > hour ? inHour : hourBefore,
        ImmutableIntArray.copyOf(sums),
        ImmutableIntArray.copyOf(most));
  }

  /** Returns the numbers of the days up to a later one, zero for each day without a message. */
  private int[] until(long day, ImmutableIntArray numbers) {
    int more = (int) Math.min(DAYS, day - hour / 24);
    int[] all = new int[Math.min(DAYS, numbers.length() + more)];
    for (int i = more; i < all.length; i++) {
      all[i] = numbers.get(i - more);
    }
    return all;
  }

  /**
   * Returns the unusual number of messages; null if the number is usual, or it is not known what is
   * usual.
   */
  @Nullable Change change(long nowMillis) {
    long now = nowMillis / HOUR;
    Change loud = loud(now);
    return loud != null ? loud : slow(now);
  }

  /**
   * Returns the number of messages in this hour or the one before if that is loud; null otherwise.
   * Yesterday does not count as usual, so that a flood does not end at midnight. The loudest day
   * before does not count either, so that one flood does not hide the next.
   */
  private @Nullable Change loud(long now) {
    long recent = hour < now - 1 ? 0 : hour < now ? inHour : Math.max(inHour, hourBefore);
    int[] all = until(Math.max(now, hour) / 24, loudest);
    int[] before =
        Arrays.stream(all).skip(2).limit(2 * WEEK).filter(most -> most > 0).sorted().toArray();
    long usual = before.length < 2 ? 0 : before[before.length - 2];
    return before.length > WEEK && recent >= Math.max(LOUD_HOUR, LOUD_TIMES * usual)
        ? new Change(recent, usual)
        : null;
  }

  /**
   * Compares yesterday with the same day of the two weeks before; returns null if it was not slow.
   * A sender whose two weeks differ is never slow. A day is over an hour after its end, because
   * bridges may hand over late.
   */
  private @Nullable Change slow(long now) {
    long yesterday = (now - 1) / 24 - 1;
    if (yesterday - 3 * WEEK + 1 <= hour / 24 - days.length() + 1) {
      return null; // too early, or only a part of the oldest day was heard
    }
    int usual = Math.min(on(yesterday - WEEK), on(yesterday - 2 * WEEK));
    int messages = on(yesterday);
    for (long day = yesterday - 2 * WEEK + 1; day <= yesterday - WEEK; day++) {
      if (isSlow(on(day), on(day - WEEK)) || isSlow(on(day - WEEK), on(day))) {
        return null;
      }
    }
    return messages > 0 && isSlow(messages, usual) ? new Change(messages, usual) : null;
  }

  private static boolean isSlow(int messages, int usual) {
    return usual >= SLOW_DAY && messages < SLOW_PART * usual;
  }

  private int on(long day) {
    long index = hour / 24 - day;
    return index >= 0 && index < days.length() ? days.get((int) index) : 0;
  }
}
