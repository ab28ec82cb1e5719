package io.duplog.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is answered under which path. A reader, however slow, holds up no thread. */
final class StatusPaths extends Handler.Abstract {
  private static final Logger log = LoggerFactory.getLogger(StatusPaths.class);

  private final StatusServer.Views views;
  private final HostCheck hosts;
  private final Connections connections;
  private final Listeners listeners;
  private final Page page = new Page();

  StatusPaths(
      StatusServer.Views views, HostCheck hosts, Connections connections, Listeners listeners) {
    this.views = views;
    this.hosts = hosts;
    this.connections = connections;
    this.listeners = listeners;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws IOException {
    EndPoint connection = StatusConnector.connection(request);
    connections.asked(connection);
    // A thread answers what one connection asks until it asks no more: others would wait.
    response.getHeaders().put("Connection", "close");
    Callback end = Callback.from(() -> connections.answered(connection), callback);
    try {
      answer(request, response, end);
    } catch (RuntimeException e) {
      log.error("the status page failed at {}", request.getHttpURI().getPath(), e);
      end.failed(e);
    }
    return true;
  }

  /** Requests that make no sense, and failures. */
  static boolean error(Request request, Response response, Callback callback) {
    String words = HttpStatus.getMessage(response.getStatus());
    HttpAnswers.send(
        request, response, callback, response.getStatus(), HttpAnswers.TEXT, words + "\n");
    return true;
  }

  private void answer(Request request, Response response, Callback end) throws IOException {
    String method = request.getMethod();
    if (!hosts.accepts(request.getHeaders().get("Host"))) {
      String words = "Ask for 127.0.0.1 or localhost: other names are refused.\n";
      HttpAnswers.send(request, response, end, 421, HttpAnswers.TEXT, words);
      return;
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      response.getHeaders().put("Allow", "GET, HEAD");
      HttpAnswers.send(
          request, response, end, 405, HttpAnswers.TEXT, "There is nothing to change here.\n");
      return;
    }
    String path = request.getHttpURI().getPath();
    switch (path) {
      case "/metrics" ->
          HttpAnswers.send(request, response, end, 200, views.metricsType(), views.metrics().get());
      case "/health/live" -> {
        boolean alive = views.alive().getAsBoolean();
        String body = "{\"live\":" + alive + "}\n";
        HttpAnswers.send(request, response, end, alive ? 200 : 503, HttpAnswers.JSON, body);
      }
      case "/health/ready" -> {
        List<Health.Part> parts = views.health().parts();
        boolean ready = Health.worst(parts) != Health.State.NOT_READY;
        HttpAnswers.send(
            request, response, end, ready ? 200 : 503, HttpAnswers.JSON, json(parts) + "\n");
      }
      case "/api/state" ->
          HttpAnswers.send(request, response, end, 200, HttpAnswers.JSON, views.state().render());
      case "/api/events" -> listen(request, response, end);
      default -> {
        Page.Resource file = page.find(path);
        if (file == null) {
          HttpAnswers.send(
              request, response, end, 404, HttpAnswers.TEXT, "There is no such page.\n");
        } else {
          HttpAnswers.send(request, response, end, 200, file.type(), file.body());
        }
      }
    }
  }

  private void listen(Request request, Response response, Callback end) {
    EndPoint connection = StatusConnector.connection(request);
    if (request.getMethod().equals("HEAD")) {
      HttpAnswers.send(request, response, end, 200, "text/event-stream", "");
    } else if (listeners.add(connection, response, end, views.state().render())) {
      connections.left(connection);
    } else {
      response.getHeaders().put("Retry-After", "10");
      String words = "Too many listen already; ask /api/state.\n";
      HttpAnswers.send(request, response, end, 503, HttpAnswers.TEXT, words);
    }
  }

  private static String json(List<Health.Part> parts) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      Health.write(parts, json);
    }
    return text.toString();
  }
}
