package io.duplog.status;

import com.google.common.base.Ascii;
import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import io.duplog.config.Hosts;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests to the status page that a foreign web page makes through an administrator's
 * browser. The browser says in {@code Origin} for which page it asks. Such a page can make its own
 * name resolve to 127.0.0.1, but the browser then puts that name into the request. The check of the
 * name applies only if the page is bound to the loopback address, because otherwise the host may
 * have any name.
 */
final class HostCheck {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final boolean local;

  HostCheck(InetSocketAddress listening) {
    this.local = isLocal(listening);
  }

  /** Whether this is a loopback address, which only this machine can reach. */
  static boolean isLocal(InetSocketAddress listening) {
    return listening.getAddress() != null && listening.getAddress().isLoopbackAddress();
  }

  /**
   * Whether the page answers a request with these headers. On the loopback address the own names
   * are {@code localhost} and loopback addresses, with any port, because a tunnel may have another.
   *
   * @param hosts values of the header {@code Host}
   */
  boolean accepts(List<String> hosts) {
    return !local || (!hosts.isEmpty() && hosts.stream().allMatch(HostCheck::isOwnName));
  }

  private static boolean isOwnName(String host) {
    HostAndPort place = place(host);
    return place != null
        && (place.getHost().equals("localhost")
            || (InetAddresses.isInetAddress(place.getHost())
                && InetAddresses.forString(place.getHost()).isLoopbackAddress()));
  }

  /**
   * Whether a browser sends the request for a page of another origin, as it says itself. Pages that
   * have none, such as files, say {@code null}.
   *
   * @param origins values of the header {@code Origin}
   * @param scheme of the connection
   * @param hosts values of the header {@code Host}
   */
  static boolean isForeign(List<String> origins, String scheme, List<String> hosts) {
    String prefix = scheme + "://";
    int port = scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
    return !origins.stream()
        .allMatch(
            origin -> {
              HostAndPort page =
                  Ascii.toLowerCase(origin).startsWith(prefix)
                      ? place(origin.substring(prefix.length()))
                      : null;
              return page != null
                  && !hosts.isEmpty()
                  && hosts.stream()
                      .map(HostCheck::place)
                      .allMatch(
                          asked ->
                              asked != null
                                  && asked
                                      .withDefaultPort(port)
                                      .equals(page.withDefaultPort(port)));
            });
  }

  /**
   * Returns a host and perhaps a port, in a form that is the same for equal hosts. Names are in
   * lower case without a dot at the end, and addresses are in their usual form. Returns null if the
   * text is neither.
   */
  private static @Nullable HostAndPort place(String text) {
    try {
      HostAndPort place = HostAndPort.fromString(text);
      String host = Hosts.withoutDot(Ascii.toLowerCase(place.getHost()));
      if (Hosts.problem(host, false) != null) {
        return null;
      }
      String usual =
          InetAddresses.isInetAddress(host) ? InetAddresses.forString(host).getHostAddress() : host;
      return place.hasPort()
          ? HostAndPort.fromParts(usual, place.getPort())
          : HostAndPort.fromHost(usual);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
