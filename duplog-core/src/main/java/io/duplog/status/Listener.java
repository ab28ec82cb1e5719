package io.duplog.status;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/**
 * One browser that listens to server-sent events. It gets the newest document and misses those for
 * which it is too slow. Writing to one that does not read holds up no thread.
 */
final class Listener {
  private final EndPoint connection;
  private final Response response;
  private final Callback end;
  private final Runnable ended;
  private final AtomicBoolean over = new AtomicBoolean();

  private @Nullable String next; // guarded by this

  /** When the write began that is not over; 0 between writes. Guarded by this. */
  private long writingSinceNanos;

  /**
   * @param end of the exchange
   * @param ended told when it has gone
   */
  Listener(EndPoint connection, Response response, Callback end, Runnable ended) {
    this.connection = connection;
    this.response = response;
    this.end = end;
    this.ended = ended;
  }

  void start(String first) {
    HttpAnswers.prepare(response, "text/event-stream");
    response.setStatus(200);
    send("retry: 1000\n\n" + event(first));
  }

  /** Sends a document, in place of one that it has not got so far. Any thread. */
  void offer(String document) {
    send(event(document));
  }

  private static String event(String document) {
    return "data: " + document + "\n\n";
  }

  private void send(String text) {
    synchronized (this) {
      if (writingSinceNanos != 0) {
        next = text;
        return;
      }
      writingSinceNanos = Math.max(1, System.nanoTime());
    }
    write(text);
  }

  private void write(String text) {
    response.write(
        false,
        ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)),
        Callback.from(InvocationType.NON_BLOCKING, this::written, this::end));
  }

  private void written() {
    String text;
    synchronized (this) {
      text = next;
      next = null;
      writingSinceNanos = text == null ? 0 : Math.max(1, System.nanoTime());
    }
    if (text != null) {
      write(text);
    }
  }

  /** Ends it where its last write has taken too long. Any thread. */
  void dropIfSlow(long nowNanos, long patienceNanos) {
    boolean slow;
    synchronized (this) {
      slow = writingSinceNanos != 0 && nowNanos - writingSinceNanos > patienceNanos;
    }
    if (slow) {
      close();
    }
  }

  /** Ends it, whatever it does. Any thread. */
  void close() {
    connection.close();
    end(new ClosedChannelException());
  }

  private void end(Throwable cause) {
    if (over.compareAndSet(false, true)) {
      ended.run();
      end.failed(cause);
    }
  }
}
