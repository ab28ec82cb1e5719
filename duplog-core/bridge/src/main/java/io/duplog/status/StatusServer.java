package io.duplog.status;

import com.google.common.net.InetAddresses;
import io.duplog.observe.LineFeed;
import io.duplog.observe.PollingThread;
import io.duplog.status.page.Trends;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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
 * Serves a bridge's status page, state document, health, metrics and tap by HTTP. A few threads of
 * its own answer requests without waiting for slow readers, and no failure here stops the bridge.
 *
 * @see "docs/decisions/status.md#status-server"
 */
public final class StatusServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StatusServer.class);

  /** Number of threads: one accepts connections, one waits for requests, the others answer. */
  private static final int THREADS = 8;

  /** Threads reserved for requests that break off; otherwise Jetty would start one for each. */
  private static final int RESERVED_THREADS = 2;

  /**
   * Connections that may wait to be accepted while the machine is busy; the kernel has its own
   * limit.
   */
  private static final int BACKLOG = 1024;

  /** Room for connections that are accepted but not yet counted, or closed but not yet removed. */
  private static final int ON_THEIR_WAY = 32;

  /**
   * Number of open connections above which none is accepted until some are closed. This number is
   * little more than the number that may wait for a request. Each connection is therefore checked
   * several times before it is the oldest, and is answered if its request has come.
   */
  private static final int MOST_CONNECTIONS =
      Connections.MOST_WAITING
          + Connections.MOST_ANSWERED
          + Listeners.MOST
          + Watchers.MOST
          + ON_THEIR_WAY;

  private static final Duration TICK = Duration.ofMillis(200);
  private static final int TICKS_PER_EVENT = 5;

  /**
   * Sources of everything that the server shows.
   *
   * @param metrics in Prometheus' text format
   * @param alive false if the bridge no longer works and should be restarted
   * @param trends fed by the server's own thread, also while nobody watches
   * @param tap opens a feed of what is about to go to the sink, for the parameters of a query; null
   *     if the tap is off. It throws an {@link IllegalArgumentException} that says what is wrong
   *     with a parameter.
   */
  public record Views(
      StateDocument state,
      Health health,
      Supplier<String> metrics,
      BooleanSupplier alive,
      Trends trends,
      @Nullable Function<Map<String, String>, LineFeed> tap) {}

  private final Views views;
  private final String url;
  private final LongSupplier nanoClock;
  private final Connections connections;
  private final Listeners listeners = new Listeners();
  private final Watchers watchers = new Watchers();
  private final Server server;
  private final PollingThread ticker = new PollingThread("status-tick", TICK, this::tick);

  /** Number of calls of {@link #tick} so far; used only by the ticker's thread. */
  private int ticks;

  private StatusServer(
      Views views, LongSupplier nanoClock, @Nullable Tls tls, ServerSocketChannel socket)
      throws IOException {
    this.views = views;
    this.nanoClock = nanoClock;
    this.connections = new Connections(nanoClock);
    views.state().add("degraded", views.health()::degraded);
    views.state().addQuery("trends", views.trends()::answer);
    InetSocketAddress address = (InetSocketAddress) socket.getLocalAddress();
    String host = InetAddresses.toUriString(address.getAddress());
    this.url = (tls == null ? "http://" : "https://") + host + ":" + address.getPort();
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
  }

  /**
   * Opens the port and starts to answer.
   *
   * @throws StatusException if the port is in use, the address is not this machine's, or the files
   *     for TLS can't be used
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

  /** Binds a socket to the page's address. */
  interface Binding<S> {
    S bind(InetSocketAddress address) throws IOException;
  }

  static ServerSocketChannel bind(StatusConfig config) throws StatusException {
    return bind(config, address -> ServerSocketChannel.open().bind(address, BACKLOG));
  }

  static <S> S bind(StatusConfig config, Binding<S> binding) throws StatusException {
    InetSocketAddress address = config.address();
    try {
      if (address.isUnresolved()) {
        throw new IOException("unknown host");
      }
      return binding.bind(address);
    } catch (IOException e) {
      throw new StatusException(
          "status.listen %s can't be opened (%s): choose another address or port, or \"\" for no status page"
              .formatted(config.listen(), e.getMessage()),
          e);
    }
  }

  /** Returns the URL of the page, such as {@code http://127.0.0.1:8514}. */
  public String url() {
    return url;
  }

  private void tick() {
    views.trends().look(Instant.now());
    connections.closeSlow();
    listeners.dropSlow(nanoClock.getAsLong());
    if (ticks++ % TICKS_PER_EVENT == 0 && !listeners.isEmpty()) {
      listeners.offer(views.state().render());
    }
  }

  @Override
  public void close() {
    ticker.close();
    listeners.close();
    watchers.close();
    try {
      server.stop();
    } catch (Exception e) {
      log.debug("the status page failed to stop", e);
    }
  }
}
