package io.duplog.benchmark.peer;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line that loggen ends with.
 *
 * @param rate messages a second, on average
 * @param count messages that it has sent
 * @param seconds how long that took
 * @param size bytes of a message, its end of line among them
 * @param bandwidth kB a second, of 1,024 bytes
 * @param text the line itself
 */
public record LoggenSummary(
    double rate, long count, double seconds, double size, double bandwidth, String text) {

  private static final Pattern LINE =
      Pattern.compile(
          "average rate = ([\\d.]+) msg/sec, count=(\\d+), time=([\\d.e+-]+),"
              + " \\((?:average|last)\\) msg size=([\\d.]+), bandwidth=([\\d.]+) kB/sec");

  /** Finds it in all that loggen has written; empty where there is none. */
  public static Optional<LoggenSummary> find(String output) {
    Matcher matcher = LINE.matcher(output);
    if (!matcher.find()) {
      return Optional.empty();
    }
    return Optional.of(
        new LoggenSummary(
            Double.parseDouble(matcher.group(1)),
            Long.parseLong(matcher.group(2)),
            Double.parseDouble(matcher.group(3)),
            Double.parseDouble(matcher.group(4)),
            Double.parseDouble(matcher.group(5)),
            matcher.group()));
  }
}
