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
 * Stores the cookies that a load balancer sets on one connection, and returns them with each
 * request. A load balancer needs one or two. If it set a new one with each answer, the header of
 * requests would grow until the load balancer rejects it. Thread-safe.
 */
final class Cookies extends CookieHandler {
  static final int MAX_COOKIES = 20;
  static final int MAX_BYTES = 4096;

  /**
   * A stored cookie.
   *
   * @param number the order in which cookies were first set; a cookie keeps its number when
   *     replaced
   * @param storedNanos when it was set, by the monotonic clock
   */
  private record StoredCookie(SetCookie cookie, long number, long storedNanos) {
    /** Returns the cookie's length in bytes in a request's header, including the separator. */
    int bytes() {
      return cookie.toString().length() + 2;
    }
  }

  private final URI url;
  private final LongSupplier wallMillis;
  private final LongSupplier nanoClock;
  private final List<StoredCookie> oldestFirst = new ArrayList<>(); // guarded by this
  private long nextNumber; // guarded by this

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

  /** Returns the requested URI with the host's name, even if the request used an address. */
  private URI withHostName(URI requested) {
    return url.resolve(requested.getRawPath());
  }

  @Override
  public synchronized Map<String, List<String>> get(
      URI requested, Map<String, List<String>> headers) {
    URI request = withHostName(requested);
    long now = nanoClock.getAsLong();
    oldestFirst.removeIf(stored -> isExpired(stored, now));
    List<String> sent =
        oldestFirst.stream()
            .filter(stored -> stored.cookie.matches(request))
            .sorted(
                Comparator.comparingInt((StoredCookie stored) -> -stored.cookie.path().length())
                    .thenComparingLong(StoredCookie::number))
            .map(stored -> stored.cookie.toString())
            .toList();
    return sent.isEmpty() ? Map.of() : Map.of("Cookie", List.of(String.join("; ", sent)));
  }

  private static boolean isExpired(StoredCookie stored, long now) {
    return TimeUnit.NANOSECONDS.toSeconds(now - stored.storedNanos) >= stored.cookie.secondsLeft();
  }

  @Override
  public synchronized void put(URI requested, Map<String, List<String>> headers) {
    URI request = withHostName(requested);
    headers.forEach(
        (name, values) -> {
          if ("Set-Cookie".equalsIgnoreCase(name)) {
            values.forEach(value -> put(value, request));
          }
        });
    int bytes = oldestFirst.stream().mapToInt(StoredCookie::bytes).sum();
    while (oldestFirst.size() > MAX_COOKIES || bytes > MAX_BYTES) {
      bytes -= oldestFirst.remove(0).bytes();
    }
  }

  private void put(String header, URI request) {
    long nowSeconds = TimeUnit.MILLISECONDS.toSeconds(wallMillis.getAsLong());
    SetCookie cookie = SetCookie.parse(header, request, nowSeconds);
    if (cookie == null) {
      return;
    }
    StoredCookie replaced = remove(cookie);
    if (cookie.secondsLeft() > 0) {
      oldestFirst.add(
          new StoredCookie(
              cookie, replaced == null ? nextNumber++ : replaced.number, nanoClock.getAsLong()));
    }
  }

  private @Nullable StoredCookie remove(SetCookie successor) {
    for (StoredCookie stored : oldestFirst) {
      if (successor.replaces(stored.cookie)) {
        oldestFirst.remove(stored);
        return stored;
      }
    }
    return null;
  }

  synchronized void clear() {
    oldestFirst.clear();
  }
}
