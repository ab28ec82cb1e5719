package io.duplog.status;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Those that listen to server-sent events, a bounded number. Safe for any thread. */
final class Listeners {
  static final int MOST = 8;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

  /**
   * Takes over an exchange.
   *
   * @param first what it is sent at once
   * @return false where there are too many already; the exchange is then the caller's still
   */
  boolean add(EndPoint connection, Response response, Callback callback, String first) {
    AtomicReference<@Nullable Listener> self = new AtomicReference<>();
    Listener listener = new Listener(connection, response, callback, () -> remove(self.get()));
    self.set(listener);
    synchronized (this) {
      if (listeners.size() >= MOST) {
        return false;
      }
      listeners.add(listener);
    }
    listener.start(first);
    return true;
  }

  private void remove(@Nullable Listener listener) {
    if (listener != null) {
      listeners.remove(listener);
    }
  }

  boolean isEmpty() {
    return listeners.isEmpty();
  }

  int size() {
    return listeners.size();
  }

  void offer(String document) {
    listeners.forEach(listener -> listener.offer(document));
  }

  void dropSlow(long nowNanos) {
    listeners.forEach(listener -> listener.dropIfSlow(nowNanos, PATIENCE_NANOS));
  }

  void close() {
    listeners.forEach(Listener::close);
  }
}
