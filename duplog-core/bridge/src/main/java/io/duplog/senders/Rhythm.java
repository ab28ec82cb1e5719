package io.duplog.senders;

import com.google.common.base.Splitter;
import com.google.common.primitives.ImmutableIntArray;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The rhythm in which a sender usually sends, by the hour of the week, to tell whether a silence is
 * unusual for it. Messages within ten seconds count as one burst. The length of a silence is the
 * number of bursts that the sender usually sends in that time. A night therefore counts as short
 * for a sender that never sends at night. Immutable.
 *
 * @param firstHour hour in which the sender was first heard, in hours since the epoch
 * @param hour last hour in which it was heard
 * @param burstsInHour number of bursts in that hour so far
 * @param levels usual number of bursts in each hour of the week, as one of {@value #LEVELS}
 *     characters for each hour, starting with {@code 0}
 * @param day last day on which it was heard, in days since the epoch
 * @param silences length of the longest silence, in tenths of a burst, on each of the last days on
 *     which it was heard, the latest first
 * @see "docs/decisions/senders.md#sender-rhythm"
 */
record Rhythm(
    long firstHour,
    long hour,
    long burstsInHour,
    String levels,
    long day,
    ImmutableIntArray silences) {

  private static final long BURST = Duration.ofSeconds(10).toMillis();
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final int WEEK = 7 * 24;

  private static final char LEVEL_ZERO = '0';
  private static final int LEVELS = 64;

  /** Bursts per hour at each level: from none to one every ten seconds, on a logarithmic scale. */
  private static final double[] RATES = new double[LEVELS];

  private static final double STEP = Math.log1p((double) HOUR / BURST) / (LEVELS - 1);

  /**
   * Maximum number of weeks that count in an hour's moving average, so that each new week still
   * changes it.
   */
  private static final int MAX_WEEKS = 4;

  /**
   * Maximum number of hours that an update covers, because earlier hours have hardly any weight.
   */
  private static final long MAX_HOURS = 2L * MAX_WEEKS * WEEK;

  /** Weight of the mean of all hours in an hour's usual number, in bursts. */
  private static final double MEAN_WEIGHT = 0.5;

  private static final int MAX_DAYS = 14;

  /** Minimum number of known days before any silence counts as improbable. */
  private static final int MIN_DAYS = 7;

  /**
   * Minimum number of known days for leaving out the longest silence, because one failure must not
   * hide the next.
   */
  private static final int MIN_DAYS_TO_TRIM = 10;

  /**
   * Factor that corrects the deviation of 10 to 14 silences for the longest one, which is left out.
   */
  private static final double TRIMMED_DEVIATION = 4 / 3.0;

  /**
   * Fraction of the deviation by which the mean is too low because the longest silence is left out.
   */
  private static final double TRIMMED_MEAN = 0.18;

  /** Minimum deviation of the days' longest silences, as a fraction of their mean. */
  private static final double MIN_DEVIATION = 0.25;

  private static final double MIN_DEVIATION_TENTHS = 2;

  /**
   * A silence counts as improbable if one that long is expected on fewer than one in this many
   * days.
   */
  private static final double DAYS_PER_FALSE_ALARM = 100_000;

  static {
    Arrays.setAll(RATES, level -> Math.expm1(level * STEP));
  }

  static final Rhythm NONE =
      new Rhythm(0, 0, 0, String.valueOf(LEVEL_ZERO).repeat(WEEK), 0, ImmutableIntArray.of());

  /**
   * Parses the output of {@link #text}; {@link SenderRecord#parse} rejects any other text.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  static Rhythm parse(String text) {
    List<String> words = Splitter.on(',').splitToList(text);
    ImmutableIntArray.Builder silences = ImmutableIntArray.builder(words.size() - 5);
    words.subList(5, words.size()).forEach(word -> silences.add(Integer.parseInt(word)));
    Rhythm parsed =
        new Rhythm(
            Long.parseLong(words.get(0)),
            Long.parseLong(words.get(1)),
            Long.parseLong(words.get(2)),
            words.get(3),
            Long.parseLong(words.get(4)),
            silences.build());
    if (parsed.silences.length() > MAX_DAYS
        || parsed.firstHour < 0
        || parsed.hour < parsed.firstHour
        || parsed.burstsInHour < 0
        || parsed.levels.length() != WEEK
        || parsed
            .levels
            .chars()
            .anyMatch(level -> level < LEVEL_ZERO || level >= LEVEL_ZERO + LEVELS)) {
      throw new IllegalArgumentException(text);
    }
    return parsed;
  }

  /** Returns the rhythm as one word. */
  String text() {
    String days = silences.stream().mapToObj(tenths -> "," + tenths).collect(Collectors.joining());
    return firstHour + "," + hour + "," + burstsInHour + "," + levels + "," + day + days;
  }

  /**
   * Returns the rhythm with more messages added.
   *
   * @param beforeMillis when the last message before them was published, or 0 if there was none
   * @param firstMillis when the first of them was published
   * @param lastMillis when the last of them was published
   * @param messages number of these messages
   * @param silence number of bursts that the sender usually sends between the last message before
   *     them and the first of them
   */
  Rhythm plus(long beforeMillis, long firstMillis, long lastMillis, long messages, double silence) {
    long known = Math.max(beforeMillis / BURST, firstMillis / BURST - 1);
    long times = Math.max(0, Math.min(lastMillis / BURST - known, messages));
    long lastHour = lastMillis / HOUR;
    long newHour = Math.max(firstMillis / HOUR, lastHour - MAX_HOURS);
    long newDay = firstMillis / HOUR / 24;
    boolean begins = beforeMillis == 0 || hour == 0;
    Rhythm next =
        begins
            ? new Rhythm(newHour, newHour, 0, levels, newDay, silences)
            : new Rhythm(
                firstHour,
                hour,
                burstsInHour,
                levels,
                Math.max(day, newDay),
                silencesWith(firstMillis > beforeMillis ? silence : 0, newDay));
    // After an outage of the store, a bridge may share the messages of many hours at once.
    long hours = Math.max(1, lastHour - newHour + 1);
    for (long i = 0; i < hours; i++) {
      next = next.plusIn(newHour + i, times * (i + 1) / hours - times * i / hours);
    }
    return next;
  }

  private Rhythm plusIn(long newHour, long times) {
    return newHour > hour
        ? new Rhythm(firstHour, newHour, times, levelsAt(newHour), day, silences)
        : new Rhythm(firstHour, hour, burstsInHour + times, levels, day, silences);
  }

  /**
   * Returns the longest silences with one more. Each day gets an entry, even without a silence.
   * Otherwise a constantly active sender would never have enough known days.
   */
  private ImmutableIntArray silencesWith(double times, long newDay) {
    int tenths = (int) Math.min(Integer.MAX_VALUE, Math.ceil(10 * times));
    boolean sameDay = newDay <= day && !silences.isEmpty();
    if (sameDay && tenths <= silences.get(0)) {
      return silences;
    }
    ImmutableIntArray.Builder days = ImmutableIntArray.builder(MAX_DAYS);
    days.add(tenths);
    silences.stream().skip(sameDay ? 1 : 0).limit(MAX_DAYS - 1).forEach(days::add);
    return days.build();
  }

  /** Returns the levels with all hours before the given one counted. */
  private String levelsAt(long newHour) {
    StringBuilder next = new StringBuilder(levels);
    for (long ended = Math.max(hour, newHour - MAX_HOURS); ended < newHour; ended++) {
      int cell = (int) (ended % WEEK);
      double before = rate(next, cell);
      double more = ended == hour ? burstsInHour : 0;
      double mean = before + (more - before) / Math.min(MAX_WEEKS, 1 + (ended - firstHour) / WEEK);
      next.setCharAt(cell, (char) (LEVEL_ZERO + level(mean, ended)));
    }
    return next.toString();
  }

  private static double rate(CharSequence levels, int cell) {
    return RATES[levels.charAt(cell) - LEVEL_ZERO];
  }

  /**
   * Rounds a rate up or down to a level, pseudo-randomly by the hour, so that the mean stays
   * correct.
   */
  private static int level(double rate, long hour) {
    int below = (int) Math.min(RATES.length - 1, Math.log1p(rate) / STEP);
    if (below == RATES.length - 1) {
      return below;
    }
    double chance = ((hour * 0x9E3779B97F4A7C15L) >>> 40) / (double) (1 << 24);
    return (rate - RATES[below]) / (RATES[below + 1] - RATES[below]) > chance ? below + 1 : below;
  }

  /** Returns the number of bursts that the sender usually sends between two times. */
  double expectedBursts(long fromMillis, long toMillis) {
    double mean = mean();
    double sum = 0;
    for (long from = fromMillis; from < toMillis; ) {
      long next = Math.min(toMillis, (from / HOUR + 1) * HOUR);
      sum += usualBursts((int) (from / HOUR % WEEK), mean) * (next - from) / HOUR;
      from = next;
    }
    return sum;
  }

  /** Returns the mean number of bursts in an hour, over the known hours of the week. */
  private double mean() {
    int known = (int) Math.min(WEEK, hour - firstHour);
    double sum = 0;
    for (int i = 0; i < known; i++) {
      sum += rate(levels, (int) ((firstHour + i) % WEEK));
    }
    return known == 0 ? 0 : sum / known;
  }

  /**
   * Returns the usual number of bursts in an hour of the week. The mean of all hours is added to
   * the hour's own mean with a small weight. Otherwise most hours of a rarely active sender would
   * count as silent.
   */
  private double usualBursts(int cell, double mean) {
    if (mean == 0) {
      return 0;
    }
    long since = hour - firstHour - Math.floorMod(cell - firstHour, (long) WEEK);
    long weeks = Math.min(MAX_WEEKS, since <= 0 ? 0 : (since - 1) / WEEK + 1);
    return (weeks * rate(levels, cell) + MEAN_WEIGHT) / (weeks + MEAN_WEIGHT / mean);
  }

  /**
   * Whether a silence is longer than chance explains, assuming that a day's longest silence follows
   * a Gumbel distribution. Always false until enough days are known.
   *
   * @param bursts number of bursts that the sender usually sends in this time
   */
  boolean isImprobable(double bursts) {
    if (silences.length() < MIN_DAYS || hour - firstHour < WEEK) {
      return false;
    }
    boolean trims = silences.length() >= MIN_DAYS_TO_TRIM;
    int[] days = silences.stream().sorted().limit(silences.length() - (trims ? 1 : 0)).toArray();
    double mean = Arrays.stream(days).average().orElseThrow();
    double square = Arrays.stream(days).mapToDouble(day -> (day - mean) * (day - mean)).sum();
    double deviation = Math.sqrt(square / (days.length - 1)) * (trims ? TRIMMED_DEVIATION : 1);
    deviation = Math.max(deviation, Math.max(MIN_DEVIATION * mean, MIN_DEVIATION_TENTHS));
    double scale = deviation * Math.sqrt(6) / Math.PI;
    double location = mean + (trims ? TRIMMED_MEAN * deviation : 0) - 0.5772 * scale;
    double standard = (10 * bursts - location) / scale;
    return -Math.expm1(-Math.exp(-standard)) < 1 / DAYS_PER_FALSE_ALARM;
  }

  /**
   * Returns the length of the longest silence on the last days, in bursts that the sender usually
   * sends in that time.
   */
  double longestSilence() {
    return silences.stream().max().orElse(0) / 10.0;
  }
}
