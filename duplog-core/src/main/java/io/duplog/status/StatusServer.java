package io.duplog.status;

import io.duplog.observe.LineFeed;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers who asks for the page, the state, the health and the metrics. A few threads of its own
 * answer, and wait for no reader; and whatever happens here, the bridge goes on.
 */
public final class StatusServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StatusServer.class);

  /** One accepts, one waits for what connections send, the others answer. */
  private static final int THREADS = 8;

  /** Of these, for requests that break off; Jetty starts a thread for each where none is ready. */
  private static final int RESERVED_THREADS = 2;

  /** As many may come at once while the machine is busy; the kernel has a limit of its own. */
  private static final int BACKLOG = 1024;

  /** Accepted and not yet known, or closed and not yet forgotten. */
  private static final int ON_THEIR_WAY = 32;

  /**
   * No more are accepted before some are closed. Not many more than wait at most: each is looked at
   * several times before it is the oldest, and so is answered if its request is there.
   */
  private static final int MOST_CONNECTIONS =
      Connections.MOST_WAITING
          + Connections.MOST_ANSWERED
          + Listeners.MOST
          + Watchers.MOST
          + ON_THEIR_WAY;

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int TICKS_PER_EVENT = 5;

  /**
   * What the server shows.
   *
   * @param metrics in Prometheus' text format
   * @param metricsType its content type
   * @param alive whether the bridge works at all, or had better be started again
   * @param tap what is about to go to the sink, by what is asked for; null where that is not to be
   *     shown. It throws an {@link IllegalArgumentException} that says what is wrong with that
   */
  public record Views(
      StateDocument state,
      Health health,
      Supplier<String> metrics,
      String metricsType,
      BooleanSupplier alive,
      @Nullable Function<Map<String, String>, LineFeed> tap) {}

  private final Views views;
  private final String url;
  private final LongSupplier nanoClock;
  private final Connections connections;
  private final Listeners listeners = new Listeners();
  private final Watchers watchers = new Watchers();
  private final DegradedPeriods periods;
  private final Server server;
  private final Thread ticker = new Thread(this::tick, "status-tick");

  private volatile boolean closed;

  private StatusServer(
      Views views, LongSupplier nanoClock, @Nullable Tls tls, ServerSocketChannel socket)
      throws IOException {
    this.views = views;
    this.nanoClock = nanoClock;
    this.connections = new Connections(nanoClock);
    this.periods = new DegradedPeriods(views.health());
    views.state().add("degraded", periods::json);
    InetSocketAddress address = (InetSocketAddress) socket.getLocalAddress();
    String host = address.getAddress().getHostAddress();
    this.url =
        (tls == null ? "http://" : "https://")
            + (host.contains(":") ? "[" + host + "]" : host)
            + ":"
            + address.getPort();
    QueuedThreadPool threads = new QueuedThreadPool(THREADS, THREADS);
    threads.setName("status");
    threads.setDaemon(true);
    threads.setReservedThreads(RESERVED_THREADS);
    this.server = new Server(threads, new ScheduledExecutorScheduler("status-timer", true), null);
    StatusConnector connector = new StatusConnector(server, connections, tls);
    connector.open(socket);
    server.addConnector(connector);
    server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
    server.setHandler(
        new StatusPaths(views, new HostCheck(address), connections, listeners, watchers));
    server.setErrorHandler(StatusPaths::error);
    ticker.setDaemon(true);
  }

  /**
   * Starts to listen.
   *
   * @throws StatusException where the port is in use, or the address is not this machine's, or the
   *     files for TLS can't be used
   */
  public static StatusServer open(StatusConfig config, Views views) throws StatusException {
    return open(config, views, System::nanoTime);
  }

  static StatusServer open(StatusConfig config, Views views, LongSupplier nanoClock)
      throws StatusException {
    Tls tls = tls(config);
    ServerSocketChannel socket = bind(config);
    StatusServer status;
    try {
      status = new StatusServer(views, nanoClock, tls, socket);
      status.server.start();
    } catch (Exception e) {
      throw new StatusException("the status page can't be served: " + e.getMessage(), e);
    }
    status.ticker.start();
    log.info("status page, metrics and health at {}", status.url());
    return status;
  }

  static @Nullable Tls tls(StatusConfig config) throws StatusException {
    if (config.tls() == null) {
      return null;
    }
    Tls tls = Tls.ofServer("status page " + config.listen(), config.tls());
    try {
      tls.context();
      return tls;
    } catch (IOException e) {
      throw new StatusException("status.tls can't be used: " + e.getMessage(), e);
    }
  }

  static ServerSocketChannel bind(StatusConfig config) throws StatusException {
    InetSocketAddress address = config.address();
    try {
      if (address.isUnresolved()) {
        throw new IOException("unknown host");
      }
      return ServerSocketChannel.open().bind(address, BACKLOG);
    } catch (IOException e) {
      throw new StatusException(
          "status.listen %s can't be opened (%s): choose another address or port, or \"\" for no status page"
              .formatted(config.listen(), e.getMessage()),
          e);
    }
  }

  /** Where it listens: {@code http://127.0.0.1:8514}. */
  public String url() {
    return url;
  }

  private void tick() {
    for (int tick = 0; !closed; tick++) {
      try {
        periods.look(Instant.now());
        connections.closeSlow();
        listeners.dropSlow(nanoClock.getAsLong());
        if (tick % TICKS_PER_EVENT == 0 && !listeners.isEmpty()) {
          listeners.offer(views.state().render());
        }
      } catch (RuntimeException e) {
        log.debug("the status page failed to look", e);
      }
      LockSupport.parkNanos(this, TICK_NANOS);
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(ticker);
    listeners.close();
    watchers.close();
    try {
      server.stop();
    } catch (Exception e) {
      log.debug("the status page failed to stop", e);
    }
  }
}
