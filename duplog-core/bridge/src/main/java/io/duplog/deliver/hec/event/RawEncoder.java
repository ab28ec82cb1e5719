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
 * Encodes messages for {@code /services/collector/raw}, as lines. A request has one set of
 * metadata, in its query, so a message with other metadata does not fit into it. A line feed or
 * carriage return within a message, at which Splunk would cut it, becomes {@code #012} or {@code
 * #015}, as rsyslog writes them; all other bytes stay as they are. Lines have no time and no
 * fields: Splunk finds the time in the text, and messages that bypassed deduplication, or are sent
 * again, are not marked.
 */
public final class RawEncoder extends Encoder {
  private static final byte[] LINE_FEED = "#012".getBytes(US_ASCII);
  private static final byte[] CARRIAGE_RETURN = "#015".getBytes(US_ASCII);

  private static final int LONGEST_OF_A_BYTE = 4;

  /**
   * Rule of the request's first message. The path is made of this rule, {@link #host} and {@link
   * #rerouted}.
   */
  private int rule = -1;

  private byte[] host = {};
  private boolean rerouted;
  private String path = "";
  private @Nullable String elsewhere;

  public RawEncoder(Routing routing, @Nullable String fallbackIndex) {
    super(routing, fallbackIndex);
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public @Nullable String elsewhere() {
    return elsewhere;
  }

  @Override
  void forgetRoutes() {
    rule = -1;
  }

  @Override
  boolean place(DeliveryRequest delivery, int message, boolean fallback, Body body) {
    elsewhere = null;
    if (!isSame(fallback)) {
      String own = pathOf(fallback);
      if (!body.isEmpty() && !own.equals(path)) {
        elsewhere = own;
        return false;
      }
      begin(fallback, own);
    }
    long worst = (long) LONGEST_OF_A_BYTE * (to - from) + 1;
    if (!body.fits(worst) && !body.takes(length())) {
      return false;
    }
    write(body);
    return true;
  }

  private boolean isSame(boolean nowRerouted) {
    return metadata.route().rule() == rule
        && nowRerouted == rerouted
        && Arrays.equals(
            host, 0, host.length, metadata.host(), metadata.hostStart(), metadata.hostEnd());
  }

  private void begin(boolean nowRerouted, String newPath) {
    rule = metadata.route().rule();
    rerouted = nowRerouted;
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
      length += text[i] == '\n' || text[i] == '\r' ? LONGEST_OF_A_BYTE - 1 : 0;
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
    body.end(at);
  }
}
