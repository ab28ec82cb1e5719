package io.duplog.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.google.common.base.Splitter;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Collection;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * The broker that a bridge reads a stream from. Two bridges that read the same queue of the same
 * broker have the same {@link #place} and the same identity, whatever addresses they use.
 *
 * @param place the stream's name, a slash and the name of its first queue
 * @param id what tells this broker from every other one
 * @param connected whether the bridge is connected to it; if not, it was when the bridge last was
 *     connected to the stream
 * @see "docs/decisions/dedup.md#broker-identity"
 */
public record StreamBroker(String place, String id, boolean connected) {
  /** Creates the broker of a bridge that is connected to it. */
  public static StreamBroker of(String stream, String queue, String id) {
    return new StreamBroker(stream + "/" + encoded(queue), id, true);
  }

  /** Whether it is known which broker it is. */
  public boolean isIdentified() {
    return !id.isEmpty();
  }

  /** Returns the same broker, to which the bridge is not connected any more. */
  public StreamBroker lost() {
    return new StreamBroker(place, id, false);
  }

  /** Returns the stream's name. */
  public String stream() {
    return streamOf(place);
  }

  /** Returns the name of a place's stream. */
  public static String streamOf(String place) {
    return place.substring(0, place.indexOf('/'));
  }

  /** Returns the brokers as a text in which no bridge's order matters, as {@link #parse} reads. */
  public static String text(Collection<StreamBroker> brokers) {
    return brokers.stream()
        .map(each -> (each.connected ? "+" : "-") + each.place + " " + encoded(each.id))
        .sorted()
        .collect(joining("\n"));
  }

  /** Parses what {@link #text} returned, of this version or another one. */
  public static List<StreamBroker> parse(String text) {
    return StreamSupport.stream(Splitter.on('\n').split(text).spliterator(), false)
        .filter(line -> line.matches("[+-][^ /]+/[^ ]+ [^ ]+"))
        .map(
            line ->
                new StreamBroker(
                    line.substring(1, line.indexOf(' ')),
                    decoded(line.substring(line.indexOf(' ') + 1)),
                    line.startsWith("+")))
        .toList();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /** Returns a broker's identity that {@link #text} has encoded, or any other text as it is. */
  public static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
