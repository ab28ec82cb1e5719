package io.duplog.cli;

import com.google.common.primitives.Bytes;
import io.duplog.config.ConfigException;
import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.Route;
import io.duplog.deliver.route.Routing;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Lines with the sourcetypes that they should get, tried on the rules. A line of the file is a
 * sourcetype, a tab and the message; one that begins with # is a comment.
 */
final class RuleSamples {
  private final EventMetadata metadata;
  private final List<String> places;
  private final boolean tellOverlaps;
  private final PrintWriter out;
  private int samples;
  private int failed;
  private int overlapping;

  /**
   * @param places file and line of each rule
   * @param tellOverlaps whether to tell, too, where another rule would have given something else
   */
  RuleSamples(Routing routing, List<String> places, boolean tellOverlaps, PrintWriter out) {
    this.metadata = new EventMetadata(routing);
    this.places = places;
    this.tellOverlaps = tellOverlaps;
    this.out = out;
  }

  /**
   * Tries all, and tells what is not as expected, with a summary.
   *
   * @param prefix what every message begins with
   * @param textStart where a message begins behind the sender's address
   * @return whether all got what is expected
   * @throws ConfigException that names the line which is no sample, or where the file has none or
   *     can't be read
   */
  boolean tryAll(Path file, byte[] prefix, ToIntFunction<byte[]> textStart, long receivedMillis)
      throws ConfigException {
    byte[] all = read(file);
    int number = 0;
    for (int start = 0, end; start < all.length; start = end + 1) {
      number++;
      end = start;
      while (end < all.length && all[end] != '\n') {
        end++;
      }
      byte[] line = Arrays.copyOfRange(all, start, end);
      int tab = Bytes.indexOf(line, (byte) '\t');
      boolean isBlank = line.length == 0 || (line.length == 1 && line[0] == '\r');
      if (!isBlank && line[0] != '#') {
        if (tab < 1) {
          throw ConfigException.at(
              file.toString(), number, "", "must be a sourcetype, a tab and a message");
        }
        byte[] data = Bytes.concat(prefix, Arrays.copyOfRange(line, tab + 1, line.length));
        metadata.read(data, 0, textStart.applyAsInt(data), data.length, receivedMillis);
        String expected = new String(line, 0, tab, StandardCharsets.UTF_8);
        look(file + ":" + number, expected, data, textStart.applyAsInt(data));
      }
    }
    if (samples == 0) {
      throw ConfigException.at(file.toString(), 0, "", "has no samples");
    }
    out.printf(
        "%d samples, %d as expected, %d not; %d match other rules, too, that give something"
            + " else%s%n",
        samples,
        samples - failed,
        failed,
        overlapping,
        overlapping > 0 && !tellOverlaps ? " (--overlaps names them)" : "");
    return failed == 0;
  }

  private static byte[] read(Path file) throws ConfigException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw ConfigException.at(file.toString(), 0, "", "can't be read (" + e + ")");
    }
  }

  private void look(String place, String expected, byte[] data, int textStart) {
    Route route = metadata.route();
    List<Route> others =
        metadata.matching(data, 0, textStart, data.length).stream()
            .filter(other -> !outcome(other).equals(outcome(route)))
            .toList();
    boolean fails = !route.sourcetype().equals(expected);
    samples++;
    failed += fails ? 1 : 0;
    overlapping += others.isEmpty() ? 0 : 1;
    if (fails) {
      out.println(place + ": expected " + expected + ", got " + won(route));
      out.println("  " + RoutedLine.shown(data));
    } else if (tellOverlaps && !others.isEmpty()) {
      out.println(place + ": " + won(route));
    }
    if (!others.isEmpty() && (fails || tellOverlaps)) {
      out.println(
          others.stream().map(this::won).collect(Collectors.joining("; ", "  wins over ", "")));
    }
  }

  private String won(Route route) {
    return route.sourcetype()
        + (route.rule() == 0 ? " of the defaults" : " by " + places.get(route.rule() - 1));
  }

  private static List<Object> outcome(Route route) {
    return List.of(
        route.sourcetype(),
        String.valueOf(route.index()),
        String.valueOf(route.source()),
        String.valueOf(route.host()),
        route.fields());
  }
}
