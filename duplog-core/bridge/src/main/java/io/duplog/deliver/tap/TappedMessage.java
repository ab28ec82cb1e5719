package io.duplog.deliver.tap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Payload;
import io.duplog.deliver.hec.event.JsonText;
import io.duplog.deliver.route.EventMetadata;
import io.duplog.deliver.route.MessageFilter;
import io.duplog.deliver.route.Route;
import io.duplog.deliver.route.Routing;
import io.duplog.deliver.route.RoutingConfig;
import io.duplog.observe.Json;
import io.duplog.observe.JsonObject;
import io.duplog.wire.MessageBatch;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A delivered message with its metadata, as a tap shows it in JSON. Reused for each message. Not
 * thread-safe.
 */
public final class TappedMessage {
  /** Whether the sink gives messages metadata such as an index and a sourcetype. */
  final boolean routed;

  private final EventMetadata metadata;
  private final @Nullable Routing rules;
  private final Payload payload;

  /** The sender's address, or empty if it is unknown. */
  String sender = "";

  /**
   * The event's host: the route's, the message's or the sender's address, or empty if it is not
   * known.
   */
  String host = "";

  /**
   * @param routing the routing in force, or null if the sink has no metadata
   * @param rules the rules that drop or mask messages of the sink, or null if it has none
   * @param payload encodes messages as the sink does
   */
  public TappedMessage(@Nullable Routing routing, @Nullable Routing rules, Payload payload) {
    this.routed = routing != null;
    this.rules = rules;
    this.metadata =
        new EventMetadata(routing == null ? new Routing(RoutingConfig.empty()) : routing);
    this.payload = payload;
  }

  /** Returns the request as the sink gets it: without dropped messages, and with masked texts. */
  DeliveryRequest delivered(DeliveryRequest delivery) {
    MessageFilter filter = rules == null ? null : rules.filter();
    MessageFilter.Filtered filtered =
        filter == null
            ? null
            : filter.apply(
                delivery.batch(), delivery.chosen(), delivery.digests(), delivery.receivedMillis());
    return filtered == null ? delivery : delivery.with(filtered);
  }

  /** Reads a message, which replaces the previous one. */
  void read(DeliveryRequest delivery, int message) {
    MessageBatch batch = delivery.original();
    byte[] data = batch.data();
    int start = batch.start(message);
    int textStart = batch.textStart(message);
    metadata.refresh();
    metadata.read(batch, message, delivery.receivedMillis());
    sender = new String(data, start, Math.max(0, textStart - 1 - start), UTF_8);
    host = metadata.hostName();
  }

  String sourcetype() {
    return metadata.route().sourcetype();
  }

  /**
   * Returns the message as a JSON object on one line. A byte of the payload that is not UTF-8
   * becomes {@code \xE9} there.
   */
  String json(DeliveryRequest delivery, int message) {
    JsonObject json =
        new JsonObject()
            .put("received", Instant.ofEpochMilli(delivery.receivedMillis()).toString())
            .put("sender", sender)
            .put("stream", delivery.stream())
            .put("passage", delivery.passage().name().toLowerCase(Locale.ROOT))
            .put("host", host);
    if (routed) {
      Route route = metadata.route();
      json.put("sourcetype", route.sourcetype())
          .put("index", route.index())
          .put("source", route.source())
          .put("rule", route.rule());
    }
    String beside = Json.render(json);
    return beside.substring(0, beside.length() - 1)
        + ",\"payload\":"
        + JsonText.quoted(payload.of(delivery, message))
        + "}";
  }
}
