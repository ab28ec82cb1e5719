package io.duplog.collector;

import java.util.Set;

/**
 * The settings of a simulated collector, such as its token and indexes.
 *
 * @param token the token that requests must have
 * @param acknowledge whether requests get acknowledgement ids and must name a channel
 * @param indexes the existing indexes; empty if every index exists
 * @param maxBytes the largest accepted body in bytes, after decompression
 */
public record HecSettings(String token, boolean acknowledge, Set<String> indexes, int maxBytes) {

  /**
   * Twenty times Duplog's default {@code sink.hec.max-bytes}. Splunk's own limit was once 1 MB, and
   * is now 800 MB.
   */
  public static final int MAX_BYTES = 20_000_000;

  public HecSettings {
    indexes = Set.copyOf(indexes);
    if (token.isEmpty()) {
      throw new IllegalArgumentException("the token is empty");
    }
  }

  /** Returns settings with every index and without acknowledgements. */
  public static HecSettings withToken(String token) {
    return new HecSettings(token, false, Set.of(), MAX_BYTES);
  }
}
