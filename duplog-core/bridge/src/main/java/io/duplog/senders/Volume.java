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
 * The numbers of messages that a sender sent on each day and in each day's busiest hour, to notice
 * unusual amounts. Hours and days are in UTC, counted since the epoch. Immutable.
 *
 * @param hour last hour with a message
 * @param messagesInHour number of messages in that hour so far
 * @param messagesInHourBefore number of messages in the hour before that one
 * @param days number of messages on each day, from the latest day back to the first
 * @param busiestHours number of messages in the busiest hour of each of these days
 * @see "docs/decisions/senders.md#sender-volume"
 */
record Volume(
    long hour,
    long messagesInHour,
    long messagesInHourBefore,
    ImmutableIntArray days,
    ImmutableIntArray busiestHours) {

  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final int WEEK = 7;

  /**
   * Maximum number of days to keep: today, yesterday, the three weeks up to the judged day, and a
   * first day that may be incomplete. In the first hour of today, the judged day is the one before
   * yesterday.
   */
  private static final int MAX_DAYS = 3 * WEEK + 3;

  /** Minimum number of messages in an hour that counts as loud. */
  private static final int MIN_LOUD_MESSAGES = 1_000;

  /** Minimum number of messages in a loud hour, as a multiple of the usual busiest hour. */
  private static final int MIN_LOUD_FACTOR = 5;

  /** Minimum usual number of messages on a day that can count as slow. */
  private static final int MIN_USUAL_MESSAGES = 100;

  /** Upper limit of the messages on a slow day, as a fraction of the usual messages. */
  private static final double SLOW_FRACTION = 0.6;

  private static final int RADIX = 36;

  static final Volume NONE = new Volume(0, 0, 0, ImmutableIntArray.of(), ImmutableIntArray.of());

  /**
   * An unusual number of messages.
   *
   * @param messages number of messages: in an hour if it is high, on a day if it is low
   * @param usual number of messages in the busiest hour before, or on the same day of one of the
   *     two weeks before
   */
  record Change(long messages, long usual) {
    boolean isLoud() {
      return messages > usual;
    }
  }

  /**
   * Parses the output of {@link #text}; {@link SenderRecord#parse} rejects any other text.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  static Volume parse(String text) {
    List<Long> numbers =
        Splitter.on(',').splitToStream(text).map(word -> Long.parseLong(word, RADIX)).toList();
    int days = (numbers.size() - 3) / 2;
    if (days > MAX_DAYS || numbers.stream().anyMatch(n -> n < 0)) {
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
            LongStream.of(hour, messagesInHour, messagesInHourBefore),
            LongStream.concat(days.stream().asLongStream(), busiestHours.stream().asLongStream()))
        .mapToObj(number -> Long.toString(number, RADIX))
        .collect(Collectors.joining(","));
  }

  /**
   * Returns the volume with more messages added.
   *
   * @param firstMillis when the first of them was published
   * @param lastMillis when the last of them was published
   */
  Volume plus(long firstMillis, long lastMillis, long messages) {
    if (messages == 0) {
      return this;
    }
    long last = lastMillis / HOUR;
    long first = Math.max(firstMillis / HOUR, last - 24 * MAX_DAYS);
    Volume next =
        days.isEmpty()
            ? new Volume(first, 0, 0, ImmutableIntArray.of(0), ImmutableIntArray.of(0))
            : this;
    // After an outage of the store, a bridge may share the messages of many hours at once.
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
    int[] most = until(latest / 24, busiestHours);
    int daysBack = (int) (latest / 24 - newHour / 24);
    if (daysBack < sums.length) {
      sums[daysBack] = Ints.saturatedCast(sums[daysBack] + more);
    }
    long in = newHour > hour ? more : newHour == hour ? messagesInHour + more : messagesInHour;
    if (newHour == latest) {
      most[0] = Math.max(most[0], Ints.saturatedCast(in));
    }
    return new Volume(
        latest,
        in,
        newHour > hour + 1 ? 0 : newHour > hour ? messagesInHour : messagesInHourBefore,
        ImmutableIntArray.copyOf(sums),
        ImmutableIntArray.copyOf(most));
  }

  /**
   * Returns the numbers of all days up to a later day, with zero for each day without a message.
   */
  private int[] until(long day, ImmutableIntArray numbers) {
    int more = (int) Math.min(MAX_DAYS, day - hour / 24);
    int[] all = new int[Math.min(MAX_DAYS, numbers.length() + more)];
    for (int i = more; i < all.length; i++) {
      all[i] = numbers.get(i - more);
    }
    return all;
  }

  /**
   * Returns the unusual number of messages, or null if the number is usual or if the usual number
   * is unknown.
   */
  @Nullable Change change(long nowMillis) {
    long now = nowMillis / HOUR;
    Change loud = loud(now);
    return loud != null ? loud : slow(now);
  }

  /**
   * Returns the number of messages in this hour or the previous hour if it is loud, otherwise null.
   * The usual number does not include yesterday, so that a flood does not become usual at midnight.
   * The busiest day before is not included either, so that one flood does not hide the next.
   */
  private @Nullable Change loud(long now) {
    long recent =
        hour < now - 1
            ? 0
            : hour < now ? messagesInHour : Math.max(messagesInHour, messagesInHourBefore);
    int[] all = until(Math.max(now, hour) / 24, busiestHours);
    int[] before =
        Arrays.stream(all).skip(2).limit(2 * WEEK).filter(most -> most > 0).sorted().toArray();
    long usual = before.length < 2 ? 0 : before[before.length - 2];
    return before.length > WEEK && recent >= Math.max(MIN_LOUD_MESSAGES, MIN_LOUD_FACTOR * usual)
        ? new Change(recent, usual)
        : null;
  }

  /**
   * Compares yesterday with the same day of the two weeks before. Returns null if yesterday was not
   * slow. A sender whose two weeks differ is never slow. A day is judged an hour after its end,
   * because bridges may share their counts late.
   */
  private @Nullable Change slow(long now) {
    long yesterday = (now - 1) / 24 - 1;
    if (yesterday - 3 * WEEK + 1 <= hour / 24 - days.length() + 1) {
      return null; // too early, or only a part of the oldest day was heard
    }
    int usual = Math.min(messagesOn(yesterday - WEEK), messagesOn(yesterday - 2 * WEEK));
    int messages = messagesOn(yesterday);
    for (long day = yesterday - 2 * WEEK + 1; day <= yesterday - WEEK; day++) {
      if (isSlow(messagesOn(day), messagesOn(day - WEEK))
          || isSlow(messagesOn(day - WEEK), messagesOn(day))) {
        return null;
      }
    }
    return messages > 0 && isSlow(messages, usual) ? new Change(messages, usual) : null;
  }

  private static boolean isSlow(int messages, int usual) {
    return usual >= MIN_USUAL_MESSAGES && messages < SLOW_FRACTION * usual;
  }

  private int messagesOn(long day) {
    long index = hour / 24 - day;
    return index >= 0 && index < days.length() ? days.get((int) index) : 0;
  }
}
