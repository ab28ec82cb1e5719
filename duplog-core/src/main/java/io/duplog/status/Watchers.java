package io.duplog.status;

import com.google.common.base.Ascii;
import io.duplog.observe.LineFeed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who read a {@link LineFeed}, very few: each has a thread of its own. Any thread. */
final class Watchers {
  static final int MOST = 2;

  private static final long PATIENCE_SECONDS = 5;

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
    Watcher watcher = new Watcher(exchange, feed.get());
    watchers.add(watcher);
    watcher.setDaemon(true);
    watcher.start();
    return true;
  }

  void close() {
    watchers.forEach(Thread::interrupt);
  }

  /** Ends with its feed, or where its reader has gone, or takes nothing for a while. */
  private final class Watcher extends Thread {
    private final Exchange exchange;
    private final EndPoint connection;
    private final LineFeed feed;

    Watcher(Exchange exchange, LineFeed feed) {
      super("status-tap");
      this.exchange = exchange;
      this.connection = StatusConnector.connection(exchange.request());
      this.feed = feed;
    }

    @Override
    public void run() {
      String who = Request.getRemoteAddr(exchange.request());
      String query = exchange.request().getHttpURI().getPathQuery();
      log.info("tap: {} reads messages: {}", who, Ascii.truncate(query, LOGGED, "..."));
      exchange.begin(200, Exchange.JSON_LINES);
      try (feed) {
        for (String lines = feed.next(); lines != null; lines = feed.next()) {
          write(false, lines.isEmpty() ? "\n" : lines);
        }
        write(true, "");
        exchange.end().succeeded();
      } catch (InterruptedException | ExecutionException | TimeoutException | RuntimeException e) {
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
      CompletableFuture<Void> written = new CompletableFuture<>();
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      exchange.response().write(last, bytes, Callback.from(written, InvocationType.NON_BLOCKING));
      written.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
