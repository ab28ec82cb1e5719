package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.Route;
import io.duplog.wire.MessageBatch;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * For {@code /services/collector/event}: one JSON object a message, one after another. Allocates
 * nothing a message, but for those that bypassed deduplication.
 */
public final class EventEncoder implements Encoder {
  private static final byte[] TIME = "{\"time\":".getBytes(US_ASCII);
  private static final byte[] HOST = ",\"host\":\"".getBytes(US_ASCII);
  private static final byte[] FIELDS = ",\"fields\":{".getBytes(US_ASCII);
  private static final byte[] EVENT = ",\"event\":\"".getBytes(US_ASCII);
  private static final byte[] END = "\"}\n".getBytes(US_ASCII);
  private static final byte[] NOTHING = {};

  /** All of the constants above, the time, and what closes strings and braces. */
  private static final int FRAME = 96;

  private final Metadata metadata;
  private final @Nullable String fallbackIndex;
  private final IdentityHashMap<Route, RouteText> texts = new IdentityHashMap<>();
  private final IdentityHashMap<Route, RouteText> reroutedTexts = new IdentityHashMap<>();

  public EventEncoder(Metadata metadata, @Nullable String fallbackIndex) {
    this.metadata = metadata;
    this.fallbackIndex = fallbackIndex;
  }

  @Override
  public String path() {
    return "/services/collector/event";
  }

  @Override
  public boolean add(DeliveryRequest delivery, int message, boolean fallback, Body body) {
    MessageBatch batch = delivery.batch();
    byte[] data = batch.data();
    byte[] blank = BlankMessage.text(batch, message);
    byte[] event = blank == null ? data : blank;
    int from = blank == null ? batch.textStart(message) : 0;
    int to = blank == null ? batch.end(message) : blank.length;
    metadata.read(delivery, message);
    RouteText text = text(metadata.route(), fallback);
    int hostStart = metadata.hostStart();
    int hostEnd = metadata.hostEnd();
    byte[] marks = marks(delivery, message);

    int fixed = FRAME + text.head().length + text.fields().length + marks.length;
    if (!body.fits(fixed + (long) JsonText.WORST * (to - from + hostEnd - hostStart))
        && !body.takes(
            fixed + JsonText.length(event, from, to) + JsonText.length(data, hostStart, hostEnd))) {
      return false;
    }
    byte[] out = body.bytes();
    int at = put(TIME, out, body.length());
    at = putSeconds(metadata.timeMillis(), out, at);
    if (hostEnd > hostStart) {
      at = put(HOST, out, at);
      at = JsonText.write(data, hostStart, hostEnd, out, at);
      out[at++] = '"';
    }
    at = put(text.head(), out, at);
    if (text.fields().length + marks.length > 0) {
      at = put(FIELDS, out, at);
      at = put(text.fields(), out, at);
      if (text.fields().length > 0 && marks.length > 0) {
        out[at++] = ',';
      }
      at = put(marks, out, at);
      out[at++] = '}';
    }
    at = put(EVENT, out, at);
    at = JsonText.write(event, from, to, out, at);
    body.end(put(END, out, at));
    return true;
  }

  private RouteText text(Route route, boolean rerouted) {
    IdentityHashMap<Route, RouteText> cache = rerouted ? reroutedTexts : texts;
    RouteText text = cache.get(route);
    if (text == null) {
      text = RouteText.of(route, rerouted ? fallbackIndex : null);
      cache.put(route, text);
    }
    return text;
  }

  /**
   * The fields that let a search tell genuine repeats from the copies that came undeduplicated, or
   * that would have been dropped.
   */
  private static byte[] marks(DeliveryRequest delivery, int message) {
    String passage =
        switch (delivery.passage()) {
          case KEPT -> "";
          case BYPASSED -> "bypassed";
          case RELEASED -> "released";
          case OBSERVED -> "observed";
        };
    if (passage.isEmpty()) {
      return NOTHING;
    }
    String fields =
        "\"dedup\":\""
            + passage
            + "\",\"stream\":"
            + RouteText.quoted(delivery.stream())
            + ",\"digest\":"
            + RouteText.quoted(delivery.digests().apply(message));
    return fields.getBytes(UTF_8);
  }

  private static int put(byte[] bytes, byte[] out, int at) {
    System.arraycopy(bytes, 0, out, at, bytes.length);
    return at + bytes.length;
  }

  /** {@code 1697062455.123} */
  static int putSeconds(long millis, byte[] out, int at) {
    if (millis < 0) {
      out[at++] = '-';
      millis = -millis;
    }
    long seconds = millis / 1000;
    int digits = 1;
    for (long rest = seconds; rest >= 10; rest /= 10) {
      digits++;
    }
    for (int i = at + digits - 1; i >= at; i--) {
      out[i] = (byte) ('0' + seconds % 10);
      seconds /= 10;
    }
    at += digits;
    int fraction = (int) (millis % 1000);
    out[at++] = '.';
    out[at++] = (byte) ('0' + fraction / 100);
    out[at++] = (byte) ('0' + fraction / 10 % 10);
    out[at++] = (byte) ('0' + fraction % 10);
    return at;
  }
}
