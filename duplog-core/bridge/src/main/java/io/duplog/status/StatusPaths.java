package io.duplog.status;

import io.duplog.observe.Json;
import io.duplog.observe.LineFeed;
import io.duplog.observe.Metrics;
import io.duplog.status.page.Page;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers each HTTP request to the status page by its path. */
final class StatusPaths extends Handler.Abstract {
  private static final Logger log = LoggerFactory.getLogger(StatusPaths.class);

  /**
   * Values of {@code Sec-Fetch-Site} that are allowed: the page's own requests, typed addresses.
   */
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private static final String API = "/api/";

  private final StatusServer.Views views;
  private final HostCheck hosts;
  private final Connections connections;
  private final Listeners listeners;
  private final Watchers watchers;
  private final Page page = new Page();

  /** Permit to answer a question: one at a time, because an answer may be long. */
  private final Semaphore queryPermit = new Semaphore(1);

  StatusPaths(
      StatusServer.Views views,
      HostCheck hosts,
      Connections connections,
      Listeners listeners,
      Watchers watchers) {
    this.views = views;
    this.hosts = hosts;
    this.connections = connections;
    this.listeners = listeners;
    this.watchers = watchers;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    EndPoint connection = StatusConnector.connection(request);
    connections.asked(connection);
    // Otherwise a thread would serve one connection until its last request, and others would wait.
    response.getHeaders().put("Connection", "close");
    Callback end = Callback.from(() -> connections.answered(connection), callback);
    try {
      answer(new Exchange(request, response, end));
    } catch (RuntimeException e) {
      log.error("the status page failed at {}", request.getHttpURI().getPath(), e);
      end.failed(e);
    }
    return true;
  }

  /** Sends an error response to a request that is malformed or whose handling failed. */
  static boolean error(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    new Exchange(request, response, callback)
        .send(status, Exchange.TEXT, HttpStatus.getMessage(status) + "\n");
    return true;
  }

  private void answer(Exchange exchange) {
    Request request = exchange.request();
    String method = request.getMethod();
    List<String> named = request.getHeaders().getValuesList("Host");
    if (!hosts.accepts(named)) {
      exchange.send(
          421, Exchange.TEXT, "Ask for 127.0.0.1 or localhost: other names are refused.\n");
      return;
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      exchange.response().getHeaders().put("Allow", "GET, HEAD");
      exchange.send(405, Exchange.TEXT, "There is nothing to change here.\n");
      return;
    }
    String path = request.getHttpURI().getPath();
    // Both headers come from browsers only. Not all requests have an Origin, and not all browsers
    // send the other.
    List<String> origins = request.getHeaders().getValuesList("Origin");
    List<String> sites = request.getHeaders().getValuesList("Sec-Fetch-Site");
    if (HostCheck.isForeign(origins, request.isSecure() ? "https" : "http", named)
        || (path.startsWith(API) && !OWN_SITES.containsAll(sites))) {
      exchange.send(403, Exchange.TEXT, "Pages from elsewhere are refused.\n");
      return;
    }
    switch (path) {
      case "/metrics" -> exchange.send(200, Metrics.CONTENT_TYPE, views.metrics().get());
      case "/health/live" -> {
        boolean alive = views.alive().getAsBoolean();
        exchange.send(alive ? 200 : 503, Exchange.JSON, "{\"live\":" + alive + "}\n");
      }
      case "/health/ready" -> {
        State.Overall overall = views.health().overall();
        exchange.send(overall.ready() ? 200 : 503, Exchange.JSON, Json.render(overall) + "\n");
      }
      case "/api/state" -> exchange.send(200, Exchange.JSON, views.state().render());
      case "/api/events" -> listen(exchange);
      case "/api/tap" -> tap(exchange);
      default -> {
        Page.Resource file = page.find(path);
        Function<Map<String, String>, ?> query =
            path.startsWith(API) ? views.state().query(path.substring(API.length())) : null;
        if (query != null) {
          query(exchange, query);
        } else if (file == null) {
          exchange.send(404, Exchange.TEXT, "There is no such page.\n");
        } else {
          exchange.send(200, file.type(), file.body());
        }
      }
    }
  }

  private void listen(Exchange exchange) {
    if (exchange.request().getMethod().equals("HEAD")) {
      exchange.send(200, "text/event-stream", "");
    } else if (listeners.add(exchange, views.state().render())) {
      connections.left(StatusConnector.connection(exchange.request()));
    } else {
      exchange.response().getHeaders().put("Retry-After", "10");
      exchange.send(503, Exchange.TEXT, "Too many listen already; ask /api/state.\n");
    }
  }

  private void query(Exchange exchange, Function<Map<String, String>, ?> query) {
    if (!queryPermit.tryAcquire()) {
      exchange.send(503, Exchange.TEXT, "Another question is being answered; ask again.\n");
      return;
    }
    try {
      exchange.send(200, Exchange.JSON, Json.render(query.apply(words(exchange))));
    } catch (IllegalArgumentException | HttpException.IllegalStateException e) {
      exchange.send(400, Exchange.TEXT, e.getMessage() + "\n");
    } finally {
      queryPermit.release();
    }
  }

  /** Returns the parameters of a request. */
  private static Map<String, String> words(Exchange exchange) {
    Map<String, String> words = new TreeMap<>();
    Request.extractQueryParameters(exchange.request())
        .forEach(field -> words.put(field.getName(), field.getValue()));
    return words;
  }

  private void tap(Exchange exchange) {
    Function<Map<String, String>, LineFeed> tap = views.tap();
    if (tap == null) {
      exchange.send(403, Exchange.TEXT, "There is no tap: its key status.tap is not true.\n");
    } else if (exchange.request().getMethod().equals("HEAD")) {
      exchange.send(200, Exchange.JSON_LINES, "");
    } else {
      try {
        Map<String, String> words = words(exchange);
        if (watchers.add(exchange, () -> tap.apply(words))) {
          connections.left(StatusConnector.connection(exchange.request()));
        } else {
          exchange.send(503, Exchange.TEXT, "Too many taps are open already.\n");
        }
      } catch (IllegalArgumentException | HttpException.IllegalStateException e) {
        exchange.send(400, Exchange.TEXT, e.getMessage() + "\n");
      }
    }
  }
}
