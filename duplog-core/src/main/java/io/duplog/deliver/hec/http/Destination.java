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
 * Where requests go. The JDK's client connects to the first address of a name alone, so where that
 * fails, the others are put into the name's place, one after another. One thread's, but for the
 * selector.
 */
final class Destination extends ProxySelector {
  private final URI url;
  private final ProxyConfig.@Nullable Hop proxy;
  private int turn;

  /** Null while the client looks the name up, and takes the first. */
  private volatile @Nullable InetAddress address;

  Destination(String url, ProxyConfig.@Nullable Hop proxy) {
    this.url = URI.create(url);
    this.proxy = proxy;
  }

  /** The request's URI, with an address in place of the host's name after a failed connection. */
  URI uri(String path) {
    InetAddress other = address;
    if (other == null || proxy != null) {
      return URI.create(url + path);
    }
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    return URI.create(url.getScheme() + "://" + literal(other) + port + url.getRawPath() + path);
  }

  /** The header {@code Host} where the URI has an address in its place; null elsewhere. */
  @Nullable String host() {
    return address == null || proxy != null ? null : url.getRawAuthority();
  }

  private static String literal(InetAddress address) {
    String text = address.getHostAddress();
    return text.contains(":") ? "[" + text + "]" : text;
  }

  /**
   * Takes the next address of the name, for what follows.
   *
   * @return how many there are
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
      return direct ? InetAddress.getAllByName(url.getHost()) : new InetAddress[0];
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
    // the exchange fails, and asks for the next
  }
}
