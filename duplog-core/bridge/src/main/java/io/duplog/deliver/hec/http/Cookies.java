package io.duplog.deliver.hec.http;

import java.net.CookieHandler;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest cookies of one connection, which come and go by RFC 6265. A load balancer needs one or
 * two. If it set a new one with each answer, the request's header would grow until the load
 * balancer refuses it. Safe for any thread.
 */
final class Cookies extends CookieHandler {
  static final int MOST = 20;
  static final int MOST_BYTES = 4096;

  /**
   * A cookie that is kept.
   *
   * @param made number of the cookie, which one that replaces it takes over
   * @param since when it was set, by the clock that never steps
   */
  private record Kept(SetCookie cookie, long made, long since) {
    /** Returns the cookie's length in the request's header in bytes, including the separator. */
    int bytes() {
      return cookie.toString().length() + 2;
    }
  }

  private final URI url;
  private final LongSupplier wallMillis;
  private final LongSupplier nanoClock;
  private final List<Kept> oldestFirst = new ArrayList<>(); // guarded by this
  private long made; // guarded by this

  /**
   * @param url the URL that all cookies belong to, even if a request names an address instead of
   *     the host
   * @param wallMillis a clock like {@link System#currentTimeMillis}, for dates in cookies
   * @param nanoClock a clock like {@link System#nanoTime}, for how long they are valid
   */
  Cookies(URI url, LongSupplier wallMillis, LongSupplier nanoClock) {
    this.url = url;
    this.wallMillis = wallMillis;
    this.nanoClock = nanoClock;
  }

  private URI named(URI asked) {
    return url.resolve(asked.getRawPath());
  }

  @Override
  public synchronized Map<String, List<String>> get(URI asked, Map<String, List<String>> headers) {
    URI request = named(asked);
    long now = nanoClock.getAsLong();
    oldestFirst.removeIf(kept -> isOver(kept, now));
    List<String> sent =
        oldestFirst.stream()
            .filter(kept -> kept.cookie.isFor(request))
            .sorted(
                Comparator.comparingInt((Kept kept) -> -kept.cookie.path().length())
                    .thenComparingLong(Kept::made))
            .map(kept -> kept.cookie.toString())
            .toList();
    return sent.isEmpty() ? Map.of() : Map.of("Cookie", List.of(String.join("; ", sent)));
  }

  private static boolean isOver(Kept kept, long now) {
    return TimeUnit.NANOSECONDS.toSeconds(now - kept.since) >= kept.cookie.secondsLeft();
  }

  @Override
  public synchronized void put(URI asked, Map<String, List<String>> headers) {
    URI request = named(asked);
    headers.forEach(
        (name, values) -> {
          if ("Set-Cookie".equalsIgnoreCase(name)) {
            values.forEach(value -> put(value, request));
          }
        });
    int bytes = oldestFirst.stream().mapToInt(Kept::bytes).sum();
    while (oldestFirst.size() > MOST || bytes > MOST_BYTES) {
      bytes -= oldestFirst.remove(0).bytes();
    }
  }

  private void put(String header, URI request) {
    long nowSeconds = TimeUnit.MILLISECONDS.toSeconds(wallMillis.getAsLong());
    SetCookie cookie = SetCookie.parse(header, request, nowSeconds);
    if (cookie == null) {
      return;
    }
    Kept before = takeOut(cookie);
    if (cookie.secondsLeft() > 0) {
      oldestFirst.add(
          new Kept(cookie, before == null ? made++ : before.made, nanoClock.getAsLong()));
    }
  }

  private @Nullable Kept takeOut(SetCookie successor) {
    for (Kept kept : oldestFirst) {
      if (successor.replaces(kept.cookie)) {
        oldestFirst.remove(kept);
        return kept;
      }
    }
    return null;
  }

  synchronized void forget() {
    oldestFirst.clear();
  }
}
