package io.duplog.deliver.hec.event;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Strings;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.route.Route;
import io.duplog.deliver.route.Routing;
import java.net.URLEncoder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages as plain lines for HEC's path {@code /services/collector/raw}. A request has one
 * set of metadata, in its query, so a message with other metadata does not fit into it. Splunk
 * would split a message at a line feed or carriage return, so these become {@code #012} or {@code
 * #015}, as in rsyslog. All other bytes are unchanged. Lines have no time and no fields: Splunk
 * finds the time in the text, and messages that bypassed deduplication or are resent are not
 * marked.
 */
public final class RawEncoder extends Encoder {
  private static final byte[] LINE_FEED = "#012".getBytes(US_ASCII);
  private static final byte[] CARRIAGE_RETURN = "#015".getBytes(US_ASCII);

  private static final int MAX_GROWTH = 4;

  /**
   * Route of the request's first message. The path is made from this route, {@link #host} and
   * {@link #isRerouted}.
   */
  private @Nullable Route route;

  private byte[] host = {};
  private boolean isRerouted;
  private String path = "";
  private @Nullable String otherPath;

  public RawEncoder(Routing routing, @Nullable String fallbackIndex) {
    super(routing, fallbackIndex);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public @Nullable String otherPath() {
    return otherPath;
  }

  @Override
  void clearRoutes() {
    route = null;
  }

  @Override
  boolean append(DeliveryRequest delivery, int message, boolean fallback, Body body) {
    otherPath = null;
    if (!hasSamePath(fallback)) {
      String messagePath = pathOf(fallback);
      if (!body.isEmpty() && !messagePath.equals(path)) {
        otherPath = messagePath;
        return false;
      }
      startRequest(fallback, messagePath);
    }
    long maxBytes = (long) MAX_GROWTH * (to - from) + 1;
    if (!body.reserve(maxBytes) && !body.reserveForEvent(length())) {
      return false;
    }
    write(body);
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // equal routes are mostly the same object
  private boolean hasSamePath(boolean nowRerouted) {
    return metadata.route() == route
        && nowRerouted == isRerouted
        && Arrays.equals(
            host, 0, host.length, metadata.host(), metadata.hostStart(), metadata.hostEnd());
  }

  private void startRequest(boolean nowRerouted, String newPath) {
    route = metadata.route();
    isRerouted = nowRerouted;
    host = Arrays.copyOfRange(metadata.host(), metadata.hostStart(), metadata.hostEnd());
    path = newPath;
  }

  private String pathOf(boolean nowRerouted) {
    Route current = metadata.route();
    StringBuilder query = new StringBuilder("/services/collector/raw");
    parameter(query, "index", nowRerouted ? fallbackIndex : current.index());
    parameter(query, "sourcetype", current.sourcetype());
    parameter(query, "source", current.source());
    parameter(query, "host", Strings.emptyToNull(metadata.hostName()));
    return query.toString();
  }

  private static void parameter(StringBuilder query, String name, @Nullable String value) {
    if (value != null) {
      query.append(query.indexOf("?") < 0 ? '?' : '&').append(name).append('=');
      query.append(URLEncoder.encode(value, UTF_8));
    }
  }

  private int length() {
    int length = to - from + 1;
    for (int i = from; i < to; i++) {
      length += text[i] == '\n' || text[i] == '\r' ? MAX_GROWTH - 1 : 0;
    }
    return length;
  }

  private void write(Body body) {
    byte[] out = body.bytes();
    int at = body.length();
    for (int i = from; i < to; i++) {
      if (text[i] == '\n' || text[i] == '\r') {
        byte[] escaped = text[i] == '\n' ? LINE_FEED : CARRIAGE_RETURN;
        System.arraycopy(escaped, 0, out, at, escaped.length);
        at += escaped.length;
      } else {
        out[at++] = text[i];
      }
    }
    out[at++] = '\n';
    body.setLength(at);
  }
}
