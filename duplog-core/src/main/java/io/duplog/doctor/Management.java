package io.duplog.doctor;

import io.duplog.config.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a broker tells its administrators. Every method may take seconds. */
public interface Management {

  /**
   * A queue as policies and arguments have made it.
   *
   * @param policy the name of the policy that holds; empty where none does
   * @param limits by their names in a policy: {@code max-length-bytes}, {@code delivery-limit}
   */
  record Queue(String policy, Map<String, Object> limits) {}

  /**
   * The broker as a whole.
   *
   * @param alarms that are raised
   * @param ahead how far its clock is ahead of this host's, to the second; null where it isn't said
   */
  record Node(List<String> alarms, @Nullable Duration ahead) {}

  /**
   * Asks about one queue.
   *
   * @throws IOException whose message is one line for an operator
   */
  Queue queue(String virtualHost, String name) throws IOException;

  /**
   * Asks about the broker, with all nodes of its cluster.
   *
   * @throws IOException whose message is one line for an operator
   */
  Node node() throws IOException;

  /**
   * The management plugin behind a URL.
   *
   * @param url such as {@code http://user:password@node:15672}
   * @throws IllegalArgumentException where it is none, or lacks the user; the message does not show
   *     it, since it holds a password
   */
  static Management at(String url) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("must be like http://user:password@node:15672");
    }
    String login = uri.getRawUserInfo();
    int colon = login == null ? -1 : login.indexOf(':');
    String scheme = String.valueOf(uri.getScheme());
    if (login == null || colon < 1 || uri.getHost() == null || !scheme.matches("https?")) {
      throw new IllegalArgumentException("must be like http://user:password@node:15672");
    }
    int port = uri.getPort() < 0 ? 15_672 : uri.getPort();
    return new HttpManagement(
        "%s://%s:%d%s".formatted(scheme, uri.getHost(), port, uri.getRawPath()),
        decoded(login.substring(0, colon)),
        Secret.of(decoded(login.substring(colon + 1))));
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
