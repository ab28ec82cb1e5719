package io.duplog.benchmark.hec;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import io.duplog.deliver.hec.HecReporter;
import io.duplog.deliver.hec.HecSink;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Takes and answers requests as Splunk does, with those faults that refuse events or replace the
 * code of success. Thread-safe.
 */
final class Collector {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES).build();
  private static final String SCHEME = "Splunk ";
  private static final int CANONICAL_UUID = 36;
  private static final int GZIP_BUFFER = 1 << 16;

  private final HecSettings settings;
  private final LongAdder requests = new LongAdder();
  private final LongAdder events = new LongAdder();
  private final Index index;
  private final AckIds acknowledgements = new AckIds(System::nanoTime);

  /** Body of a request to {@code /ack}: the ids whose acknowledgement a client asks for. */
  private record Question(Set<Long> acks) {}

  /**
   * Uses the settings for every request.
   *
   * @param index gets the events of accepted requests
   */
  Collector(HecSettings settings, Index index) {
    this.settings = settings;
    this.index = index;
  }

  /** Changes the order and delay of acknowledgements. */
  void acknowledge(Acknowledging way) {
    acknowledgements.acknowledge(way);
  }

  /** Returns the number of requests with events so far, including refused requests. */
  long requests() {
    return requests.sum();
  }

  /** Returns the number of events indexed so far. */
  long events() {
    return events.sum();
  }

  /** Indexes the events of a request to {@code /event} or {@code /raw}, and returns the answer. */
  HecReply take(HttpExchange exchange, boolean raw, List<HecFault> faults) throws IOException {
    requests.increment();
    // The whole body is read first, because a client easily misses an answer while it still sends.
    byte[] body = exchange.getRequestBody().readAllBytes();
    if ("gzip".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
      try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body), GZIP_BUFFER)) {
        body = in.readNBytes(settings.maxBytes() + 1);
      } catch (ZipException | EOFException e) {
        return HecReply.invalidEvent(HecCode.INVALID_DATA_FORMAT, 0, null);
      }
    }
    if (body.length > settings.maxBytes()) {
      return HecReply.plain(
          413,
          "Content-Length of %d too large (maximum is %d)"
              .formatted(body.length, settings.maxBytes()));
    }
    HecCode denied = denied(exchange);
    if (denied == null) {
      denied = wrongChannel(exchange, raw || settings.acknowledge());
    }
    if (denied != null) {
      return HecReply.of(denied);
    }
    Parsed parsed =
        raw
            ? RawParser.parse(body, Parameters.of(exchange.getRequestURI()))
            : EventParser.parse(body);
    return index(refused(parsed, faults), channel(exchange), accepted(faults));
  }

  private Parsed refused(Parsed parsed, List<HecFault> faults) {
    Parsed left = parsed;
    for (int i = 0; i < left.good().size(); i++) {
      HecEvent event = left.good().get(i);
      String name = event.index();
      if (name != null && !settings.indexes().isEmpty() && !settings.indexes().contains(name)) {
        left = left.refusing(i, HecCode.INCORRECT_INDEX);
      }
      for (HecFault fault : faults) {
        if (fault instanceof HecFault.RefuseText refuse && event.event().contains(refuse.text())) {
          left = left.refusing(i, refuse.code());
        }
      }
    }
    for (HecFault fault : faults) {
      if (fault instanceof HecFault.RefuseEvent refuse) {
        left = left.refusing(refuse.place().in(parsed.good().size()), refuse.code());
      }
    }
    return left;
  }

  private static HecCode accepted(List<HecFault> faults) {
    HecFault.Accept accept = HecFault.first(faults, HecFault.Accept.class);
    return accept == null ? HecCode.SUCCESS : accept.code();
  }

  /**
   * Whether all events are the bridge's own. They are not indexed, because a comparison with the
   * sent messages would count them as altered.
   */
  private static boolean isControl(List<HecEvent> events) {
    return events.stream()
        .allMatch(
            event ->
                HecSink.CONTROL_EVENT.equals(event.event())
                    || HecReporter.SOURCETYPE.equals(event.sourcetype()));
  }

  private HecReply index(Parsed parsed, @Nullable String channel, HecCode success)
      throws IOException {
    int count = parsed.good().size();
    if (count > 0 && !isControl(parsed.good())) {
      index.append(parsed.good());
      events.add(count);
    }
    Long id =
        settings.acknowledge() && channel != null && count > 0
            ? (Long) acknowledgements.take(channel)
            : null;
    HecCode fault = parsed.fault();
    if (fault == null) {
      return HecReply.taken(success, id);
    }
    if (fault == HecCode.NO_DATA) {
      return HecReply.of(fault);
    }
    // For an incorrect index, Splunk 10.4 gives the number of the following event.
    return HecReply.invalidEvent(fault, fault == HecCode.INCORRECT_INDEX ? count + 1 : count, id);
  }

  /** Answers a request to {@code /ack} with the state of each id: acknowledged or not. */
  HecReply acknowledged(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    HecCode denied = denied(exchange);
    if (denied == null) {
      denied = settings.acknowledge() ? wrongChannel(exchange, true) : HecCode.ACK_DISABLED;
    }
    String channel = channel(exchange);
    if (denied != null || channel == null) {
      return HecReply.of(denied == null ? HecCode.CHANNEL_MISSING : denied);
    }
    try {
      Set<Long> ids = JSON.readValue(body, Question.class).acks();
      return HecReply.acknowledged(acknowledgements.ask(channel, ids));
    } catch (JacksonException e) {
      return HecReply.of(HecCode.INVALID_DATA_FORMAT);
    }
  }

  private @Nullable HecCode denied(HttpExchange exchange) {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    if (authorization == null) {
      return Parameters.of(exchange.getRequestURI()).containsKey("token")
          ? HecCode.QUERY_AUTHORIZATION
          : HecCode.TOKEN_REQUIRED;
    }
    if (!authorization.startsWith(SCHEME)) {
      return HecCode.INVALID_AUTHORIZATION;
    }
    return authorization.substring(SCHEME.length()).equals(settings.token())
        ? null
        : HecCode.INVALID_TOKEN;
  }

  private static @Nullable HecCode wrongChannel(HttpExchange exchange, boolean required) {
    String channel = channel(exchange);
    if (channel == null) {
      return required ? HecCode.CHANNEL_MISSING : null;
    }
    try {
      UUID.fromString(channel);
      return channel.length() == CANONICAL_UUID ? null : HecCode.INVALID_CHANNEL;
    } catch (IllegalArgumentException e) {
      return HecCode.INVALID_CHANNEL;
    }
  }

  private static @Nullable String channel(HttpExchange exchange) {
    String header = exchange.getRequestHeaders().getFirst("X-Splunk-Request-Channel");
    Map<String, String> parameters = Parameters.of(exchange.getRequestURI());
    return header != null ? header : parameters.get("channel");
  }
}
