package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Handles every HTTP request to the stand-in: applies the faults that concern it, and answers the
 * rest. Thread-safe; a request that hangs blocks its thread.
 */
record HecHandler(Collector collector, ActiveFaults faults) implements HttpHandler {
  private static final String ROOT = "/services/collector";
  private static final HecReply NOT_FOUND =
      HecReply.json(
          404, "{\"text\":\"The requested URL was not found on this server.\",\"code\":404}");
  private static final HecReply WRONG_METHOD =
      HecReply.json(405, "{\"text\":\"Method Not Allowed\",\"code\":405}");

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      ActiveFaults.Target target = target(exchange);
      if (target == null) {
        end(exchange, NOT_FOUND, List.of());
        return;
      }
      List<HecFault> wrong = faults.of(target, isTrial(exchange));
      if (wrong.stream().anyMatch(HecFault.Poison.class::isInstance)) {
        wrong = withPoison(exchange, target, wrong);
      }
      if (!isLost(wrong)) {
        end(exchange, reply(exchange, target, wrong), wrong);
      }
    }
  }

  /**
   * Whether the request has an empty body, by which a client tests its token. Such a request does
   * not count for faults.
   */
  private static boolean isTrial(HttpExchange exchange) {
    return "0".equals(exchange.getRequestHeaders().getFirst("Content-Length"));
  }

  /**
   * Replaces each poison fault by its effect on this request, or by nothing. Reads the body for
   * that, and puts it back.
   */
  private List<HecFault> withPoison(
      HttpExchange exchange, ActiveFaults.Target target, List<HecFault> wrong) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    exchange.setStreams(new ByteArrayInputStream(body), null);
    List<String> events =
        target == ActiveFaults.Target.EVENTS
            ? EventParser.parse(body).good().stream().map(HecEvent::event).toList()
            : List.of();
    return wrong.stream()
        .flatMap(
            fault ->
                fault instanceof HecFault.Poison poison
                    ? Stream.ofNullable(poison.with(events))
                    : Stream.of(fault))
        .toList();
  }

  /**
   * Whether a fault ends the request before it is read; returns only after the request has hung.
   */
  private boolean isLost(List<HecFault> wrong) {
    HecFault.Hang hang = HecFault.first(wrong, HecFault.Hang.class);
    if (hang != null && !hang.taken()) {
      faults.hang(ActiveFaults.FOREVER);
      return true;
    }
    HecFault.Cut cut = HecFault.first(wrong, HecFault.Cut.class);
    return cut != null && cut.point() == HecFault.Cut.Point.REQUEST;
  }

  /** Sends the answer, which a fault may delay, cut short or suppress. */
  private void end(HttpExchange exchange, HecReply reply, List<HecFault> wrong) throws IOException {
    HecFault.Slow slow = HecFault.first(wrong, HecFault.Slow.class);
    if (slow != null) {
      faults.hang(slow.by());
    }
    if (HecFault.first(wrong, HecFault.Hang.class) != null) {
      faults.hang(ActiveFaults.FOREVER);
      return;
    }
    HecFault.Cut cut = HecFault.first(wrong, HecFault.Cut.class);
    if (cut != null && cut.point() == HecFault.Cut.Point.BEFORE_ANSWER) {
      return;
    }
    byte[] body = reply.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", reply.contentType());
    exchange.sendResponseHeaders(reply.status(), body.length);
    exchange.getResponseBody().write(body, 0, cut == null ? body.length : body.length / 2);
    exchange.getResponseBody().flush();
  }

  private HecReply reply(HttpExchange exchange, ActiveFaults.Target target, List<HecFault> wrong)
      throws IOException {
    HecFault.Answer answer = HecFault.first(wrong, HecFault.Answer.class);
    if (answer != null) {
      exchange.getRequestBody().readAllBytes();
      if (answer.retryAfter() != null) {
        String seconds = Long.toString(answer.retryAfter().toSeconds());
        exchange.getResponseHeaders().set("Retry-After", seconds);
      }
      HecCode code = answer.code();
      return code == null
          ? HecReply.plain(answer.status(), "Status " + answer.status())
          : HecReply.of(answer.status(), code, "");
    }
    boolean reading = target == ActiveFaults.Target.HEALTH;
    if (!exchange.getRequestMethod().equals(reading ? "GET" : "POST")) {
      exchange.getRequestBody().readAllBytes();
      return WRONG_METHOD;
    }
    return switch (target) {
      case HEALTH -> HecReply.of(HecCode.HEALTHY);
      case ACKS -> collector.acknowledged(exchange);
      case EVENTS -> collector.take(exchange, isRaw(exchange), wrong);
    };
  }

  private static ActiveFaults.@Nullable Target target(HttpExchange exchange) {
    return switch (exchange.getRequestURI().getPath()) {
      case ROOT, ROOT + "/event", ROOT + "/event/1.0", ROOT + "/raw", ROOT + "/raw/1.0" ->
          ActiveFaults.Target.EVENTS;
      case ROOT + "/ack", ROOT + "/ack/1.0" -> ActiveFaults.Target.ACKS;
      case ROOT + "/health", ROOT + "/health/1.0" -> ActiveFaults.Target.HEALTH;
      default -> null;
    };
  }

  private static boolean isRaw(HttpExchange exchange) {
    return exchange.getRequestURI().getPath().startsWith(ROOT + "/raw");
  }
}
