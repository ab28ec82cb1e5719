package io.duplog.bridge.settings;

import com.google.common.net.HostAndPort;
import io.duplog.config.Checks;
import io.duplog.config.Hosts;
import java.util.List;

/** Parses lists of {@code host:port}. */
final class Addresses {
  private Addresses() {}

  /**
   * @param encrypted whether these hosts are spoken to by TLS, which verifies their names
   * @throws IllegalArgumentException if an entry is not {@code host:port}; its message names the
   *     key
   */
  static List<HostAndPort> parse(
      String key, List<String> addresses, int defaultPort, boolean encrypted) {
    Checks.distinctNames(key, addresses);
    return addresses.stream().map(address -> parse(key, address, defaultPort, encrypted)).toList();
  }

  private static HostAndPort parse(String key, String address, int defaultPort, boolean encrypted) {
    String problem = "";
    try {
      HostAndPort place = HostAndPort.fromString(address).withDefaultPort(defaultPort);
      Checks.port(key, place.getPort());
      String wrong = Hosts.problem(place.getHost(), encrypted);
      if (wrong == null) {
        return place;
      }
      problem = ": " + wrong;
    } catch (IllegalArgumentException e) {
      boolean isMore = address.contains("://") || address.contains("@");
      problem = isMore ? ": " + Hosts.problem(address, encrypted) : "";
    }
    throw Checks.refuse(key, "must be host:port each, not " + Checks.quoted(address) + problem);
  }
}
