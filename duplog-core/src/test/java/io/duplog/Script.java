package io.duplog;

import com.google.common.base.Splitter;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The steps of a test as words of one line; {@code 3*(look +1)} are two words three times. */
public final class Script {
  private static final Pattern LOOP = Pattern.compile("(\\d+)\\*\\(([^()]*)\\)");

  private Script() {}

  /** Parses a time such as {@code 30s}, {@code 20m}, {@code 8d} or {@code -3d}. */
  public static Duration time(String text) {
    return Duration.parse((text.endsWith("d") ? "P" : "PT") + text);
  }

  public static List<String> steps(String line) {
    String steps = line;
    while (steps.contains("(")) {
      steps =
          LOOP.matcher(steps)
              .replaceAll(loop -> (loop.group(2) + " ").repeat(Integer.parseInt(loop.group(1))));
    }
    return Splitter.on(' ').omitEmptyStrings().splitToList(steps);
  }
}
