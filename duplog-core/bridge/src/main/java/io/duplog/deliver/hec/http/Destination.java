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
 * The address that requests go to. The JDK's client tries only the first address of a name. If that
 * fails, the name is replaced by its other addresses, one after another. The client also refuses a
 * name that ends in a dot, which is therefore resolved here, and spoken of without the dot. Belongs
 * to one thread, except for {@link #select}.
 */
final class Destination extends ProxySelector {
  /** The URL, whose host has no dot at its end. */
  private final URI url;

  /** The host's name as it was written, and as it is resolved. */
  private final String name;

  private final ProxyConfig.@Nullable Hop proxy;
  private int turn;

  /** The address to connect to; null to use the name's first address. */
  private volatile @Nullable InetAddress address;

  Destination(String url, ProxyConfig.@Nullable Hop proxy) {
    URI written = URI.create(url);
    this.name = written.getHost();
    this.url =
        name.endsWith(".")
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
        proxy == null && address == null && name.endsWith(".") ? addresses() : new InetAddress[0];
    if (all.length > 0) {
      address = all[0];
    }
    InetAddress other = address;
    if (other == null || proxy != null) {
      return URI.create(url + path);
    }
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    return URI.create(url.getScheme() + "://" + literal(other) + port + url.getRawPath() + path);
  }

  /**
   * Returns the header {@code Host} if the URI has an address in place of the name; otherwise null.
   */
  @Nullable String host() {
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
  int next() {
    InetAddress[] all = addresses();
    turn = (turn + 1) % Math.max(1, all.length);
    address = turn == 0 ? null : all[turn];
    return all.length;
  }

  private InetAddress[] addresses() {
    try {
      if (proxy != null) {
        return InetAddress.getAllByName(proxy.address().getHostString());
      }
      boolean direct = select(url).get(0).equals(Proxy.NO_PROXY);
      return direct ? InetAddress.getAllByName(name) : new InetAddress[0];
    } catch (UnknownHostException e) {
      return new InetAddress[0];
    }
  }

  @Override
  public List<Proxy> select(URI uri) {
    if (proxy == null) {
      ProxySelector ofJava = ProxySelector.getDefault();
      return ofJava == null ? List.of(Proxy.NO_PROXY) : ofJava.select(url);
    }
    InetAddress other = address;
    InetSocketAddress named = proxy.address();
    return List.of(
        new Proxy(
            Proxy.Type.HTTP,
            other == null ? named : new InetSocketAddress(other, named.getPort())));
  }

  @Override
  public void connectFailed(URI uri, SocketAddress proxyAddress, IOException failure) {
    // the failed exchange asks for the next address itself
  }
}
