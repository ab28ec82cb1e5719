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
 * The request that a sender is about to send: its body and the messages in it. Also lists the
 * messages that did not fit and those that the encoder failed on. Reused; belongs to one thread.
 */
final class Request {
  /** Memory that all requests together keep while they are empty, so that it is not made anew. */
  private static final int KEPT_BYTES = 16 << 20;

  private final Encoder encoder;
  private final SourceCounter counter;
  private final boolean compress;
  private final Body body;
  private RequestBatch sentBatch = new RequestBatch();
  private RequestBatch leftMessages = new RequestBatch();
  private final Map<String, RequestBatch> batchesByPath = new LinkedHashMap<>();
  private RequestBatch unencodedMessages = new RequestBatch();
  private @Nullable RuntimeException defect;

  /**
   * @param accepted counts what Splunk has accepted
   */
  Request(HecSinkConfig config, Routing routing, EventCounts accepted) {
    this.encoder = config.encoder(routing);
    this.counter = new SourceCounter(accepted);
    this.compress = config.compression() == HecSinkConfig.Compression.GZIP;
    int senders = config.urls().size() * config.requestsPerUrl();
    this.body = new Body(config.maxBytes().toIntExact(), KEPT_BYTES / senders);
  }

  /** Fills the body with as many messages of the batch as fit. */
  void fill(RequestBatch batch) {
    sentBatch = new RequestBatch().suspected(batch.suspicion());
    leftMessages = new RequestBatch();
    unencodedMessages = new RequestBatch().suspected(batch.suspicion());
    batchesByPath.clear();
    defect = null;
    body.clear();
    encoder.begin();
    batch.forEach(this::add);
  }

  private void add(Completion completion, int message) {
    if (completion.isOver()) {
      return;
    }
    if (!leftMessages.isEmpty()) {
      leftMessages.add(completion, message);
    } else {
      place(completion, message).add(completion, message);
    }
  }

  private RequestBatch place(Completion completion, int message) {
    int length = body.length();
    try {
      boolean fallback = completion.isRerouted(message);
      String resent = completion.resent(message);
      if (encoder.add(completion.delivery(), message, fallback, resent, body)) {
        completion.encoded(message, counter.of(encoder.metadata()));
        return sentBatch;
      }
      String elsewhere = encoder.elsewhere();
      return elsewhere == null
          ? leftMessages
          : batchesByPath.computeIfAbsent(elsewhere, path -> new RequestBatch());
    } catch (RuntimeException e) {
      body.end(length);
      defect = e;
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

  /** Gives back memory of the body, which is not posted again. */
  void posted() {
    body.clear();
  }

  /** Returns the messages for which the body had no room. */
  RequestBatch left() {
    return leftMessages;
  }

  /**
   * Returns the messages that have to be posted to other paths, a batch for each path; the path of
   * the oldest message comes first.
   */
  List<RequestBatch> others() {
    return List.copyOf(batchesByPath.values());
  }

  /** Returns the messages whose encoding threw an exception, with the same suspicion. */
  RequestBatch unencoded() {
    return unencodedMessages;
  }

  /** Returns the encoder's latest exception; null if encoding succeeded. */
  @Nullable RuntimeException defect() {
    return defect;
  }

  /** Returns the request to post, compressed if so configured. */
  Connection.Post post(@Nullable String channel) {
    if (!compress) {
      return new Connection.Post(encoder.path(), body.bytes(), body.length(), false, channel);
    }
    byte[] bytes = Gzip.compressed(body.bytes(), body.length());
    return new Connection.Post(encoder.path(), bytes, bytes.length, true, channel);
  }
}
