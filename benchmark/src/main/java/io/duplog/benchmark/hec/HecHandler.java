package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.duplog.collector.Collector;
import io.duplog.collector.HecFault;
import io.duplog.collector.HecReply;
import io.duplog.collector.HecRequest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Answers HTTP requests as Splunk's collector would, or with the faults that are active at the
 * moment. Thread-safe. A request that hangs blocks its thread.
 */
record HecHandler(Collector collector, ActiveFaults faults) implements HttpHandler {
  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      HecRequest.Target target = HecRequest.target(exchange.getRequestURI());
      List<HecFault> faultsOfRequest =
          target == null ? List.of() : faults.of(target, isTokenTest(exchange));
      if (isLost(faultsOfRequest)) {
        return;
      }
      HecRequest request = read(exchange);
      List<HecFault> effectiveFaults =
          faultsOfRequest.stream().flatMap(fault -> effects(fault, request)).toList();
      if (!isLost(effectiveFaults)) {
        sendAnswer(exchange, collector.answer(request, effectiveFaults), effectiveFaults);
      }
    }
  }

  /**
   * Whether the request has an empty body. A client tests its token with such a request, which does
   * not count for faults.
   */
  private static boolean isTokenTest(HttpExchange exchange) {
    return "0".equals(exchange.getRequestHeaders().getFirst("Content-Length"));
  }

  /** Reads the whole request. A client easily misses an answer while it is still sending. */
  private static HecRequest read(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
    return new HecRequest(
        exchange.getRequestMethod(),
        exchange.getRequestURI(),
        headers,
        exchange.getRequestBody().readAllBytes());
  }

  /**
   * Returns the effect of a poison fault on a request, if it has one, or any other fault itself.
   */
  private static Stream<HecFault> effects(HecFault fault, HecRequest request) {
    if (!(fault instanceof HecFault.Poison poison)) {
      return Stream.of(fault);
    }
    boolean hasEvents = HecRequest.target(request.uri()) == HecRequest.Target.EVENTS;
    return Stream.ofNullable(poison.with(hasEvents ? request.texts() : List.of()));
  }

  /**
   * Whether a fault ends the request before it is read. Returns only after the request has hung.
   */
  private boolean isLost(List<HecFault> faultsOfRequest) {
    HecFault.Hang hang = HecFault.first(faultsOfRequest, HecFault.Hang.class);
    if (hang != null && !hang.taken()) {
      faults.hang(ActiveFaults.FOREVER);
      return true;
    }
    HecFault.Cut cut = HecFault.first(faultsOfRequest, HecFault.Cut.class);
    return cut != null && cut.point() == HecFault.Cut.Point.REQUEST;
  }

  /** Sends the answer, which a fault may delay, cut short or suppress. */
  private void sendAnswer(HttpExchange exchange, HecReply reply, List<HecFault> faultsOfRequest)
      throws IOException {
    HecFault.Slow slow = HecFault.first(faultsOfRequest, HecFault.Slow.class);
    if (slow != null) {
      faults.hang(slow.by());
    }
    if (HecFault.first(faultsOfRequest, HecFault.Hang.class) != null) {
      faults.hang(ActiveFaults.FOREVER);
      return;
    }
    HecFault.Cut cut = HecFault.first(faultsOfRequest, HecFault.Cut.class);
    if (cut != null && cut.point() == HecFault.Cut.Point.BEFORE_ANSWER) {
      return;
    }
    byte[] body = reply.body().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", reply.contentType());
    if (reply.retryAfter() != null) {
      String seconds = Long.toString(reply.retryAfter().toSeconds());
      exchange.getResponseHeaders().set("Retry-After", seconds);
    }
    exchange.sendResponseHeaders(reply.status(), body.length);
    exchange.getResponseBody().write(body, 0, cut == null ? body.length : body.length / 2);
    exchange.getResponseBody().flush();
  }
}
