package io.duplog.deliver.hec.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the IP address for each HEC request, and the host's next address after a failed
 * connection. The JDK's client tries only the first address of a name. It also rejects a name that
 * ends in a dot, so such a name is resolved here, and the dot is left out of headers. Not
 * thread-safe, except for {@link #select}; used by the sender's thread.
 */
final class Destination extends ProxySelector {
  /** The URL, without a dot at the end of its host. */
  private final URI url;

  /** The host as written in the configuration, which is the name that is resolved. */
  private final String hostAsWritten;

  private final ProxyConfig.@Nullable Hop proxy;

  /** Index of the current address in the name's list of addresses. */
  private int addressIndex;

  /** The address to connect to, or null to use the name's first address. */
  private volatile @Nullable InetAddress address;

  Destination(String url, ProxyConfig.@Nullable Hop proxy) {
    URI written = URI.create(url);
    this.hostAsWritten = written.getHost();
    this.url =
        hostAsWritten.endsWith(".")
            ? URI.create(url.replaceFirst("\\.(?=(:[0-9]+)?(/|$))", "")) // the host comes first
            : written;
    this.proxy = proxy;
  }

  /**
   * Returns the request's URI, with an address in place of the host's name after a failed
   * connection.
   */
  URI uri(String path) {
    InetAddress[] all =
        proxy == null && address == null && hostAsWritten.endsWith(".")
            ? addresses()
            : new InetAddress[0];
    if (all.length > 0) {
      address = all[0];
    }
    InetAddress current = address;
    if (current == null || proxy != null) {
      return URI.create(url + path);
    }
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    return URI.create(url.getScheme() + "://" + literal(current) + port + url.getRawPath() + path);
  }

  /**
   * Returns the value of the header {@code Host} if the URI has an address in place of the name;
   * otherwise null.
   */
  @Nullable String hostHeader() {
    return address == null || proxy != null ? null : url.getRawAuthority();
  }

  private static String literal(InetAddress address) {
    String text = address.getHostAddress();
    return text.contains(":") ? "[" + text + "]" : text;
  }

  /**
   * Switches to the next address of the name.
   *
   * @return how many addresses the name has
   */
  int useNextAddress() {
    InetAddress[] all = addresses();
    addressIndex = (addressIndex + 1) % Math.max(1, all.length);
    address = addressIndex == 0 ? null : all[addressIndex];
    return all.length;
  }

  private InetAddress[] addresses() {
    try {
      if (proxy != null) {
        return InetAddress.getAllByName(proxy.address().getHostString());
      }
      boolean direct = select(url).get(0).equals(Proxy.NO_PROXY);
      return direct ? InetAddress.getAllByName(hostAsWritten) : new InetAddress[0];
    } catch (UnknownHostException e) {
      return new InetAddress[0];
    }
  }

  @Override
  public List<Proxy> select(URI uri) {
    if (proxy == null) {
      ProxySelector systemProxies = ProxySelector.getDefault();
      return systemProxies == null ? List.of(Proxy.NO_PROXY) : systemProxies.select(url);
    }
    InetAddress current = address;
    InetSocketAddress proxyAddress = proxy.address();
    return List.of(
        new Proxy(
            Proxy.Type.HTTP,
            current == null
                ? proxyAddress
                : new InetSocketAddress(current, proxyAddress.getPort())));
  }

  @Override
  public void connectFailed(URI uri, SocketAddress proxyAddress, IOException failure) {
    // the failed exchange calls useNextAddress() itself
  }
}
