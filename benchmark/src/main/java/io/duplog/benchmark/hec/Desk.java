package io.duplog.benchmark.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where every request arrives: finds what it asks for, and lets go wrong with it what is to go
 * wrong. Any thread; a request that hangs keeps its own.
 */
final class Desk implements HttpHandler {
  private static final String ROOT = "/services/collector";
  private static final Reply NOT_FOUND =
      Reply.json(
          404, "{\"text\":\"The requested URL was not found on this server.\",\"code\":404}");
  private static final Reply WRONG_METHOD =
      Reply.json(405, "{\"text\":\"Method Not Allowed\",\"code\":405}");

  private final Collector collector;
  private final List<Indexer> indexers;
  private final HecSettings.Balance balance;
  private final Faults faults;

  private final EventParser parser = new EventParser();
  private final AtomicInteger turn = new AtomicInteger();
  private final Map<String, Integer> connections = new ConcurrentHashMap<>();

  Desk(Collector collector, List<Indexer> indexers, HecSettings.Balance balance, Faults faults) {
    this.collector = collector;
    this.indexers = indexers;
    this.balance = balance;
    this.faults = faults;
  }

  /** How a request ends. */
  private enum End {
    ANSWER,
    CUT_BEFORE_ANSWER,
    CUT_IN_ANSWER,
    HANG
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Faults.Target target = target(exchange);
      if (target == null) {
        answer(exchange, NOT_FOUND);
        return;
      }
      List<Fault> wrong = faults.of(target, isTrial(exchange));
      if (wrong.stream().anyMatch(Fault.Poison.class::isInstance)) {
        wrong = withPoison(exchange, target, wrong);
      }
      if (!isLost(wrong)) {
        Reply reply = reply(exchange, target, wrong);
        wait(wrong);
        end(exchange, reply, end(wrong));
      }
    }
  }

  /** A request without a body is no turn: clients try their token with one. */
  private static boolean isTrial(HttpExchange exchange) {
    return "0".equals(exchange.getRequestHeaders().getFirst("Content-Length"));
  }

  /** Reads the body, which can be read once more. */
  private List<Fault> withPoison(HttpExchange exchange, Faults.Target target, List<Fault> wrong)
      throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    exchange.setStreams(new ByteArrayInputStream(body), null);
    List<String> events =
        target == Faults.Target.EVENTS
            ? parser.parse(body).good().stream().map(HecEvent::event).toList()
            : List.of();
    List<Fault> all = new ArrayList<>();
    for (Fault fault : wrong) {
      Fault now = fault instanceof Fault.Poison poison ? poison.with(events) : fault;
      if (now != null) {
        all.add(now);
      }
    }
    return all;
  }

  /** Whether a fault takes the request before it is read. */
  private boolean isLost(List<Fault> wrong) {
    for (Fault fault : wrong) {
      if (fault instanceof Fault.Hang hang && !hang.taken()) {
        faults.hang();
        return true;
      }
      if (fault instanceof Fault.Cut cut && cut.point() == Fault.Cut.Point.REQUEST) {
        return true;
      }
    }
    return false;
  }

  private void wait(List<Fault> wrong) {
    for (Fault fault : wrong) {
      if (fault instanceof Fault.Slow slow) {
        faults.hang(slow.by());
      }
    }
  }

  private static End end(List<Fault> wrong) {
    End end = End.ANSWER;
    for (Fault fault : wrong) {
      if (fault instanceof Fault.Hang) {
        return End.HANG;
      }
      if (fault instanceof Fault.Cut cut) {
        end = cut.point() == Fault.Cut.Point.ANSWER ? End.CUT_IN_ANSWER : End.CUT_BEFORE_ANSWER;
      }
    }
    return end;
  }

  private void end(HttpExchange exchange, Reply reply, End end) throws IOException {
    switch (end) {
      case ANSWER -> answer(exchange, reply);
      case CUT_IN_ANSWER -> {
        byte[] body = reply.body().getBytes(UTF_8);
        head(exchange, reply, body.length);
        exchange.getResponseBody().write(body, 0, body.length / 2);
        exchange.getResponseBody().flush();
      }
      case HANG -> faults.hang();
      case CUT_BEFORE_ANSWER -> {}
    }
  }

  private Reply reply(HttpExchange exchange, Faults.Target target, List<Fault> wrong)
      throws IOException {
    for (Fault fault : wrong) {
      if (fault instanceof Fault.Answer answer) {
        exchange.getRequestBody().readAllBytes();
        return reply(answer);
      }
    }
    boolean reading = target == Faults.Target.HEALTH;
    if (!exchange.getRequestMethod().equals(reading ? "GET" : "POST")) {
      exchange.getRequestBody().readAllBytes();
      return WRONG_METHOD;
    }
    return switch (target) {
      case HEALTH -> Reply.of(HecCode.HEALTHY);
      case ACKS -> collector.acknowledged(exchange, indexer(exchange));
      case EVENTS -> collector.take(exchange, indexer(exchange), isRaw(exchange), wrong);
    };
  }

  private static Reply reply(Fault.Answer answer) {
    HecCode code = answer.code();
    Reply reply =
        code == null
            ? Reply.plain(answer.status(), "Status " + answer.status())
            : Reply.of(answer.status(), code);
    return answer.retryAfter() == null
        ? reply
        : reply.with("Retry-After", Long.toString(answer.retryAfter().toSeconds()));
  }

  private static Faults.@Nullable Target target(HttpExchange exchange) {
    return switch (exchange.getRequestURI().getPath()) {
      case ROOT, ROOT + "/event", ROOT + "/event/1.0", ROOT + "/raw", ROOT + "/raw/1.0" ->
          Faults.Target.EVENTS;
      case ROOT + "/ack", ROOT + "/ack/1.0" -> Faults.Target.ACKS;
      case ROOT + "/health", ROOT + "/health/1.0" -> Faults.Target.HEALTH;
      default -> null;
    };
  }

  private static boolean isRaw(HttpExchange exchange) {
    return exchange.getRequestURI().getPath().startsWith(ROOT + "/raw");
  }

  private Indexer indexer(HttpExchange exchange) {
    int number =
        switch (balance) {
          case PER_REQUEST -> turn.getAndIncrement();
          case PER_CONNECTION ->
              connections.computeIfAbsent(
                  exchange.getRemoteAddress().toString(), any -> turn.getAndIncrement());
        };
    return indexers.get(number % indexers.size());
  }

  private static void answer(HttpExchange exchange, Reply reply) throws IOException {
    byte[] body = reply.body().getBytes(UTF_8);
    head(exchange, reply, body.length);
    exchange.getResponseBody().write(body);
  }

  private static void head(HttpExchange exchange, Reply reply, int length) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", reply.contentType());
    reply.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(reply.status(), length);
  }
}
