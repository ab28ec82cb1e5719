package io.duplog.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.duplog.tls.Tls;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers who asks for the page, the state, the health and the metrics. A few threads of its own
 * answer; one that a slow reader holds up is freed after a while; and whatever happens here, the
 * bridge goes on.
 */
public final class StatusServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StatusServer.class);
  private static final int THREADS = 4;
  private static final int BACKLOG = 16;
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int TICKS_PER_EVENT = 5;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  static {
    // Who sends half a request must not hold a thread for ever; read by the JDK's server, once.
    System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", "10");
    System.getProperties().putIfAbsent("jdk.httpserver.maxConnections", "64");
  }

  /**
   * What the server shows.
   *
   * @param metrics in Prometheus' text format
   * @param metricsType its content type
   * @param alive whether the bridge works at all, or had better be started again
   */
  public record Views(
      StateDocument state,
      Health health,
      Supplier<String> metrics,
      String metricsType,
      BooleanSupplier alive) {}

  private final Views views;
  private final HttpServer server;
  private final HostCheck hosts;
  private final Page page = new Page();
  private final Listeners listeners = new Listeners();
  private final DegradedPeriods periods;
  private final ExecutorService executor;
  private final Thread ticker = new Thread(this::tick, "status-tick");

  /** The threads that answer, and since when they do. */
  private final Map<Thread, Long> answering = new ConcurrentHashMap<>();

  private volatile boolean closed;

  private StatusServer(Views views, HttpServer server) {
    this.views = views;
    this.server = server;
    this.hosts = new HostCheck(server.getAddress());
    this.periods = new DegradedPeriods(views.health());
    views.state().add(periods);
    this.executor =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "status");
              thread.setDaemon(true);
              return thread;
            });
    server.setExecutor(executor);
    server.createContext("/", this::handle);
    ticker.setDaemon(true);
  }

  /**
   * Starts to listen.
   *
   * @throws StatusException where the port is in use, or the address is not this machine's, or the
   *     files for TLS can't be used
   */
  public static StatusServer open(StatusConfig config, Views views) throws StatusException {
    Tls tls = tls(config);
    HttpServer server;
    try {
      InetSocketAddress address = config.address();
      if (address.isUnresolved()) {
        throw new IOException("unknown host");
      }
      server = tls == null ? HttpServer.create(address, BACKLOG) : encrypted(address, tls);
    } catch (IOException e) {
      throw new StatusException(
          "status.listen %s can't be opened (%s): choose another address or port, or \"\" for no status page"
              .formatted(config.listen(), e.getMessage()),
          e);
    }
    StatusServer status = new StatusServer(views, server);
    server.start();
    status.ticker.start();
    log.info("status page, metrics and health at {}", status.url());
    return status;
  }

  private static @Nullable Tls tls(StatusConfig config) throws StatusException {
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

  private static HttpServer encrypted(InetSocketAddress address, Tls tls) throws IOException {
    HttpsServer server = HttpsServer.create(address, BACKLOG);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls.context()) {
          @Override
          public void configure(HttpsParameters parameters) {
            parameters.setSSLParameters(tls.parameters());
          }
        });
    return server;
  }

  /** Where it listens: {@code http://127.0.0.1:8514}. */
  public String url() {
    InetSocketAddress address = server.getAddress();
    String host = address.getAddress().getHostAddress();
    String scheme = server instanceof HttpsServer ? "https://" : "http://";
    return scheme + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private void handle(HttpExchange exchange) {
    answering.put(Thread.currentThread(), System.nanoTime());
    boolean handedOver = false;
    try {
      handedOver = answer(exchange);
    } catch (IOException e) {
      log.debug("a reader of the status page has gone", e);
    } catch (RuntimeException e) {
      log.error("the status page failed at {}", exchange.getRequestURI().getPath(), e);
    } finally {
      if (!handedOver) {
        exchange.close();
      }
      answering.remove(Thread.currentThread());
      Thread.interrupted();
    }
  }

  /**
   * @return whether a listener has the exchange from now on
   */
  private boolean answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    if (!hosts.accepts(exchange.getRequestHeaders().getFirst("Host"))) {
      Answers.send(
          exchange,
          421,
          Answers.TEXT,
          "Ask for 127.0.0.1 or localhost: other names are refused.\n");
      return false;
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      Answers.send(exchange, 405, Answers.TEXT, "There is nothing to change here.\n");
      return false;
    }
    String path = exchange.getRequestURI().getPath();
    switch (path) {
      case "/metrics" -> Answers.send(exchange, 200, views.metricsType(), views.metrics().get());
      case "/health/live" -> {
        boolean alive = views.alive().getAsBoolean();
        Answers.send(exchange, alive ? 200 : 503, Answers.JSON, "{\"live\":" + alive + "}\n");
      }
      case "/health/ready" -> {
        List<Health.Part> parts = views.health().parts();
        boolean ready = Health.worst(parts) != Health.State.NOT_READY;
        Answers.send(exchange, ready ? 200 : 503, Answers.JSON, json(parts) + "\n");
      }
      case "/api/state" -> Answers.send(exchange, 200, Answers.JSON, views.state().render());
      case "/api/events" -> {
        return listen(exchange, method);
      }
      default -> {
        Page.Resource file = page.find(path);
        if (file == null) {
          Answers.send(exchange, 404, Answers.TEXT, "There is no such page.\n");
        } else {
          Answers.send(exchange, 200, file.type(), file.body());
        }
      }
    }
    return false;
  }

  private boolean listen(HttpExchange exchange, String method) throws IOException {
    if (method.equals("HEAD")) {
      Answers.send(exchange, 200, "text/event-stream", "");
      return false;
    }
    if (listeners.add(exchange, views.state().render())) {
      return true;
    }
    exchange.getResponseHeaders().set("Retry-After", "10");
    Answers.send(exchange, 503, Answers.TEXT, "Too many listen already; ask /api/state.\n");
    return false;
  }

  private static String json(List<Health.Part> parts) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      Health.write(parts, json);
    }
    return text.toString();
  }

  private void tick() {
    for (int tick = 0; !closed; tick++) {
      try {
        periods.look(Instant.now());
        long now = System.nanoTime();
        listeners.dropSlow(now);
        answering.forEach(
            (thread, since) -> {
              if (now - since > PATIENCE_NANOS) {
                thread.interrupt();
              }
            });
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
    server.stop(0);
    executor.shutdownNow();
  }
}
