package io.duplog.senders;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * Simulates senders for four weeks, to compare rules that decide when a silent sender is reported.
 * Some senders stop in the fourth week. Three rules watch them from the third week on.
 */
final class Replay {
  /** A pattern in which senders send messages. */
  enum Kind {
    STEADY("steady"),
    REGULAR("at fixed intervals"),
    BURSTY("in bursts"),
    DIURNAL("by day, a twentieth at night"),
    WEEKLY("in office hours, little else"),
    FLAPPING("on and off, two hours each"),
    SICK("steady, and half as often in the last week");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** A sender's silence with its score by the simple rules. */
  private record Gap(double millis, double score) {}

  static final long BEGIN = Instant.parse("2026-11-02T00:00:00Z").toEpochMilli();

  private static final double HOUR = Duration.ofHours(1).toMillis();
  private static final long WATCHED = Duration.ofDays(14).toMillis();
  private static final long LAST_WEEK = Duration.ofDays(21).toMillis();
  private static final long END = Duration.ofDays(28).toMillis();
  private static final double SHORTEST = Duration.ofMinutes(1).toMillis();
  private static final double LONGEST = Duration.ofDays(8).toMillis();

  /** Short gaps with a lower score are no alarm by any rule, and are not kept. */
  private static final double MIN_SCORE = 3;

  private final Kind kind;
  private final Random random;
  private final List<Gap> gaps = new ArrayList<>();

  /** Time until each death was noticed, or infinity if it was not noticed within eight days. */
  final List<Double> detectionTimes = new ArrayList<>();

  /** Mean and deviation of gaps, in milliseconds, of each sender that died. */
  private final List<double[]> dead = new ArrayList<>();

  long falseAlarms;

  Replay(Kind kind) {
    this.kind = kind;
    this.random = new Random(kind.words.length());
  }

  String words() {
    return kind.words;
  }

  Replay run(int number) {
    for (int i = 0; i < number; i++) {
      speak(Math.exp(random.nextDouble() * Math.log(120)) / 6, i % 4 == 0);
    }
    return this;
  }

  /**
   * @param rate mean number of messages an hour while the sender is active
   */
  private void speak(double rate, boolean dies) {
    long death = dies ? LAST_WEEK + (long) (random.nextDouble() * (END - LAST_WEEK)) : END;
    Rhythm rhythm = Rhythm.NONE;
    double sum = 0;
    double squares = 0;
    int count = 0;
    long last = 0;
    double at = random.nextDouble() * HOUR / rate;
    boolean on = true;
    double switches = 0;
    int burst = 0;
    while (true) {
      long now = BEGIN + (long) at;
      if (at >= death) {
        break;
      }
      if (kind != Kind.FLAPPING || on) {
        if (last > 0) {
          double gap = now - last;
          if (at > WATCHED) {
            falseAlarms += isAlarm(rhythm, last, now) ? 1 : 0;
            double score = score(gap, sum, squares, count);
            if (gap > HOUR || score > MIN_SCORE) {
              gaps.add(new Gap(gap, score));
            }
          }
          sum += gap;
          squares += gap * gap;
          count++;
        }
        rhythm = plus(rhythm, last, now);
        last = now;
      }
      switch (kind) {
        case REGULAR -> at += HOUR / rate * (0.95 + 0.1 * random.nextDouble());
        case BURSTY -> {
          burst = burst > 0 ? burst - 1 : random.nextInt(40);
          at += burst > 0 ? 1_000 : exponential(20 * HOUR / rate);
        }
        case DIURNAL, WEEKLY -> {
          do {
            at += exponential(HOUR / rate);
          } while (random.nextDouble() >= share(BEGIN + (long) at));
        }
        case FLAPPING -> {
          at += exponential(HOUR / rate);
          while (at >= switches) {
            on = !on;
            switches += exponential(2 * HOUR);
          }
        }
        default -> at += exponential(HOUR / rate) * (kind == Kind.SICK && at >= LAST_WEEK ? 2 : 1);
      }
    }
    if (dies && last > 0) {
      detectionTimes.add(detectionTime(rhythm, last));
      dead.add(new double[] {sum / count, deviation(sum, squares, count)});
    }
  }

  /**
   * Returns the rhythm with one more message, if the streams have been up to date since the last
   * one.
   */
  static Rhythm plus(Rhythm rhythm, long last, long now) {
    return rhythm.plus(last, now, now, 1, last == 0 ? 0 : rhythm.expectedBursts(last, now));
  }

  private double exponential(double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  private double share(long millis) {
    long hours = millis / (long) HOUR;
    boolean day = hours % 24 >= 8 && hours % 24 < 18;
    boolean weekend = (hours / 24 + 3) % 7 >= 5; // 1970 began with a Thursday
    return day && !(kind == Kind.WEEKLY && weekend) ? 1 : 0.05;
  }

  private static boolean isAlarm(Rhythm rhythm, long last, long now) {
    return now - last >= SHORTEST && rhythm.isImprobable(rhythm.expectedBursts(last, now));
  }

  private static double detectionTime(Rhythm rhythm, long last) {
    LongPredicate alarm = after -> isAlarm(rhythm, last, last + after);
    if (!alarm.test((long) LONGEST)) {
      return Double.POSITIVE_INFINITY;
    }
    long low = 0;
    long high = (long) LONGEST;
    while (high - low > 1_000) {
      long middle = (low + high) / 2;
      if (alarm.test(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private static double deviation(double sum, double squares, int count) {
    return Math.sqrt(Math.max(0, squares / count - sum / count * sum / count));
  }

  private static double score(double gap, double sum, double squares, int count) {
    return (gap - sum / count) / Math.max(1, deviation(sum, squares, count));
  }

  /**
   * Returns the fixed limit in milliseconds that has at most as many false alarms as the rhythm.
   */
  static double fixedTime(List<Replay> all, long alarms) {
    return atMost(alarms, all.stream().flatMap(each -> each.gaps.stream()).map(Gap::millis));
  }

  /** Returns the limit in deviations above the mean that has at most as many false alarms. */
  static double deviations(List<Replay> all, long alarms) {
    return atMost(alarms, all.stream().flatMap(each -> each.gaps.stream()).map(Gap::score));
  }

  private static double atMost(long alarms, Stream<Double> values) {
    return values.sorted(Comparator.reverseOrder()).skip(alarms).findFirst().orElseThrow();
  }

  /** Returns the number of gaps that are longer than this many deviations above the mean. */
  long alarmsAbove(double deviations) {
    return gaps.stream().filter(gap -> gap.score() > deviations).count();
  }

  /** Returns the time until each death is noticed with a limit in deviations above the mean. */
  List<Double> detectionTimesBy(double deviations) {
    return dead.stream().map(each -> Math.max(SHORTEST, each[0] + deviations * each[1])).toList();
  }
}
