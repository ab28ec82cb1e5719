package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.Route;
import io.duplog.deliver.route.Routing;
import io.duplog.wire.EventHead;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages as JSON events for HEC's path {@code /services/collector/event}. Allocates
 * nothing for most messages. The exceptions are messages with an address or a host that is changed
 * to lower case, events of HEC, and messages that bypassed deduplication or are resent.
 */
public final class EventEncoder extends Encoder {
  private static final byte[] TIME = "{\"time\":".getBytes(US_ASCII);
  private static final byte[] HOST = ",\"host\":\"".getBytes(US_ASCII);
  private static final byte[] FIELDS = ",\"fields\":{".getBytes(US_ASCII);
  private static final byte[] EVENT = ",\"event\":".getBytes(US_ASCII);
  private static final byte[] END = "}\n".getBytes(US_ASCII);
  private static final byte[] NO_FIELDS = {};
  private static final String ESCAPED_TEXT = "\"escaped\":\"bytes\"";
  private static final byte[] ESCAPED = ESCAPED_TEXT.getBytes(US_ASCII);

  /**
   * Maximum size in bytes of the fixed texts of an event, its time, and closing quotes and braces.
   */
  private static final int MAX_FRAME_BYTES = 96;

  /** Maximum number of cached routes, because clients of HEC may make metadata up. */
  private static final int MAX_ROUTES = 4_096;

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
  void clearRoutes() {
    texts.clear();
    reroutedTexts.clear();
  }

  @Override
  boolean append(DeliveryRequest delivery, int message, boolean fallback, Body body) {
    return append(delivery, message, fallback, body, false);
  }

  /**
   * Adds the message. Starts again with {@code escapeInvalid} if its text or host turns out not to
   * be UTF-8.
   *
   * @param escapeInvalid whether the message is known not to be UTF-8, which is rare
   */
  private boolean append(
      DeliveryRequest delivery, int message, boolean fallback, Body body, boolean escapeInvalid) {
    RouteText route = text(metadata.route(), fallback);
    int hostStart = metadata.hostStart();
    int hostEnd = metadata.hostEnd();
    byte[] host = metadata.host();
    byte[] markFields = markFields(delivery, message, escapeInvalid);
    EventHead event = metadata.event();
    boolean isJson = event != null && isJson(delivery, message, event);
    byte[] ownTime = bytes(event == null ? null : event.time());
    byte[] ownFields = bytes(event == null ? null : event.fields());

    int fixedBytes =
        MAX_FRAME_BYTES
            + ownTime.length
            + route.head().length
            + ownFields.length
            + route.fields().length
            + markFields.length;
    if (!body.reserve(fixedBytes + (long) JsonText.MAX_GROWTH * (to - from + hostEnd - hostStart))
        && !body.reserveForEvent(
            fixedBytes
                + (isJson ? to - from : JsonText.length(text, from, to, escapeInvalid))
                + JsonText.length(host, hostStart, hostEnd, escapeInvalid))) {
      return false;
    }
    byte[] out = body.bytes();
    int at = put(TIME, out, body.length());
    at = ownTime.length > 0 ? put(ownTime, out, at) : putSeconds(metadata.timeMillis(), out, at);
    if (hostEnd > hostStart) {
      at = put(HOST, out, at);
      at = JsonText.write(host, hostStart, hostEnd, out, at, escapeInvalid);
      if (at < 0) {
        return append(delivery, message, fallback, body, true);
      }
      out[at++] = '"';
    }
    at = put(route.head(), out, at);
    if (ownFields.length + route.fields().length + markFields.length > 0) {
      at = put(FIELDS, out, at);
      at = putMembers(ownFields, out, at);
      at = putMembers(route.fields(), out, at);
      at = putMembers(markFields, out, at);
      out[at - 1] = '}'; // in place of the last comma
    }
    at = put(EVENT, out, at);
    if (isJson) {
      System.arraycopy(text, from, out, at, to - from);
      at += to - from;
    } else {
      out[at++] = '"';
      at = JsonText.write(text, from, to, out, at, escapeInvalid);
      if (at < 0) {
        return append(delivery, message, fallback, body, true);
      }
      out[at++] = '"';
    }
    body.setLength(put(END, out, at));
    return true;
  }

  /** Whether the text is JSON, which a mask may have changed to a plain text. */
  @SuppressWarnings("ReferenceEquality") // the same batch unless a text is masked
  private static boolean isJson(DeliveryRequest delivery, int message, EventHead event) {
    return event.content() == EventHead.Content.JSON
        && (delivery.batch() == delivery.original()
            || delivery.batch().eventHead(message).content() == EventHead.Content.JSON);
  }

  /** Writes members of an object and a comma, unless there are none. */
  private static int putMembers(byte[] members, byte[] out, int at) {
    if (members.length == 0) {
      return at;
    }
    int end = put(members, out, at);
    out[end] = ',';
    return end + 1;
  }

  private static byte[] bytes(@Nullable String value) {
    return value == null ? NO_FIELDS : value.getBytes(UTF_8);
  }

  /** Returns the number of routes whose text is cached. */
  int cachedRoutes() {
    return texts.size();
  }

  private RouteText text(Route route, boolean rerouted) {
    IdentityHashMap<Route, RouteText> cache = rerouted ? reroutedTexts : texts;
    RouteText cached = cache.get(route);
    if (cached == null) {
      if (cache.size() >= MAX_ROUTES) {
        cache.clear();
      }
      cached = RouteText.of(route, rerouted ? fallbackIndex : null);
      cache.put(route, cached);
    }
    return cached;
  }

  /**
   * Returns fields for searches. They distinguish genuine repeats from copies that were not
   * deduplicated, would have been dropped, or were resent. They also distinguish escaped bytes from
   * a text that looks like them.
   */
  private byte[] markFields(DeliveryRequest delivery, int message, boolean escapeInvalid) {
    if (delivery.passage() == DeliveryRequest.Passage.KEPT && resentReason == null) {
      return escapeInvalid ? ESCAPED : NO_FIELDS;
    }
    StringJoiner fields = new StringJoiner(",");
    if (escapeInvalid) {
      fields.add(ESCAPED_TEXT);
    }
    if (resentReason != null) {
      fields.add("\"resent\":" + JsonText.quoted(resentReason));
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
