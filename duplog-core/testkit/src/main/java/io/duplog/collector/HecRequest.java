package io.duplog.collector;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request to the simulated collector.
 *
 * @param uri path and query
 * @param headers values by name; the map determines whether names match case-insensitively
 */
@SuppressWarnings("ArrayRecordComponent") // Requests are never compared.
public record HecRequest(String method, URI uri, Map<String, String> headers, byte[] body) {
  static final String CHANNEL = "X-Splunk-Request-Channel";
  static final String AUTHORIZATION = "Authorization";
  static final String CONTENT_ENCODING = "Content-Encoding";

  private static final String ROOT = "/services/collector";
  private static final byte[] NO_BODY = {};

  /** The kinds of requests. */
  public enum Target {
    EVENTS,
    ACKS,
    HEALTH
  }

  /**
   * Returns a client's request.
   *
   * @param body body of a POST, or null for a GET
   */
  public static HecRequest of(
      String path, byte @Nullable [] body, String token, @Nullable String channel) {
    Map<String, String> headers = new HashMap<>();
    headers.put(AUTHORIZATION, "Splunk " + token);
    if (channel != null) {
      headers.put(CHANNEL, channel);
    }
    return body == null
        ? new HecRequest("GET", URI.create(path), headers, NO_BODY)
        : new HecRequest("POST", URI.create(path), headers, body);
  }

  /** Returns the kind of request for a URL, or null if a collector has no such path. */
  public static @Nullable Target target(URI uri) {
    return switch (uri.getPath()) {
      case ROOT, ROOT + "/event", ROOT + "/event/1.0", ROOT + "/raw", ROOT + "/raw/1.0" ->
          Target.EVENTS;
      case ROOT + "/ack", ROOT + "/ack/1.0" -> Target.ACKS;
      case ROOT + "/health", ROOT + "/health/1.0" -> Target.HEALTH;
      default -> null;
    };
  }

  boolean isRaw() {
    return uri.getPath().startsWith(ROOT + "/raw");
  }

  @Nullable String channel() {
    String header = headers.get(CHANNEL);
    return header != null ? header : Parameters.of(uri).get("channel");
  }

  /** Returns the texts of the JSON events, up to the first that is not well formed. */
  public List<String> texts() {
    return EventParser.parse(body).good().stream().map(HecEvent::event).toList();
  }
}
