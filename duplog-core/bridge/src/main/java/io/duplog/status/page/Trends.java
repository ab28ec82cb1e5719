package io.duplog.status.page;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the numbers of the last hour and the last day, from which the status page draws its trends.
 * Each series has {@value #HOUR_POINTS} points of 10 seconds and {@value #DAY_POINTS} points of 5
 * minutes, at 4 bytes each: 2.6 kB. A bridge with 8 streams has {@value #MOST_SERIES} series, or 68
 * kB. A restart of the bridge begins them again. May be used from any thread.
 */
public final class Trends {
  static final int HOUR_POINTS = 360;
  static final int DAY_POINTS = 288;

  /** Greatest number of series: three for each of eight streams, and two for all together. */
  static final int MOST_SERIES = 3 * 8 + 2;

  static final Duration STEP = Duration.ofSeconds(10);

  /** Number of points of the last hour that make one point of the last day. */
  private static final int STEPS_PER_DAY_POINT = 30;

  /** The series of a range, as the page asks for them. */
  public record Answer(String range, long stepSeconds, Instant until, List<Values> series) {}

  /**
   * A series.
   *
   * @param stream null if the series is about all streams together
   * @param values one for each step until the end; null where it is unknown
   */
  public record Values(String name, @Nullable String stream, List<@Nullable Number> values) {}

  private final List<Series> series = new CopyOnWriteArrayList<>();

  /** Number of the step of the last {@link #look} since the epoch; -1 before the first. */
  private long lastStep = -1;

  private Instant lastLook = Instant.EPOCH;

  /**
   * Adds the rate of a counter, per second. A point of the last day is the mean of its steps.
   *
   * @param stream null if the series is about all streams together
   * @param counter called every ten seconds, from one thread
   */
  public void addRate(String name, @Nullable String stream, LongSupplier counter) {
    add(new Series(name, stream, true, counter::getAsLong));
  }

  /**
   * Adds a value. A point of the last day is the largest of its steps, so that no peak is hidden.
   *
   * @param value NaN while it is unknown
   */
  public void addValue(String name, @Nullable String stream, DoubleSupplier value) {
    add(new Series(name, stream, false, value));
  }

  private void add(Series added) {
    if (series.size() >= MOST_SERIES) {
      throw new IllegalStateException("more than " + MOST_SERIES + " series");
    }
    series.add(added);
  }

  /** Records a point of each series if a step of ten seconds has ended. */
  public synchronized void look(Instant now) {
    long step = now.getEpochSecond() / STEP.toSeconds();
    if (step == lastStep) {
      return;
    }
    double seconds = Duration.between(lastLook, now).toMillis() / 1e3;
    // After a longer pause, or if the clock was set, a rate since the last look is no point of
    // time.
    boolean follows = step == lastStep + 1;
    for (Series each : series) {
      each.skip(lastStep, step);
      each.look(step - 1, follows ? seconds : Double.NaN);
    }
    lastStep = step;
    lastLook = now;
  }

  /**
   * Returns the series of a range.
   *
   * @param words parameters of the request: "range" is "1h" or "1d"
   * @throws IllegalArgumentException if the range is another, in one line for an operator
   */
  public synchronized Answer answer(Map<String, String> words) {
    String range = words.getOrDefault("range", "1h");
    boolean hour = range.equals("1h");
    if (!hour && !range.equals("1d")) {
      throw new IllegalArgumentException("range must be 1h or 1d, not '" + range + "'");
    }
    long steps = hour ? 1 : STEPS_PER_DAY_POINT;
    long end = lastStep < 0 ? 0 : lastStep / steps;
    return new Answer(
        range,
        STEP.toSeconds() * steps,
        Instant.ofEpochSecond(end * steps * STEP.toSeconds()),
        series.stream().map(each -> each.values(hour, end)).toList());
  }

  /** A series, guarded by the lock of {@link Trends}. */
  private static final class Series {
    private final String name;
    private final @Nullable String stream;
    private final boolean isRate;
    private final DoubleSupplier source;
    private final float[] hour = new float[HOUR_POINTS];
    private final float[] day = new float[DAY_POINTS];
    private double lastCount;

    Series(String name, @Nullable String stream, boolean isRate, DoubleSupplier source) {
      this.name = name;
      this.stream = stream;
      this.isRate = isRate;
      this.source = source;
      Arrays.fill(hour, Float.NaN);
      Arrays.fill(day, Float.NaN);
    }

    /** Forgets what the places of the steps between two looks had before. */
    void skip(long from, long to) {
      if (from < 0 || to < from || to - from > HOUR_POINTS) {
        Arrays.fill(hour, Float.NaN);
      }
      if (from < 0 || to < from || (to - from) / STEPS_PER_DAY_POINT > DAY_POINTS) {
        Arrays.fill(day, Float.NaN);
        return;
      }
      for (long step = from; step < to; step++) {
        hour[index(step, HOUR_POINTS)] = Float.NaN;
        if (step % STEPS_PER_DAY_POINT == 0) {
          day[index(step / STEPS_PER_DAY_POINT, DAY_POINTS)] = Float.NaN;
        }
      }
    }

    void look(long step, double seconds) {
      double now = source.getAsDouble();
      double value = isRate ? Math.max(0, now - lastCount) / seconds : now;
      lastCount = now;
      hour[index(step, HOUR_POINTS)] = (float) value;
      if ((step + 1) % STEPS_PER_DAY_POINT == 0) {
        day[index(step / STEPS_PER_DAY_POINT, DAY_POINTS)] = ofDay(step);
      }
    }

    /** Returns the point of the day that ends with a step. */
    private float ofDay(long last) {
      double sum = 0;
      double greatest = 0;
      int known = 0;
      for (long step = last - STEPS_PER_DAY_POINT + 1; step <= last; step++) {
        float value = hour[index(step, HOUR_POINTS)];
        if (!Float.isNaN(value)) {
          sum += value;
          greatest = Math.max(greatest, value);
          known++;
        }
      }
      return (float) (known == 0 ? Double.NaN : isRate ? sum / known : greatest);
    }

    private static int index(long step, int points) {
      return (int) Math.floorMod(step, (long) points);
    }

    /** Returns three digits or more of a value, so that the answer is short. */
    private static @Nullable Number rounded(float value) {
      if (Float.isNaN(value)) {
        return null;
      }
      return value >= 100 ? (Number) Math.round(value) : (Number) (Math.round(value * 1e3) / 1e3);
    }

    /**
     * @param end number of the point behind the last one
     */
    Values values(boolean ofHour, long end) {
      float[] points = ofHour ? hour : day;
      List<@Nullable Number> values = new ArrayList<>(points.length);
      for (long point = end - points.length; point < end; point++) {
        values.add(rounded(points[index(point, points.length)]));
      }
      return new Values(name, stream, values);
    }
  }
}
