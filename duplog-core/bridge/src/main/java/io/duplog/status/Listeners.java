package io.duplog.status;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/**
 * Sends updates to the browsers that show the status page, as server-sent events. There are at most
 * {@link #MOST}. May be used from any thread.
 */
final class Listeners {
  static final int MOST = 8;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

  /**
   * Takes over an exchange.
   *
   * @param first document that is sent at once
   * @return false if there are too many listeners already; then the exchange stays the caller's
   */
  boolean add(Exchange exchange, String first) {
    Listener listener = new Listener(exchange);
    synchronized (this) {
      if (listeners.size() >= MOST) {
        return false;
      }
      listeners.add(listener);
    }
    exchange.begin(200, "text/event-stream");
    listener.send("retry: 1000\n\n" + event(first));
    return true;
  }

  boolean isEmpty() {
    return listeners.isEmpty();
  }

  /** Sends a document to all browsers; a slow browser gets only the newest document. */
  void offer(String document) {
    listeners.forEach(listener -> listener.send(event(document)));
  }

  private static String event(String document) {
    return "data: " + document + "\n\n";
  }

  /** Closes the connections of browsers whose current write takes too long. */
  void dropSlow(long nowNanos) {
    listeners.stream().filter(listener -> listener.isSlow(nowNanos)).forEach(Listener::close);
  }

  void close() {
    listeners.forEach(Listener::close);
  }

  /**
   * A browser that gets the newest document, and misses others if it reads too slowly. Writing to
   * one that does not read blocks no thread.
   */
  private final class Listener {
    private final EndPoint connection;
    private final Exchange exchange;

    private @Nullable String nextDocument; // document to write next; guarded by this

    /**
     * {@link System#nanoTime} at the current write's begin; 0 if none is running. Guarded by this.
     */
    private long writingSinceNanos;

    Listener(Exchange exchange) {
      this.connection = StatusConnector.connection(exchange.request());
      this.exchange = exchange;
    }

    void send(String text) {
      synchronized (this) {
        if (writingSinceNanos != 0) {
          nextDocument = text;
          return;
        }
        writingSinceNanos = Math.max(1, System.nanoTime());
      }
      write(text);
    }

    private void write(String text) {
      exchange
          .response()
          .write(
              false,
              ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)),
              Callback.from(InvocationType.NON_BLOCKING, this::written, this::end));
    }

    private void written() {
      String text;
      synchronized (this) {
        text = nextDocument;
        nextDocument = null;
        writingSinceNanos = text == null ? 0 : Math.max(1, System.nanoTime());
      }
      if (text != null) {
        write(text);
      }
    }

    synchronized boolean isSlow(long nowNanos) {
      return writingSinceNanos != 0 && nowNanos - writingSinceNanos > PATIENCE_NANOS;
    }

    /** Closes the browser's connection, even in the middle of a write. */
    void close() {
      connection.close();
      end(new ClosedChannelException());
    }

    private void end(Throwable cause) {
      if (listeners.remove(this)) {
        exchange.end().failed(cause);
      }
    }
  }
}
