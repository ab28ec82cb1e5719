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

/** Those who read a {@link LineFeed}, very few: each has a thread of its own. Any thread. */
final class Watchers {
  static final int MOST = 2;

  /** For a piece: the way to a reader may be slow, and what a second shows is a megabyte. */
  private static final long PATIENCE_SECONDS = 5;

  private static final int PIECE_BYTES = 16 << 10;

  /** Of what was asked for. */
  private static final int LOGGED = 200;

  private static final Logger log = LoggerFactory.getLogger(Watchers.class);

  private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();

  /**
   * Takes over an exchange.
   *
   * @param feed opens what is to be read, and throws what the caller gets
   * @return false where there are too many already; the exchange is then the caller's still
   */
  synchronized boolean add(Exchange exchange, Supplier<LineFeed> feed) {
    if (watchers.size() >= MOST) {
      return false;
    }
    Watcher watcher = new Watcher(exchange, feed);
    watchers.add(watcher);
    try {
      watcher.start();
    } catch (Error e) { // there are no more threads
      watchers.remove(watcher);
      watcher.feed.close();
      throw e;
    }
    return true;
  }

  void close() {
    watchers.forEach(Thread::interrupt);
  }

  /** Ends with its feed, or where its reader has gone, or takes nothing for a while. */
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
          // A full buffer, megabytes else, takes more only when a third of it has been read.
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
        log.info("tap: {} reads no more", who);
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
