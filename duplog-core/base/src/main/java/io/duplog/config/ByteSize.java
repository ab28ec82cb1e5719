package io.duplog.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes in the configuration, written with a unit: {@code 512B}, {@code 64KiB}, {@code
 * 4MiB} or {@code 1GiB}.
 *
 * @param bytes number of bytes; never negative
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
  private static final Pattern FORMAT = Pattern.compile("(\\d{1,15})(B|KiB|MiB|GiB)");
  private static final String[] UNITS = {"GiB", "MiB", "KiB"};

  public ByteSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size must not be negative, was " + bytes);
    }
  }

  /**
   * Parses a whole number with a unit, for example a text that {@link #toString} returned.
   *
   * @throws IllegalArgumentException if the text is not a size; the message describes the allowed
   *     texts
   */
  public static ByteSize parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("must be a size such as 512B, 64KiB, 4MiB or 1GiB");
    }
    long number = Long.parseLong(matcher.group(1));
    long unit = bytesOf(matcher.group(2));
    if (number > Long.MAX_VALUE / unit) {
      throw new IllegalArgumentException("must be a smaller size");
    }
    return new ByteSize(number * unit);
  }

  private static long bytesOf(String unit) {
    return switch (unit) {
      case "KiB" -> 1L << 10;
      case "MiB" -> 1L << 20;
      case "GiB" -> 1L << 30;
      default -> 1;
    };
  }

  /**
   * Returns the size as an {@code int}, for the length of an array.
   *
   * @throws ArithmeticException for 2 GiB and more
   */
  public int toIntExact() {
    return Math.toIntExact(bytes);
  }

  @Override
  public int compareTo(ByteSize other) {
    return Long.compare(bytes, other.bytes);
  }

  /**
   * Returns the size as a whole number of the largest possible unit; {@link #parse} can read the
   * text.
   */
  @Override
  public String toString() {
    for (String unit : UNITS) {
      if (bytes > 0 && bytes % bytesOf(unit) == 0) {
        return bytes / bytesOf(unit) + unit;
      }
    }
    return bytes + "B";
  }
}
