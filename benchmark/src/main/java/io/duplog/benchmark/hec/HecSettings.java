package io.duplog.benchmark.hec;

import java.util.Set;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How a stand-in is set up.
 *
 * @param port 0 for one that is free
 * @param token what requests have to show
 * @param acknowledge whether it gives acknowledgement ids, and insists on a channel
 * @param indexes the indexes that there are; any is good where none is named
 * @param maxBytes the largest body, counted without compression
 * @param balance which of several indexers gets a request
 * @param tls null for plain HTTP
 * @param clientCertificate whether a client has to show one, with TLS
 */
public record HecSettings(
    int port,
    String token,
    boolean acknowledge,
    Set<String> indexes,
    int maxBytes,
    Balance balance,
    @Nullable SSLContext tls,
    boolean clientCertificate) {

  /** How a naive load balancer spreads requests over the indexers behind it. */
  public enum Balance {
    /** Each request goes to the next one. */
    PER_REQUEST,
    /** Each connection stays where it went. */
    PER_CONNECTION
  }

  /**
   * Twenty times what Duplog sends at most. Splunk's own limit was 1 MB once, and is 800 MB now.
   */
  private static final int MAX_BYTES = 20_000_000;

  public HecSettings {
    indexes = Set.copyOf(indexes);
    if (token.isEmpty()) {
      throw new IllegalArgumentException("the token is empty");
    }
    if (maxBytes < 1) {
      throw new IllegalArgumentException("the largest body has to hold a byte, was " + maxBytes);
    }
  }

  /** One that listens on a free port, takes any index and acknowledges nothing. */
  public static HecSettings withToken(String token) {
    return new HecSettings(0, token, false, Set.of(), MAX_BYTES, Balance.PER_REQUEST, null, false);
  }

  public HecSettings onPort(int chosen) {
    return new HecSettings(
        chosen, token, acknowledge, indexes, maxBytes, balance, tls, clientCertificate);
  }

  public HecSettings acknowledging() {
    return new HecSettings(port, token, true, indexes, maxBytes, balance, tls, clientCertificate);
  }

  public HecSettings withIndexes(Set<String> names) {
    return new HecSettings(
        port, token, acknowledge, names, maxBytes, balance, tls, clientCertificate);
  }

  public HecSettings withMaxBytes(int bytes) {
    return new HecSettings(
        port, token, acknowledge, indexes, bytes, balance, tls, clientCertificate);
  }

  public HecSettings balanced(Balance chosen) {
    return new HecSettings(
        port, token, acknowledge, indexes, maxBytes, chosen, tls, clientCertificate);
  }

  public HecSettings withTls(SSLContext context, boolean withClientCertificate) {
    return new HecSettings(
        port, token, acknowledge, indexes, maxBytes, balance, context, withClientCertificate);
  }
}
