package io.duplog.status;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that a foreign web page sends through an administrator's browser. Such a page
 * can make its own name resolve to 127.0.0.1, but the browser then puts that name into the request.
 * The check applies only if the page is bound to the loopback address, because otherwise the host
 * may have any name.
 */
final class HostCheck {
  private final boolean local;

  HostCheck(InetSocketAddress listening) {
    this.local = isLocal(listening);
  }

  /** Whether this is a loopback address, which only this machine can reach. */
  static boolean isLocal(InetSocketAddress listening) {
    return listening.getAddress() != null && listening.getAddress().isLoopbackAddress();
  }

  /**
   * Whether a request with this header may be answered.
   *
   * @param host value of the header {@code Host}; null if it is missing
   */
  boolean accepts(@Nullable String host) {
    if (!local) {
      return true;
    }
    if (host == null) {
      return false;
    }
    try {
      String name = HostAndPort.fromString(host).getHost();
      return name.toLowerCase(Locale.ROOT).equals("localhost") || InetAddresses.isInetAddress(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
