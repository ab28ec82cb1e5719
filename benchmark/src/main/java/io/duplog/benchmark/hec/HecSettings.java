package io.duplog.benchmark.hec;

import java.util.Set;

/**
 * How a stand-in is set up.
 *
 * @param host the address to listen on
 * @param port 0 for one that is free
 * @param token what requests have to show
 * @param acknowledge whether it gives acknowledgement ids, and insists on a channel
 * @param indexes the indexes that there are; any is good where none is named
 * @param maxBytes the largest body, counted without compression
 */
public record HecSettings(
    String host, int port, String token, boolean acknowledge, Set<String> indexes, int maxBytes) {

  /**
   * Twenty times what Duplog sends at most. Splunk's own limit was 1 MB once, and is 800 MB now.
   */
  static final int MAX_BYTES = 20_000_000;

  public HecSettings {
    indexes = Set.copyOf(indexes);
    if (token.isEmpty()) {
      throw new IllegalArgumentException("the token is empty");
    }
    if (maxBytes < 1) {
      throw new IllegalArgumentException("the largest body has to hold a byte, was " + maxBytes);
    }
  }

  /** On a free port of the loopback interface; takes any index and acknowledges nothing. */
  public static HecSettings withToken(String token) {
    return new HecSettings("127.0.0.1", 0, token, false, Set.of(), MAX_BYTES);
  }

  public HecSettings acknowledging(boolean on) {
    return new HecSettings(host, port, token, on, indexes, maxBytes);
  }

  public HecSettings withIndexes(Set<String> names) {
    return new HecSettings(host, port, token, acknowledge, names, maxBytes);
  }
}
