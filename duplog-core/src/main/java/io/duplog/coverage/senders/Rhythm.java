package io.duplog.coverage.senders;

import com.google.common.base.Splitter;
import com.google.common.primitives.ImmutableIntArray;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a sender speaks: how often in each hour of the week, and for how long it is quiet at most on
 * a day. What comes within ten seconds is once. How long it is quiet is told as the number of times
 * that it usually speaks meanwhile, so that a night in which it never does is short. Immutable.
 *
 * @param firstHour hour in which it was heard first, in hours since the epoch
 * @param hour last hour in which it was heard
 * @param inHour how often it spoke in that hour so far
 * @param levels how often it usually speaks in each hour of the week: one of {@value #LEVELS}
 *     characters for each, from {@code 0} on
 * @param day last day on which it was heard, in days since the epoch
 * @param quiet for how many times, in tenths, it was quiet at most on each of the last days on
 *     which it was heard, the latest first
 * @see "docs/decisions/sender-rhythm.md"
 */
record Rhythm(
    long firstHour, long hour, long inHour, String levels, long day, ImmutableIntArray quiet) {

  private static final long ONCE = Duration.ofSeconds(10).toMillis();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final int WEEK = 7 * 24;

  private static final char NEVER = '0';
  private static final int LEVELS = 64;

  /** Times an hour of each level: never to always, by equal factors. */
  private static final double[] RATES = new double[LEVELS];

  private static final double STEP = Math.log1p((double) HOUR / ONCE) / (LEVELS - 1);

  /** Weeks after which an hour's usual number has half forgotten what it was. */
  private static final int WEEKS = 4;

  /** Hours after which what was has no weight any more. */
  private static final long FORGOTTEN = 2L * WEEKS * WEEK;

  /** Weight of the mean of all hours, as the number of times that the sender speaks in it. */
  private static final double OVERALL = 0.5;

  private static final int DAYS = 14;

  /** Days and weeks without which no silence is improbable. */
  private static final int DAYS_TO_LEARN = 7;

  /** Days from which on the greatest is left out, since one failure must not hide the next. */
  private static final int DAYS_TO_TRIM = 10;

  /** Without the greatest of 10 to 14, the deviation is three quarters of what it would be. */
  private static final double TRIMMED_DEVIATION = 4 / 3.0;

  /** And the mean is lower by this part of the deviation. */
  private static final double TRIMMED_MEAN = 0.18;

  /** Least deviation of a day's greatest silence, as a part of their mean. */
  private static final double LEAST_DEVIATION = 0.25;

  private static final double LEAST_TENTHS = 2;

  /** A silence is improbable if there is such a one on one day of so many. */
  private static final double DAYS_FOR_ONE = 100_000;

  static {
    Arrays.setAll(RATES, level -> Math.expm1(level * STEP));
  }

  static final Rhythm NONE =
      new Rhythm(0, 0, 0, String.valueOf(NEVER).repeat(WEEK), 0, ImmutableIntArray.of());

  /**
   * Parses text that {@link #text} has written; {@link SenderRecord#parse} refuses all other.
   *
   * @throws IllegalArgumentException if a number can't be right
   */
  static Rhythm parse(String text) {
    List<String> words = Splitter.on(',').splitToList(text);
    ImmutableIntArray.Builder quiet = ImmutableIntArray.builder(words.size() - 5);
    words.subList(5, words.size()).forEach(word -> quiet.add(Integer.parseInt(word)));
    Rhythm parsed =
        new Rhythm(
            Long.parseLong(words.get(0)),
            Long.parseLong(words.get(1)),
            Long.parseLong(words.get(2)),
            words.get(3),
            Long.parseLong(words.get(4)),
            quiet.build());
    if (parsed.quiet.length() > DAYS
        || parsed.firstHour < 0
        || parsed.hour < parsed.firstHour
        || parsed.inHour < 0
        || parsed.levels.length() != WEEK
        || parsed.levels.chars().anyMatch(level -> level < NEVER || level >= NEVER + LEVELS)) {
      throw new IllegalArgumentException(text);
    }
    return parsed;
  }

  /** Returns the rhythm as one word. */
  String text() {
    String days = quiet.stream().mapToObj(tenths -> "," + tenths).collect(Collectors.joining());
    return firstHour + "," + hour + "," + inHour + "," + levels + "," + day + days;
  }

  /**
   * Returns the rhythm with more messages.
   *
   * @param beforeMillis when the last message before them was published; 0 if there was none
   * @param firstMillis when the first of them was published
   * @param lastMillis when the last of them was published
   * @param messages how many they are
   * @param silence how often it usually speaks in the time between the last message before them and
   *     the first of them
   */
  Rhythm plus(long beforeMillis, long firstMillis, long lastMillis, long messages, double silence) {
    long known = Math.max(beforeMillis / ONCE, firstMillis / ONCE - 1);
    long times = Math.max(0, Math.min(lastMillis / ONCE - known, messages));
    long lastHour = lastMillis / HOUR;
    long newHour = Math.max(firstMillis / HOUR, lastHour - FORGOTTEN);
    long newDay = firstMillis / HOUR / 24;
    boolean begins = beforeMillis == 0 || hour == 0;
    Rhythm next =
        begins
            ? new Rhythm(newHour, newHour, 0, levels, newDay, quiet)
            : new Rhythm(
                firstHour,
                hour,
                inHour,
                levels,
                Math.max(day, newDay),
                quietWith(firstMillis > beforeMillis ? silence : 0, newDay));
    // What a bridge hands over at once may be of many hours, after the store was away.
    long hours = Math.max(1, lastHour - newHour + 1);
    for (long i = 0; i < hours; i++) {
      next = next.plusIn(newHour + i, times * (i + 1) / hours - times * i / hours);
    }
    return next;
  }

  private Rhythm plusIn(long newHour, long times) {
    return newHour > hour
        ? new Rhythm(firstHour, newHour, times, levelsAt(newHour), day, quiet)
        : new Rhythm(firstHour, hour, inHour + times, levels, day, quiet);
  }

  /** Each day has an entry, since whoever never rests has none of silence. */
  private ImmutableIntArray quietWith(double times, long newDay) {
    int tenths = (int) Math.min(Integer.MAX_VALUE, Math.ceil(10 * times));
    boolean sameDay = newDay <= day && !quiet.isEmpty();
    if (sameDay && tenths <= quiet.get(0)) {
      return quiet;
    }
    ImmutableIntArray.Builder days = ImmutableIntArray.builder(DAYS);
    days.add(tenths);
    quiet.stream().skip(sameDay ? 1 : 0).limit(DAYS - 1).forEach(days::add);
    return days.build();
  }

  /** Returns the levels with all hours counted that are over when the given one begins. */
  private String levelsAt(long newHour) {
    StringBuilder next = new StringBuilder(levels);
    for (long over = Math.max(hour, newHour - FORGOTTEN); over < newHour; over++) {
      int cell = (int) (over % WEEK);
      double before = rate(next, cell);
      double more = over == hour ? inHour : 0;
      double mean = before + (more - before) / Math.min(WEEKS, 1 + (over - firstHour) / WEEK);
      next.setCharAt(cell, (char) (NEVER + level(mean, over)));
    }
    return next.toString();
  }

  private static double rate(CharSequence levels, int cell) {
    return RATES[levels.charAt(cell) - NEVER];
  }

  /**
   * Returns one of the two levels about a rate, by chance of the hour, so that the mean is right.
   */
  private static int level(double rate, long hour) {
    int below = (int) Math.min(RATES.length - 1, Math.log1p(rate) / STEP);
    if (below == RATES.length - 1) {
      return below;
    }
    double chance = ((hour * 0x9E3779B97F4A7C15L) >>> 40) / (double) (1 << 24);
    return (rate - RATES[below]) / (RATES[below + 1] - RATES[below]) > chance ? below + 1 : below;
  }

  /** Returns how often it usually speaks in the time. */
  double expected(long fromMillis, long toMillis) {
    double mean = mean();
    double sum = 0;
    for (long from = fromMillis; from < toMillis; ) {
      long next = Math.min(toMillis, (from / HOUR + 1) * HOUR);
      sum += usual((int) (from / HOUR % WEEK), mean) * (next - from) / HOUR;
      from = next;
    }
    return sum;
  }

  /** Returns how often it speaks in the mean of the hours of the week that have been. */
  private double mean() {
    int known = (int) Math.min(WEEK, hour - firstHour);
    double sum = 0;
    for (int i = 0; i < known; i++) {
      sum += rate(levels, (int) ((firstHour + i) % WEEK));
    }
    return known == 0 ? 0 : sum / known;
  }

  /**
   * Returns how often it usually speaks in an hour of the week: the hour's own mean, and with a
   * small weight the mean of all hours, so that whoever speaks seldom does so in any.
   */
  private double usual(int cell, double mean) {
    if (mean == 0) {
      return 0;
    }
    long since = hour - firstHour - Math.floorMod(cell - firstHour, (long) WEEK);
    long weeks = Math.min(WEEKS, since <= 0 ? 0 : (since - 1) / WEEK + 1);
    return (weeks * rate(levels, cell) + OVERALL) / (weeks + OVERALL / mean);
  }

  /**
   * Whether a silence is longer than can be by chance, by Gumbel's distribution of a day's greatest
   * one. None is, while the rhythm is not known.
   *
   * @param times how often it would have spoken meanwhile
   */
  boolean isImprobable(double times) {
    if (quiet.length() < DAYS_TO_LEARN || hour - firstHour < WEEK) {
      return false;
    }
    boolean trims = quiet.length() >= DAYS_TO_TRIM;
    int[] days = quiet.stream().sorted().limit(quiet.length() - (trims ? 1 : 0)).toArray();
    double mean = Arrays.stream(days).average().orElseThrow();
    double square = Arrays.stream(days).mapToDouble(day -> (day - mean) * (day - mean)).sum();
    double deviation = Math.sqrt(square / (days.length - 1)) * (trims ? TRIMMED_DEVIATION : 1);
    deviation = Math.max(deviation, Math.max(LEAST_DEVIATION * mean, LEAST_TENTHS));
    double scale = deviation * Math.sqrt(6) / Math.PI;
    double location = mean + (trims ? TRIMMED_MEAN * deviation : 0) - 0.5772 * scale;
    double standard = (10 * times - location) / scale;
    return -Math.expm1(-Math.exp(-standard)) < 1 / DAYS_FOR_ONE;
  }

  /** Returns for how many times it was quiet at most on any of the last days. */
  double quietest() {
    return quiet.stream().max().orElse(0) / 10.0;
  }
}
