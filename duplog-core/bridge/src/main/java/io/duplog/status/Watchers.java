package io.duplog.status;

import com.google.common.base.Ascii;
import io.duplog.observe.LineFeed;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the lines of a tap to the HTTP clients that watch it. There are at most {@link #MOST},
 * because each has a thread of its own. May be used from any thread.
 */
final class Watchers {
  static final int MOST = 2;

  /** Seconds that writing one piece to a client may take before the connection is closed. */
  private static final long PATIENCE_SECONDS = 5;

  private static final int PIECE_BYTES = 16 << 10;

  /** Number of characters of the query that are logged. */
  private static final int LOGGED = 200;

  private static final Logger log = LoggerFactory.getLogger(Watchers.class);

  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();

  /**
   * Takes over an exchange.
   *
   * @param feed opens the feed; what it throws, the caller gets
   * @return false if there are too many watchers already; then the exchange stays the caller's
   */
  synchronized boolean add(Exchange exchange, Supplier<LineFeed> feed) {
    if (watchers.size() >= MOST) {
      return false;
    }
    Watcher watcher = new Watcher(exchange, feed);
    watchers.add(watcher);
    try {
      watcher.start();
    } catch (Error e) { // no further thread can be started
      watchers.remove(watcher);
      watcher.feed.close();
      throw e;
    }
    return true;
  }

  void close() {
    watchers.forEach(Thread::interrupt);
  }

  /**
   * Copies a feed to one client. The thread ends with the feed, when the client has disconnected,
   * or when the client has read nothing for {@link #PATIENCE_SECONDS}.
   */
  private final class Watcher extends Thread {
    private final Exchange exchange;
    private final EndPoint connection;
    private final String who;
    private final LineFeed feed;

    Watcher(Exchange exchange, Supplier<LineFeed> feed) {
      super("status-tap");
      setDaemon(true);
      this.exchange = exchange;
      this.connection = StatusConnector.connection(exchange.request());
      this.who = StatusConnector.asker(exchange.request());
      this.feed = feed.get();
    }

    @Override
    public void run() {
      try (feed) {
        String query = exchange.request().getHttpURI().getPathQuery();
        log.info("tap: {} reads messages: {}", who, Ascii.truncate(query, LOGGED, "..."));
        exchange.begin(200, Exchange.JSON_LINES);
        if (connection.getTransport() instanceof SocketChannel socket) {
          // By default the buffer has megabytes; a full one takes more only after a third was read.
          socket.setOption(StandardSocketOptions.SO_SNDBUF, PIECE_BYTES);
        }
        for (String lines = feed.next(); lines != null; lines = feed.next()) {
          write(false, lines.isEmpty() ? "\n" : lines);
        }
        write(true, "");
        exchange.end().succeeded();
      } catch (Exception | Error e) {
        log.debug("tap: {} was cut off", who, e);
        connection.close();
        exchange.end().failed(e);
      } finally {
        watchers.remove(this);
        log.info("tap: {} has stopped reading", who);
      }
    }

    private void write(boolean last, String text)
        throws InterruptedException, ExecutionException, TimeoutException {
      ByteBuffer rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      do {
        ByteBuffer piece = rest.slice(rest.position(), Math.min(PIECE_BYTES, rest.remaining()));
        rest.position(rest.position() + piece.remaining());
        CompletableFuture<Void> written = new CompletableFuture<>();
        exchange.response().write(last, piece, Callback.from(written, InvocationType.NON_BLOCKING));
        written.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } while (rest.hasRemaining());
    }
  }
}
