package io.duplog.bridge.settings;

import com.google.common.net.HostAndPort;
import io.duplog.config.Checks;
import java.util.List;

/** Parses lists of {@code host:port}. */
final class Addresses {
  private Addresses() {}

  /**
   * @throws IllegalArgumentException if an entry is not {@code host:port}; its message names the
   *     key
   */
  static List<HostAndPort> parse(String key, List<String> addresses, int defaultPort) {
    Checks.distinctNames(key, addresses);
    return addresses.stream().map(address -> parse(key, address, defaultPort)).toList();
  }

  private static HostAndPort parse(String key, String address, int defaultPort) {
    try {
      HostAndPort place = HostAndPort.fromString(address).withDefaultPort(defaultPort);
      Checks.port(key, place.getPort());
      if (!place.getHost().isBlank()) {
        return place;
      }
    } catch (IllegalArgumentException e) {
      // reported below, in the words of the configuration file
    }
    throw Checks.refuse(key, "must be host:port each, not '" + address + "'");
  }
}
