package io.duplog.deliver.hec;

import io.duplog.deliver.hec.event.Body;
import io.duplog.deliver.hec.event.Encoder;
import io.duplog.deliver.hec.event.Gzip;
import io.duplog.deliver.hec.event.SourceCounter;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.deliver.route.Routing;
import io.duplog.observe.EventCounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fills the next HEC request with waiting messages and encodes its body. Also lists the messages
 * that did not fit and those that the encoder failed on. Reusable. Not thread-safe.
 */
final class Request {
  /** Memory that all requests together keep while empty, to avoid allocating it each time. */
  private static final int MAX_IDLE_BYTES = 16 << 20;

  private final Encoder encoder;
  private final SourceCounter counter;
  private final boolean isCompressed;
  private final Body body;
  private RequestBatch sentBatch = new RequestBatch();
  private RequestBatch overflowMessages = new RequestBatch();
  private final Map<String, RequestBatch> batchesByPath = new LinkedHashMap<>();
  private RequestBatch unencodedMessages = new RequestBatch();
  private @Nullable RuntimeException encodingFailure;

  /**
   * @param accepted counts the events that Splunk has accepted
   */
  Request(HecSinkConfig config, Routing routing, EventCounts accepted) {
    this.encoder = config.encoder(routing);
    this.counter = new SourceCounter(accepted);
    this.isCompressed = config.compression() == HecSinkConfig.Compression.GZIP;
    int senders = config.urls().size() * config.requestsPerUrl();
    this.body = new Body(config.maxBytes().toIntExact(), MAX_IDLE_BYTES / senders);
  }

  /** Fills the body with as many messages of the batch as fit. */
  void fill(RequestBatch batch) {
    sentBatch = new RequestBatch().withSuspicion(batch.suspicion());
    overflowMessages = new RequestBatch();
    unencodedMessages = new RequestBatch().withSuspicion(batch.suspicion());
    batchesByPath.clear();
    encodingFailure = null;
    body.clear();
    encoder.begin();
    batch.forEach(this::add);
  }

  private void add(Completion completion, int message) {
    if (completion.isDone()) {
      return;
    }
    if (!overflowMessages.isEmpty()) {
      overflowMessages.add(completion, message);
    } else {
      encode(completion, message).add(completion, message);
    }
  }

  /** Encodes a message if it fits, and returns the batch that it belongs to. */
  private RequestBatch encode(Completion completion, int message) {
    int length = body.length();
    try {
      boolean useFallback = completion.isRerouted(message);
      String resentReason = completion.resentReason(message);
      if (encoder.add(completion.delivery(), message, useFallback, resentReason, body)) {
        completion.onEncoded(message, counter.of(encoder.metadata()));
        return sentBatch;
      }
      String otherPath = encoder.otherPath();
      return otherPath == null
          ? overflowMessages
          : batchesByPath.computeIfAbsent(otherPath, path -> new RequestBatch());
    } catch (RuntimeException e) {
      body.setLength(length);
      encodingFailure = e;
      return unencodedMessages;
    }
  }

  /**
   * Returns the messages in the body, in the order in which Splunk numbers them, with the suspicion
   * of the batch that the body was filled from.
   */
  RequestBatch sent() {
    return sentBatch;
  }

  /** Releases memory of the body once it was posted. */
  void releaseMemory() {
    body.clear();
  }

  /** Returns the messages for which the body had no room. */
  RequestBatch overflow() {
    return overflowMessages;
  }

  /**
   * Returns the messages that must be posted to other paths, one batch for each path. The path of
   * the oldest message comes first.
   */
  List<RequestBatch> batchesForOtherPaths() {
    return List.copyOf(batchesByPath.values());
  }

  /** Returns the messages whose encoding threw an exception, with the same suspicion. */
  RequestBatch unencoded() {
    return unencodedMessages;
  }

  /** Returns the encoder's latest exception, or null if encoding succeeded. */
  @Nullable RuntimeException encodingFailure() {
    return encodingFailure;
  }

  /** Returns the request to post, compressed if so configured. */
  Connection.Post post(@Nullable String channelId) {
    if (!isCompressed) {
      return new Connection.Post(encoder.path(), body.bytes(), body.length(), false, channelId);
    }
    byte[] bytes = Gzip.compressed(body.bytes(), body.length());
    return new Connection.Post(encoder.path(), bytes, bytes.length, true, channelId);
  }
}
