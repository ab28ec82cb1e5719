package io.duplog.benchmark.hec;

import java.util.Set;

/**
 * The settings of a stand-in for Splunk.
 *
 * @param host the address to listen on
 * @param port the port to listen on; 0 for any free port
 * @param token the token that requests must carry
 * @param acknowledge whether requests get acknowledgement ids and must name a channel
 * @param indexes the existing indexes; empty if every index exists
 * @param maxBytes the largest accepted body in bytes, after decompression
 */
public record HecSettings(
    String host, int port, String token, boolean acknowledge, Set<String> indexes, int maxBytes) {

  /**
   * Twenty times Duplog's default {@code sink.hec.max-bytes}. Splunk's own limit was once 1 MB, and
   * is 800 MB now.
   */
  static final int MAX_BYTES = 20_000_000;

  public HecSettings {
    indexes = Set.copyOf(indexes);
    if (token.isEmpty()) {
      throw new IllegalArgumentException("the token is empty");
    }
  }

  /**
   * Returns settings for a free port of the loopback interface, with every index and without
   * acknowledgements.
   */
  public static HecSettings withToken(String token) {
    return new HecSettings("127.0.0.1", 0, token, false, Set.of(), MAX_BYTES);
  }
}
