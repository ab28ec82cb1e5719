package io.duplog.status;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import java.net.InetSocketAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that a foreign web page sends through an administrator's browser: it can have
 * its own name resolve to 127.0.0.1, but it can't have the browser put another name than that into
 * the request. Only where the page is bound to this machine, since elsewhere it may have any name.
 */
final class HostCheck {
  private final boolean local;

  HostCheck(InetSocketAddress listening) {
    this.local = isLocal(listening);
  }

  /** Whether this machine alone reaches it. */
  static boolean isLocal(InetSocketAddress listening) {
    return listening.getAddress() != null && listening.getAddress().isLoopbackAddress();
  }

  /**
   * @param host the header {@code Host}
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
