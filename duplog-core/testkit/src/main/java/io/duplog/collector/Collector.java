package io.duplog.collector;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Simulates Splunk's HTTP Event Collector for tests: takes a request, stores its events, and
 * returns Splunk's answer. Uses no network: the caller simulates faults of the connection.
 *
 * <p>Thread-safe.
 */
public final class Collector {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES).build();
  private static final String AUTHORIZATION_SCHEME = "Splunk ";
  private static final HecReply NOT_FOUND =
      HecReply.json(
          404, "{\"text\":\"The requested URL was not found on this server.\",\"code\":404}");
  private static final HecReply WRONG_METHOD =
      HecReply.json(405, "{\"text\":\"Method Not Allowed\",\"code\":405}");
  private static final int CANONICAL_UUID_LENGTH = 36;
  private static final int GZIP_BUFFER_BYTES = 1 << 16;

  private final HecSettings settings;
  private final LongAdder requests = new LongAdder();
  private final Index index;
  private final AckIds acknowledgements;

  /** Body of a request to {@code /ack}: the ids whose acknowledgement a client queries. */
  private record AckQuery(Set<Long> acks) {}

  /**
   * Creates a collector with settings for all requests.
   *
   * @param nanos clock in nanoseconds, for late acknowledgements
   * @param index receives the events of accepted requests
   */
  public Collector(HecSettings settings, LongSupplier nanos, Index index) {
    this.settings = settings;
    this.acknowledgements = new AckIds(nanos);
    this.index = index;
  }

  /** Returns the acknowledgement ids of this collector's indexer. */
  public AckIds acknowledgements() {
    return acknowledgements;
  }

  /** Returns the number of requests with events so far, including refused requests. */
  public long requests() {
    return requests.sum();
  }

  /**
   * Answers a request, after its events are indexed.
   *
   * @param faults active faults of the request
   */
  public HecReply answer(HecRequest request, List<HecFault> faults) throws IOException {
    HecRequest.Target target = HecRequest.target(request.uri());
    if (target == null) {
      return NOT_FOUND;
    }
    HecFault.Answer answer = HecFault.first(faults, HecFault.Answer.class);
    if (answer != null) {
      return HecReply.of(answer);
    }
    if (!request.method().equals(target == HecRequest.Target.HEALTH ? "GET" : "POST")) {
      return WRONG_METHOD;
    }
    return switch (target) {
      case HEALTH -> HecReply.of(HecCode.HEALTHY);
      case ACKS -> answerAckQuery(request);
      case EVENTS -> acceptEvents(request, faults);
    };
  }

  /** Indexes the events of a request to {@code /event} or {@code /raw}, and returns the answer. */
  private HecReply acceptEvents(HecRequest request, List<HecFault> faults) throws IOException {
    requests.increment();
    byte[] body = request.body();
    if ("gzip".equalsIgnoreCase(request.headers().get(HecRequest.CONTENT_ENCODING))) {
      try (InputStream in =
          new GZIPInputStream(new ByteArrayInputStream(body), GZIP_BUFFER_BYTES)) {
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
    HecCode error = authorizationError(request);
    if (error == null) {
      error = channelError(request, request.isRaw() || settings.acknowledge());
    }
    if (error != null) {
      return HecReply.of(error);
    }
    Parsed parsed =
        request.isRaw()
            ? RawParser.parse(body, Parameters.of(request.uri()))
            : EventParser.parse(body);
    return indexEvents(applyRefusals(parsed, faults), request.channel(), faults);
  }

  private Parsed applyRefusals(Parsed parsed, List<HecFault> faults) {
    Parsed remaining = parsed;
    for (int i = 0; i < remaining.good().size(); i++) {
      HecEvent event = remaining.good().get(i);
      String name = event.index();
      if (name != null && !settings.indexes().isEmpty() && !settings.indexes().contains(name)) {
        remaining = remaining.refusing(i, HecCode.INCORRECT_INDEX);
      }
      for (HecFault fault : faults) {
        if (fault instanceof HecFault.RefuseText refuse && event.event().contains(refuse.text())) {
          remaining = remaining.refusing(i, refuse.code());
        }
      }
    }
    for (HecFault fault : faults) {
      if (fault instanceof HecFault.RefuseEvent refuse) {
        remaining = remaining.refusing(refuse.place().in(parsed.good().size()), refuse.code());
      }
    }
    return remaining;
  }

  private HecReply indexEvents(Parsed parsed, @Nullable String channel, List<HecFault> faults)
      throws IOException {
    int count = parsed.good().size();
    if (count > 0) {
      index.append(parsed.good());
    }
    Long id = null;
    if (settings.acknowledge() && channel != null && count > 0) {
      HecFault.AcknowledgeAfter late = HecFault.first(faults, HecFault.AcknowledgeAfter.class);
      id = acknowledgements.take(channel, late == null ? Duration.ZERO : late.time());
    }
    HecCode fault = parsed.fault();
    if (fault == null) {
      HecFault.Accept accept = HecFault.first(faults, HecFault.Accept.class);
      return HecReply.accepted(accept == null ? HecCode.SUCCESS : accept.code(), id);
    }
    if (fault == HecCode.NO_DATA) {
      return HecReply.of(fault);
    }
    // For an incorrect index, Splunk 10.4 gives the number of the following event.
    return HecReply.invalidEvent(fault, fault == HecCode.INCORRECT_INDEX ? count + 1 : count, id);
  }

  /** Answers a request to {@code /ack} with the state of each id: acknowledged or not. */
  private HecReply answerAckQuery(HecRequest request) throws IOException {
    HecCode error = authorizationError(request);
    if (error == null) {
      error = settings.acknowledge() ? channelError(request, true) : HecCode.ACK_DISABLED;
    }
    String channel = request.channel();
    if (error != null || channel == null) {
      return HecReply.of(error == null ? HecCode.CHANNEL_MISSING : error);
    }
    try {
      Set<Long> ids = JSON.readValue(request.body(), AckQuery.class).acks();
      return HecReply.acknowledged(acknowledgements.ask(channel, ids));
    } catch (JacksonException e) {
      return HecReply.of(HecCode.INVALID_DATA_FORMAT);
    }
  }

  private @Nullable HecCode authorizationError(HecRequest request) {
    String authorization = request.headers().get(HecRequest.AUTHORIZATION);
    if (authorization == null) {
      return Parameters.of(request.uri()).containsKey("token")
          ? HecCode.QUERY_AUTHORIZATION
          : HecCode.TOKEN_REQUIRED;
    }
    if (!authorization.startsWith(AUTHORIZATION_SCHEME)) {
      return HecCode.INVALID_AUTHORIZATION;
    }
    return authorization.substring(AUTHORIZATION_SCHEME.length()).equals(settings.token())
        ? null
        : HecCode.INVALID_TOKEN;
  }

  private static @Nullable HecCode channelError(HecRequest request, boolean required) {
    String channel = request.channel();
    if (channel == null) {
      return required ? HecCode.CHANNEL_MISSING : null;
    }
    try {
      UUID.fromString(channel);
      return channel.length() == CANONICAL_UUID_LENGTH ? null : HecCode.INVALID_CHANNEL;
    } catch (IllegalArgumentException e) {
      return HecCode.INVALID_CHANNEL;
    }
  }
}
