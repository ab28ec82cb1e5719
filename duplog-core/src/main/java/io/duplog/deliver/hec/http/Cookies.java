package io.duplog.deliver.hec.http;

import java.io.IOException;
import java.net.CookieManager;
import java.net.CookieStore;
import java.net.HttpCookie;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * The newest cookies of one connection. A load balancer needs one or two. If it set a new one with
 * each answer, the request's header would grow until the load balancer refuses it.
 */
final class Cookies extends CookieManager {
  static final int MOST = 20;
  static final int MOST_BYTES = 4096;

  private final URI url;

  /**
   * @param url the URL that all cookies belong to, even if a request names an address instead of
   *     the host
   */
  Cookies(URI url) {
    this.url = url;
  }

  @Override
  public Map<String, List<String>> get(URI asked, Map<String, List<String>> headers)
      throws IOException {
    return super.get(url.resolve(asked.getRawPath()), headers);
  }

  @Override
  public void put(URI asked, Map<String, List<String>> headers) throws IOException {
    super.put(url.resolve(asked.getRawPath()), headers);
    CookieStore store = getCookieStore();
    List<HttpCookie> oldestFirst = List.copyOf(store.getCookies());
    int count = oldestFirst.size();
    int bytes = oldestFirst.stream().mapToInt(Cookies::bytes).sum();
    for (HttpCookie oldest : oldestFirst) {
      if (count <= MOST && bytes <= MOST_BYTES) {
        return;
      }
      store.remove(null, oldest);
      count--;
      bytes -= bytes(oldest);
    }
  }

  /** Returns the cookie's length in the request's header in bytes, including the separator. */
  private static int bytes(HttpCookie cookie) {
    return cookie.toString().length() + 2;
  }

  void forget() {
    getCookieStore().removeAll();
  }
}
