package io.duplog.bridge.status;

import io.duplog.bridge.settings.DedupConfig;
import io.duplog.dedup.Ledger;
import io.duplog.observe.Condition;
import io.duplog.observe.End;
import io.duplog.observe.JsonObject;
import io.duplog.observe.StreamCounters;
import io.duplog.observe.Version;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueConsumer;
import io.duplog.status.StateDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes those sections of a bridge's state document that show its copies, streams, Redis and sink.
 */
final class BridgeSections {
  private final BridgeParts inside;
  private final BridgeHealth health;
  private final Instant startTime = Instant.now();
  private final @Nullable String storeAddress;

  BridgeSections(BridgeParts inside, BridgeHealth health) {
    this.inside = inside;
    this.health = health;
    this.storeAddress =
        inside.config().dedup().store() == DedupConfig.Store.REDIS
            ? inside.config().redis().address()
            : null;
  }

  void addTo(StateDocument document) {
    document.add("bridge", this::bridge);
    document.add("journey", this::journey);
    document.add("ends", BridgeSections::ends);
    document.add("streams", () -> inside.counters().streams().stream().map(this::stream).toList());
    document.add("store", this::store);
    document.add(
        "fallbacks", () -> inside.ledgers().fallbacks().stream().map(this::fallback).toList());
    document.add("sink", this::sink);
  }

  private JsonObject bridge() {
    Instant now = Instant.now();
    return new JsonObject()
        .put("name", inside.config().name())
        .put("version", Version.number())
        .put("now", now.toString())
        .put("started", startTime.toString())
        .put("uptime_seconds", Duration.between(startTime, now).toSeconds())
        .put("window_seconds", inside.config().dedup().window().toSeconds());
  }

  private JsonObject journey() {
    return putCounts(new JsonObject(), inside.counters().streams())
        .put("held_batches", inside.pipeline().held())
        .put("held_bytes", inside.heldBytes().bytes())
        .put("held_bytes_limit", inside.heldBytes().limit());
  }

  /** Returns the key and the description of each {@link End} of a copy, for the status page. */
  private static List<JsonObject> ends() {
    return Stream.of(End.values())
        .map(end -> new JsonObject().put("key", end.key()).put("words", end.words()))
        .toList();
  }

  private JsonObject stream(StreamCounters counts) {
    List<QueueConsumer> consumers = inside.consumersOf(counts.stream());
    JsonObject json =
        new JsonObject()
            .put("name", counts.stream())
            .put("broker", consumers.get(0).settings().address())
            .put("queues", consumers.size());
    putState(json, health.stream(counts.stream()))
        .put("connected", consumers.stream().allMatch(QueueConsumer::isConnected))
        .put("reading", consumers.stream().allMatch(QueueConsumer::isConsuming));
    return putCounts(json, List.of(counts));
  }

  private JsonObject store() {
    Condition part = health.store();
    JsonObject json = new JsonObject().put("kind", part.subject());
    if (storeAddress != null) {
      json.put("address", storeAddress);
    }
    putState(json, part)
        .put("available", inside.ledgers().areAvailable())
        .put("failures", inside.ledgers().failures());
    List<JsonObject> parts = new ArrayList<>();
    for (Ledger ledger : inside.ledgers().parts()) {
      parts.add(new JsonObject().put("part", parts.size()).put("available", ledger.isAvailable()));
    }
    return parts.size() > 1 ? json.put("parts", parts) : json;
  }

  private JsonObject fallback(Ledgers.Fallback fallback) {
    Condition part = health.fallback(fallback);
    return putState(new JsonObject().put("kind", part.subject()), part)
        .put("available", fallback.ledger().isAvailable())
        .put("asked", health.isAsked(fallback))
        .put("copies", fallback.copies().sum());
  }

  private JsonObject sink() {
    JsonObject answers = new JsonObject();
    inside.sink().answers().forEach((kind, count) -> answers.put(kind, count.getAsLong()));
    String kind = inside.config().sink().type().word();
    return putState(new JsonObject().put("kind", kind), health.sink())
        .put("available", inside.sink().isAvailable())
        .put("answers", answers);
  }

  private static JsonObject putState(JsonObject json, Condition part) {
    return json.put("state", part.level().state())
        .put("level", part.level().word())
        .put("detail", part.sentence());
  }

  /**
   * Adds the counts of streams. They add up in each document, also while copies move: what is in
   * flight is computed from the very numbers that are shown beside it.
   */
  private static JsonObject putCounts(JsonObject json, Collection<StreamCounters> streams) {
    // The ends are read first, so that no copy ends that is not counted as received.
    Map<End, Long> ends = new EnumMap<>(End.class);
    for (End end : End.values()) {
      ends.put(end, sum(streams, stream -> stream.sum(end)));
    }
    long received = sum(streams, stream -> stream.received.sum());
    long ended = ends.values().stream().mapToLong(Long::longValue).sum();
    json.put("received", received)
        .put("batches", sum(streams, stream -> stream.receivedBatches.sum()))
        .put(
            "delivered",
            Stream.of(End.values()).filter(End::isDelivered).mapToLong(ends::get).sum());
    ends.forEach((end, copies) -> json.put(end.key(), copies));
    return json.put("late", sum(streams, stream -> stream.late.sum()))
        .put("in_flight", Math.max(0, received - ended));
  }

  private static long sum(
      Collection<StreamCounters> streams, ToLongFunction<StreamCounters> count) {
    return streams.stream().mapToLong(count).sum();
  }
}
