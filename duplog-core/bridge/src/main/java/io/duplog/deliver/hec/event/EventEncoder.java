package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.Route;
import io.duplog.deliver.route.Routing;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages for {@code /services/collector/event}, as one JSON object each. Allocates
 * nothing for a message, unless its host is an address or is changed to lower case, it bypassed
 * deduplication, or it is sent again.
 */
public final class EventEncoder extends Encoder {
  private static final byte[] TIME = "{\"time\":".getBytes(US_ASCII);
  private static final byte[] HOST = ",\"host\":\"".getBytes(US_ASCII);
  private static final byte[] FIELDS = ",\"fields\":{".getBytes(US_ASCII);
  private static final byte[] EVENT = ",\"event\":\"".getBytes(US_ASCII);
  private static final byte[] END = "\"}\n".getBytes(US_ASCII);
  private static final byte[] NOTHING = {};
  private static final String ESCAPED_TEXT = "\"escaped\":\"bytes\"";
  private static final byte[] ESCAPED = ESCAPED_TEXT.getBytes(US_ASCII);

  /**
   * Upper bound in bytes for the fixed texts of an event, its time, and closing quotes and braces.
   */
  private static final int FRAME = 96;

  private final IdentityHashMap<Route, RouteText> texts = new IdentityHashMap<>();
  private final IdentityHashMap<Route, RouteText> reroutedTexts = new IdentityHashMap<>();

  public EventEncoder(Routing routing, @Nullable String fallbackIndex) {
    super(routing, fallbackIndex);
  }

  @Override
  public String path() {
    return "/services/collector/event";
  }

  @Override
  void forgetRoutes() {
    texts.clear();
    reroutedTexts.clear();
  }

  @Override
  boolean place(DeliveryRequest delivery, int message, boolean fallback, Body body) {
    return place(delivery, message, fallback, body, false);
  }

  /**
   * Adds the message; starts again with {@code shown} if its text or host turns out not to be
   * UTF-8.
   *
   * @param shown whether the message is known not to be UTF-8, which is rare
   */
  private boolean place(
      DeliveryRequest delivery, int message, boolean fallback, Body body, boolean shown) {
    RouteText route = text(metadata.route(), fallback);
    int hostStart = metadata.hostStart();
    int hostEnd = metadata.hostEnd();
    byte[] host = metadata.host();
    byte[] marks = marks(delivery, message, shown);

    int fixed = FRAME + route.head().length + route.fields().length + marks.length;
    if (!body.fits(fixed + (long) JsonText.WORST * (to - from + hostEnd - hostStart))
        && !body.takes(
            fixed
                + JsonText.length(text, from, to, shown)
                + JsonText.length(host, hostStart, hostEnd, shown))) {
      return false;
    }
    byte[] out = body.bytes();
    int at = put(TIME, out, body.length());
    at = putSeconds(metadata.timeMillis(), out, at);
    if (hostEnd > hostStart) {
      at = put(HOST, out, at);
      at = JsonText.write(host, hostStart, hostEnd, out, at, shown);
      if (at < 0) {
        return place(delivery, message, fallback, body, true);
      }
      out[at++] = '"';
    }
    at = put(route.head(), out, at);
    if (route.fields().length + marks.length > 0) {
      at = put(FIELDS, out, at);
      at = put(route.fields(), out, at);
      if (route.fields().length > 0 && marks.length > 0) {
        out[at++] = ',';
      }
      at = put(marks, out, at);
      out[at++] = '}';
    }
    at = put(EVENT, out, at);
    at = JsonText.write(text, from, to, out, at, shown);
    if (at < 0) {
      return place(delivery, message, fallback, body, true);
    }
    body.end(put(END, out, at));
    return true;
  }

  private RouteText text(Route route, boolean rerouted) {
    IdentityHashMap<Route, RouteText> cache = rerouted ? reroutedTexts : texts;
    RouteText known = cache.get(route);
    if (known == null) {
      known = RouteText.of(route, rerouted ? fallbackIndex : null);
      cache.put(route, known);
    }
    return known;
  }

  /**
   * Returns the fields by which a search tells genuine repeats from copies that were not
   * deduplicated, would have been dropped, or were sent again, and escaped bytes from a text that
   * looks like them.
   */
  private byte[] marks(DeliveryRequest delivery, int message, boolean shown) {
    if (delivery.passage() == DeliveryRequest.Passage.KEPT && resent == null) {
      return shown ? ESCAPED : NOTHING;
    }
    StringJoiner fields = new StringJoiner(",");
    if (shown) {
      fields.add(ESCAPED_TEXT);
    }
    if (resent != null) {
      fields.add("\"resent\":" + JsonText.quoted(resent));
    }
    if (delivery.passage() != DeliveryRequest.Passage.KEPT) {
      fields
          .add("\"dedup\":\"" + delivery.passage().name().toLowerCase(Locale.ROOT) + '"')
          .add("\"stream\":" + JsonText.quoted(delivery.stream()))
          .add("\"digest\":" + JsonText.quoted(delivery.digests().apply(message)));
    }
    return fields.toString().getBytes(UTF_8);
  }

  private static int put(byte[] bytes, byte[] out, int at) {
    System.arraycopy(bytes, 0, out, at, bytes.length);
    return at + bytes.length;
  }

  /** Writes a time in seconds, such as {@code 1697062455.123}, and returns the offset after it. */
  static int putSeconds(long millis, byte[] out, int at) {
    if (millis < 0) {
      out[at++] = '-';
      millis = -millis;
    }
    int end = at + 4;
    for (long seconds = millis / 1000; seconds >= 10; seconds /= 10) {
      end++;
    }
    end++;
    for (int i = end - 1; i >= at; i--) {
      if (i == end - 4) {
        out[i] = '.';
      } else {
        out[i] = (byte) ('0' + millis % 10);
        millis /= 10;
      }
    }
    return end;
  }
}
