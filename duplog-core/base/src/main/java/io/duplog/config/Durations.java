package io.duplog.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads durations such as {@code 250ms} in a configuration, and formats durations for an operator.
 */
public final class Durations {
  /** Maximum duration, far below the range of nanoseconds in a {@code long}. */
  private static final Duration MAX_DURATION = Duration.ofDays(365);

  private static final Pattern FORMAT = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

  private Durations() {}

  /**
   * Parses a duration.
   *
   * @throws IllegalArgumentException if the text is not a duration; the message describes the
   *     allowed texts
   */
  public static Duration parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be a duration such as 250ms, 10s, 10m, 1h or 2d");
    }
    long number = Long.parseLong(matcher.group(1));
    Duration duration = of(number, matcher.group(2));
    if (duration.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException("must be at most 365d");
    }
    return duration;
  }

  /** Returns a duration in seconds for an operator, such as {@code 0.25 s} or {@code 90 s}. */
  public static String inWords(Duration duration) {
    return seconds(duration) + " s";
  }

  /** Returns a range for an operator, such as {@code 0.25-10 s}. */
  public static String inWords(Duration shortest, Duration longest) {
    return shortest.equals(longest) ? inWords(longest) : seconds(shortest) + "-" + inWords(longest);
  }

  private static String seconds(Duration duration) {
    BigDecimal seconds = BigDecimal.valueOf(duration.toMillis(), 3);
    return seconds.signum() == 0 ? "0" : seconds.stripTrailingZeros().toPlainString();
  }

  private static Duration of(long number, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
