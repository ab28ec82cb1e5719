package io.duplog.cli.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.base.Splitter;
import com.google.common.primitives.Bytes;
import io.duplog.config.ConfigException;
import io.duplog.deliver.route.Route;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tests routing rules: compares the metadata that they give sample messages with the expected
 * metadata.
 */
final class RuleSamples {
  /** A sample message, the metadata that it should get, and the number of its line in the file. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Sample(int number, Expectation expected, byte[] message) {}

  private final Path file;
  private final boolean printsOverlaps;
  private final PrintWriter out;
  private final SourcetypeCounts counts;
  private int failedCount;
  private int overlapCount;

  /**
   * Creates a comparison.
   *
   * @param printsOverlaps whether to also print the samples for which another rule would set other
   *     metadata
   */
  RuleSamples(Path file, boolean printsOverlaps, PrintWriter out, SourcetypeCounts counts) {
    this.file = file;
    this.printsOverlaps = printsOverlaps;
    this.out = out;
    this.counts = counts;
  }

  /**
   * Reads the file. Each line consists of an {@linkplain Expectation expectation}, a tab and the
   * message. A line that begins with # is a comment.
   *
   * @throws ConfigException if a line is not a sample, if the file has no samples, or if it can't
   *     be read
   */
  List<Sample> read() throws ConfigException {
    String all;
    try {
      all = Files.readString(file, ISO_8859_1); // an encoding in which each byte is a character
    } catch (IOException e) {
      throw ConfigException.unreadable(file, e);
    }
    List<Sample> samples = new ArrayList<>();
    int number = 0;
    for (String line : Splitter.on('\n').split(all)) {
      number++;
      if (!line.isEmpty() && !line.equals("\r") && !line.startsWith("#")) {
        samples.add(sample(number, line.getBytes(ISO_8859_1)));
      }
    }
    if (samples.isEmpty()) {
      throw ConfigException.at(file.toString(), 0, "", "has no samples");
    }
    return samples;
  }

  private Sample sample(int number, byte[] line) throws ConfigException {
    int tab = Bytes.indexOf(line, (byte) '\t');
    if (tab < 1) {
      throw ConfigException.at(
          file.toString(), number, "", "must be a sourcetype, a tab and a message");
    }
    try {
      String cell = new String(line, 0, tab, StandardCharsets.UTF_8);
      byte[] message = Arrays.copyOfRange(line, tab + 1, line.length);
      return new Sample(number, Expectation.parse(cell), message);
    } catch (IllegalArgumentException e) {
      throw ConfigException.at(file.toString(), number, "", String.valueOf(e.getMessage()));
    }
  }

  /**
   * Compares a sample with the metadata that the rules set, and prints any difference.
   *
   * @param routed the line with the sample
   */
  void compare(Sample sample, RoutedLine routed, boolean json) {
    Map<String, String> outcome = routed.outcome();
    Set<String> differences = sample.expected.differences(outcome);
    List<Route> others = routed.others();
    boolean fails = !differences.isEmpty();
    failedCount += fails ? 1 : 0;
    overlapCount += others.isEmpty() ? 0 : 1;
    counts.add(sample.expected.sourcetype(), !fails);
    if (json) {
      JsonObject expected = new JsonObject();
      sample.expected.values().forEach(expected::put);
      out.println(
          RoutedLine.render(
              routed
                  .json(sample.number)
                  .put("expected", expected)
                  .put("asExpected", !fails)
                  .put("winsOver", others.stream().map(routed::ruleLocation).toList())));
      return;
    }
    String place = file + ":" + sample.number + ": ";
    if (fails) {
      String expected = Expectation.text(sample.expected.values(), differences);
      String got = Expectation.text(outcome, differences) + origin(routed.route(), routed);
      out.println(place + Printable.of("expected " + expected + ", got " + got));
      out.println("  " + routed.excerpt());
    } else if (printsOverlaps && !others.isEmpty()) {
      out.println(place + describe(routed.route(), routed));
    }
    if (!others.isEmpty() && (fails || printsOverlaps)) {
      out.println(
          others.stream()
              .map(other -> describe(other, routed))
              .collect(Collectors.joining("; ", "  wins over ", "")));
    }
  }

  /** Returns a line with the numbers of samples that met their expectations and that did not. */
  String summary(int samples) {
    return "%d samples, %d as expected, %d not; %d match other rules, too, that give something else%s"
        .formatted(
            samples,
            samples - failedCount,
            failedCount,
            overlapCount,
            overlapCount > 0 && !printsOverlaps ? " (--overlaps names them)" : "");
  }

  boolean allAsExpected() {
    return failedCount == 0;
  }

  private static String describe(Route route, RoutedLine routed) {
    return route.sourcetype() + origin(route, routed);
  }

  private static String origin(Route route, RoutedLine routed) {
    return route.rule() == 0 ? " of the defaults" : " by " + routed.ruleLocation(route);
  }
}
