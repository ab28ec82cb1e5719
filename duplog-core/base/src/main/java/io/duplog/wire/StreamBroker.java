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
 * Identifies the RabbitMQ from which a bridge reads a stream, so that bridges notice if they read
 * different ones. Two bridges that read the same queue of the same broker have an equal {@link
 * #place} and an equal {@link #id}, even if they use different addresses.
 *
 * @param place configured position of the broker: the stream's name, a slash and the encoded name
 *     of its first queue
 * @param id text that distinguishes this broker from every other broker, or an empty text if it is
 *     not known
 * @param connected whether the bridge is connected to this broker now; otherwise this was the
 *     broker when the bridge was last connected
 * @see "docs/decisions/dedup.md#broker-identity"
 */
public record StreamBroker(String place, String id, boolean connected) {
  /** Creates a broker to which the bridge is connected. */
  public static StreamBroker of(String stream, String queue, String id) {
    return new StreamBroker(stream + "/" + encoded(queue), id, true);
  }

  /** Whether the broker's id is known. */
  public boolean isIdentified() {
    return !id.isEmpty();
  }

  /** Returns the same broker as no longer connected. */
  public StreamBroker lost() {
    return new StreamBroker(place, id, false);
  }

  /** Returns the stream's name. */
  public String stream() {
    return streamOf(place);
  }

  /** Returns the stream's name in a {@link #place}. */
  public static String streamOf(String place) {
    return place.substring(0, place.indexOf('/'));
  }

  /**
   * Returns a text for {@link #parse} with one line per broker, sorted so that the bridges' order
   * does not matter.
   */
  public static String text(Collection<StreamBroker> brokers) {
    return brokers.stream()
        .map(each -> (each.connected ? "+" : "-") + each.place + " " + encoded(each.id))
        .sorted()
        .collect(joining("\n"));
  }

  /** Parses a text that {@link #text} of this version or another one returned. */
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

  /** Returns a short text, which costs less than a record's own. */
  @Override
  public String toString() {
    return (connected ? "+" : "-") + place + " " + id;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  /** Decodes a broker's id that {@link #text} has encoded. Returns any other text unchanged. */
  public static String decoded(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
