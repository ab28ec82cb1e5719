package io.duplog.senders;

import com.google.common.base.Splitter;
import com.google.common.primitives.ImmutableIntArray;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How a sender speaks: how often in each hour of the week, and how long its longest silence is on
 * each day. Messages within ten seconds count as speaking once. The length of a silence is the
 * number of times that the sender usually speaks meanwhile, so that a night in which it never
 * speaks is short. Immutable.
 *
 * @param firstHour hour in which it was heard first, in hours since the epoch
 * @param hour last hour in which it was heard
 * @param inHour how often it spoke in that hour so far
 * @param levels how often it usually speaks in each hour of the week: one of {@value #LEVELS}
 *     characters for each, from {@code 0} on
 * @param day last day on which it was heard, in days since the epoch
 * @param quiet length of the longest silence, in tenths of a time, on each of the last days on
 *     which it was heard, the latest first
 * @see "docs/decisions/senders.md#sender-rhythm"
 */
record Rhythm(
    long firstHour, long hour, long inHour, String levels, long day, ImmutableIntArray quiet) {

  private static final long ONCE = Duration.ofSeconds(10).toMillis();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final int WEEK = 7 * 24;

  private static final char NEVER = '0';
  private static final int LEVELS = 64;

  /**
   * How often per hour a sender of each level speaks: from never to every ten seconds, on a
   * logarithmic scale.
   */
  private static final double[] RATES = new double[LEVELS];

  private static final double STEP = Math.log1p((double) HOUR / ONCE) / (LEVELS - 1);

  /**
   * Most weeks for which an hour's moving average counts, so that each new week keeps moving it.
   */
  private static final int WEEKS = 4;

  /** Most hours to go back in an update, because earlier ones hardly have any weight. */
  private static final long FORGOTTEN = 2L * WEEKS * WEEK;

  /**
   * Weight of the mean of all hours in an hour's usual number, as a number of times that the sender
   * spoke.
   */
  private static final double OVERALL = 0.5;

  private static final int DAYS = 14;

  /** Least number of known days before any silence counts as improbable. */
  private static final int DAYS_TO_LEARN = 7;

  /**
   * Number of days from which on the longest silence is left out, because one failure must not hide
   * the next.
   */
  private static final int DAYS_TO_TRIM = 10;

  /**
   * Factor that corrects the deviation of 10 to 14 silences for the longest one, which is left out.
   */
  private static final double TRIMMED_DEVIATION = 4 / 3.0;

  /**
   * Fraction of the deviation by which the mean is too low because the longest silence is left out.
   */
  private static final double TRIMMED_MEAN = 0.18;

  /** Least deviation of the days' longest silences, as a fraction of their mean. */
  private static final double LEAST_DEVIATION = 0.25;

  private static final double LEAST_TENTHS = 2;

  /**
   * A silence counts as improbable if one as long is expected on fewer than one in this many days.
   */
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

  /**
   * Returns the longest silences with one more. Each day gets an entry, even without a silence,
   * because a sender that is always busy would never get one.
   */
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

  /** Returns the levels after all hours before the given one were counted. */
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
   * Rounds a rate up or down to a level, pseudo-randomly by the hour, so that the mean is right.
   */
  private static int level(double rate, long hour) {
    int below = (int) Math.min(RATES.length - 1, Math.log1p(rate) / STEP);
    if (below == RATES.length - 1) {
      return below;
    }
    double chance = ((hour * 0x9E3779B97F4A7C15L) >>> 40) / (double) (1 << 24);
    return (rate - RATES[below]) / (RATES[below + 1] - RATES[below]) > chance ? below + 1 : below;
  }

  /** Returns how often the sender usually speaks between two times. */
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

  /**
   * Returns how often the sender speaks in an hour, on average over the known hours of the week.
   */
  private double mean() {
    int known = (int) Math.min(WEEK, hour - firstHour);
    double sum = 0;
    for (int i = 0; i < known; i++) {
      sum += rate(levels, (int) ((firstHour + i) % WEEK));
    }
    return known == 0 ? 0 : sum / known;
  }

  /**
   * Returns how often the sender usually speaks in an hour of the week. The mean of all hours is
   * added to the hour's own mean with a small weight, so that no hour of a sender that speaks
   * seldom counts as silent.
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
   * Whether a silence is longer than chance explains, if a day's longest silence follows Gumbel's
   * distribution. Always false until enough days are known.
   *
   * @param times how often the sender would have spoken meanwhile
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

  /**
   * Returns the length of the longest silence on the last days, as the number of times that the
   * sender usually speaks meanwhile.
   */
  double quietest() {
    return quiet.stream().max().orElse(0) / 10.0;
  }
}
