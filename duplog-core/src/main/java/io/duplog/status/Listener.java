package io.duplog.status;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One browser that listens to server-sent events, with a thread of its own, since writing to one
 * that does not read blocks. It gets the newest document and misses those for which it is too slow.
 */
final class Listener {
  private final HttpExchange exchange;
  private final Runnable ended;
  private final AtomicReference<@Nullable String> next = new AtomicReference<>();
  private final Thread thread;

  /** When the write began that is not over; 0 between writes. */
  private volatile long writingSinceNanos;

  private volatile boolean closed;

  /**
   * @param ended told when it has gone
   */
  Listener(HttpExchange exchange, Runnable ended) {
    this.exchange = exchange;
    this.ended = ended;
    this.thread = new Thread(this::run, "status-listener");
    thread.setDaemon(true);
  }

  void start(String first) {
    next.set(first);
    thread.start();
  }

  /** Sends a document, in place of one that it has not got so far. Any thread. */
  void offer(String document) {
    next.set(document);
    LockSupport.unpark(thread);
  }

  /** Ends it where its last write has taken too long. Any thread. */
  void dropIfSlow(long nowNanos, long patienceNanos) {
    long since = writingSinceNanos;
    if (since != 0 && nowNanos - since > patienceNanos) {
      close();
    }
  }

  /** An interrupted thread's connection is closed, whatever it does. Any thread. */
  void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    try (exchange) {
      Answers.prepare(exchange, "text/event-stream");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      write(out, "retry: 1000\n\n");
      while (!closed) {
        String document = next.getAndSet(null);
        if (document == null) {
          LockSupport.park(this);
        } else {
          write(out, "data: " + document + "\n\n");
        }
      }
    } catch (IOException | RuntimeException e) {
      // It has gone, or was too slow.
    } finally {
      ended.run();
    }
  }

  private void write(OutputStream out, String text) throws IOException {
    writingSinceNanos = Math.max(1, System.nanoTime());
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    writingSinceNanos = 0;
  }
}
