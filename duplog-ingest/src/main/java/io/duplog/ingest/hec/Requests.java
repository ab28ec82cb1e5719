package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.ingest.batch.Time;
import io.duplog.wire.EventHead;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Handles the requests of HTTP Event Collector's clients. No thread waits for a client's bytes or
 * for RabbitMQ. The content of an event never causes status 400, because most clients would then
 * drop the whole request. Thread-safe.
 */
final class Requests extends Handler.Abstract {
  private static final String ROOT = "/services/collector";
  private static final int RETRY_AFTER_SECONDS = 2;
  private static final long MAX_DISCARDED_BYTES = 64 << 20;
  private static final String CHANNEL_HEADER = "X-Splunk-Request-Channel";

  private final HecSettings settings;
  private final int maxMessageBytes;
  private final String stream;
  private final Intake intake;
  private final BooleanSupplier brokerWell;
  private final Connector connector;
  private final Connections connections;
  private final Time time;
  private final Tokens tokens;
  private final Warnings warnings;

  /** Memory in bytes that the bodies of current requests take or may still take. */
  private final AtomicLong bodyBytes = new AtomicLong();

  private final AtomicLong acknowledgements = new AtomicLong();

  Requests(
      HecSettings settings,
      int maxMessageBytes,
      String stream,
      Intake intake,
      BooleanSupplier brokerWell,
      Connector connector,
      Connections connections,
      Time time) {
    this.settings = settings;
    this.maxMessageBytes = maxMessageBytes;
    this.stream = stream;
    this.intake = intake;
    this.brokerWell = brokerWell;
    this.connector = connector;
    this.connections = connections;
    this.time = time;
    this.tokens = new Tokens(settings.tokens());
    this.warnings = new Warnings(time);
  }

  /** The purpose of a path of HTTP Event Collector. */
  private enum Endpoint {
    EVENT,
    RAW,
    ACK,
    HEALTH;

    static @Nullable Endpoint of(String path) {
      return switch (path) {
        case ROOT, ROOT + "/", ROOT + "/event", ROOT + "/event/1.0" -> EVENT;
        case ROOT + "/raw", ROOT + "/raw/1.0" -> RAW;
        case ROOT + "/ack", ROOT + "/ack/1.0" -> ACK;
        case ROOT + "/health", ROOT + "/health/1.0" -> HEALTH;
        default -> null;
      };
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    Connection connection = connection(request);
    Request.addCompletionListener(request, failure -> connections.requestAnswered(connection));
    Exchange exchange = new Exchange(request, response, callback);
    Endpoint endpoint = Endpoint.of(Request.getPathInContext(request));
    if (endpoint == null) {
      if (request.getMethod().equals("POST")) {
        // The path as it was sent, because a decoded one could contain a line feed.
        warnings.wrongPath(Request.getRemoteAddr(request), request.getHttpURI().getPath());
      }
      exchange.answer(Answer.NOT_FOUND, null);
    } else if (endpoint == Endpoint.HEALTH) {
      exchange.answer(brokerWell.getAsBoolean() ? Answer.HEALTHY : Answer.UNHEALTHY, null);
    } else if (!request.getMethod().equals("POST")) {
      exchange.answer(Answer.METHOD_NOT_ALLOWED, null);
    } else {
      accept(request, endpoint, exchange);
    }
    return true;
  }

  private void accept(Request request, Endpoint endpoint, Exchange exchange) {
    String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    Answer refusal = tokens.refusal(authorization);
    if (refusal != null) {
      warnings.refused(Request.getRemoteAddr(request), refusal);
      exchange.answer(refusal, null);
      return;
    }
    HecToken token = tokens.find(authorization);
    warnings.connected(
        Request.getRemoteAddr(request), request.getHeaders().get(HttpHeader.USER_AGENT), token);
    Fields query = Request.extractQueryParameters(request, UTF_8);
    String channel = channel(request, query);
    if (endpoint == Endpoint.ACK && channel == null) {
      exchange.answer(Answer.CHANNEL_MISSING, null);
      return;
    }
    if (request.getLength() > settings.maxBody().bytes()) {
      refuse(request, Answer.TOO_LARGE, exchange);
      return;
    }
    RequestMemory memory = new RequestMemory(bodyBytes, settings.maxMemory().bytes());
    Request.addCompletionListener(request, failure -> memory.giveAll());
    long deadline = time.nanos() + HecServer.PATIENCE.toNanos();
    new RequestBody(request, settings.maxBody().bytes(), memory)
        .read(
            (refused, body) -> {
              if (refused != null) {
                refuse(request, refused, exchange);
              } else if (endpoint == Endpoint.ACK) {
                exchange.answerAcks(body);
              } else {
                connections.requestArrived(connection(request));
                // A slow body must not use up the time that RabbitMQ has.
                Submission submission =
                    new Submission(
                        Math.max(deadline, time.nanos() + HecServer.MIN_PATIENCE.toNanos()),
                        intake.maxTransactionBytes(),
                        memory,
                        answer -> exchange.answer(answer, exchange.ackId(answer)));
                BodyReader reader =
                    new BodyReader(
                        new EventReader(defaults(token, query)),
                        new EventIdentity(token.identity(), stream),
                        maxMessageBytes);
                int blank = reader.read(body, endpoint == Endpoint.RAW, submission);
                memory.give(body.length);
                exchange.withAck(channel != null);
                submit(request, token, submission, blank, exchange);
              }
            });
  }

  private void refuse(Request request, Answer refusal, Exchange exchange) {
    if (refusal == Answer.TOO_LARGE) {
      warnings.tooLarge(Request.getRemoteAddr(request), settings.maxBody());
    }
    exchange.answer(refusal, null);
  }

  private static @Nullable String channel(Request request, Fields query) {
    String header = request.getHeaders().get(CHANNEL_HEADER);
    return header == null ? query.getValue("channel") : header;
  }

  private void submit(
      Request request, HecToken token, Submission submission, int blank, Exchange exchange) {
    Answer refusal = submission.refusal();
    if (refusal != null) {
      refuse(request, refusal, exchange);
      return;
    }
    warnings.unusable(token.name(), submission.unusableByReason());
    warnings.blank(token.name(), blank);
    if (submission.isEmpty()) {
      exchange.answer(blank == 0 ? Answer.NO_DATA : Answer.SUCCESS, null);
      return;
    }
    Scheduler.Task expiry =
        connector
            .getScheduler()
            .schedule(
                submission::expire,
                Math.max(0, submission.deadlineNanos() - time.nanos()),
                TimeUnit.NANOSECONDS);
    // Otherwise the memory of each connection is kept until the deadline of its last request.
    Request.addCompletionListener(request, failure -> expiry.cancel());
    intake.submit(submission);
  }

  private static Connection connection(Request request) {
    return request.getConnectionMetaData().getConnection();
  }

  /** Returns the metadata of events that have none: the query's goes before the token's. */
  private static EventHead defaults(HecToken token, Fields query) {
    return new EventHead(
        null,
        either(query.getValue("host"), token.host()),
        either(query.getValue("source"), token.source()),
        either(query.getValue("sourcetype"), token.sourcetype()),
        either(query.getValue("index"), token.index()),
        null,
        EventHead.Content.TEXT);
  }

  private static @Nullable String either(@Nullable String own, @Nullable String otherwise) {
    return own == null || own.isEmpty() ? otherwise : own;
  }

  /** A request that must be answered once. */
  private final class Exchange {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private boolean hasChannel;
    private long discardedBytes;

    Exchange(Request request, Response response, Callback callback) {
      this.request = request;
      this.response = response;
      this.callback = callback;
    }

    void withAck(boolean isAsked) {
      hasChannel = isAsked;
    }

    @Nullable Long ackId(Answer answer) {
      return hasChannel && answer == Answer.SUCCESS ? acknowledgements.getAndIncrement() : null;
    }

    void answer(Answer answer, @Nullable Long ackId) {
      if (answer.isBusy()) {
        response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_AFTER_SECONDS);
      }
      boolean isBodyExpected = !request.getHeaders().contains(HttpHeader.EXPECT);
      if (answer.status() == 200 || !isBodyExpected) {
        write(answer.status(), answer.json(ackId));
      } else {
        discardBody(() -> write(answer.status(), answer.json(ackId)));
      }
    }

    /**
     * Reads the rest of a refused body. If the connection were closed while the client sends, the
     * client would not see why.
     */
    private void discardBody(Runnable then) {
      while (discardedBytes < MAX_DISCARDED_BYTES) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          request.demand(() -> discardBody(then));
          return;
        }
        boolean isEnd = chunk.isLast() || Content.Chunk.isFailure(chunk);
        discardedBytes += chunk.remaining();
        chunk.release();
        if (isEnd) {
          break;
        }
      }
      then.run();
    }

    /** Every event whose request was answered with success is confirmed. */
    void answerAcks(byte[] body) {
      List<String> acks = new ArrayList<>();
      for (long id : AckRequest.ids(body)) {
        acks.add("\"" + id + "\":true");
      }
      write(200, "{\"acks\":{" + String.join(",", acks) + "}}");
    }

    private void write(int status, String json) {
      response.setStatus(status);
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json; charset=UTF-8");
      response.write(true, ByteBuffer.wrap(json.getBytes(UTF_8)), callback);
    }
  }
}
