package io.duplog.bridge.status;

import io.duplog.bridge.settings.DedupConfig;
import io.duplog.dedup.Ledger;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Condition;
import io.duplog.observe.End;
import io.duplog.observe.StreamCounters;
import io.duplog.observe.Version;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueConsumer;
import io.duplog.status.State;
import io.duplog.status.StateDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Writes those sections of a bridge's state document that show its copies, streams, Redis and sink.
 */
final class BridgeSections {
  private final BridgeParts inside;
  private final BridgeHealth health;
  private final Instant startTime = Instant.now();
  private final String storeAddress;

  BridgeSections(BridgeParts inside, BridgeHealth health) {
    this.inside = inside;
    this.health = health;
    this.storeAddress =
        inside.config().dedup().store() == DedupConfig.Store.REDIS
            ? inside.config().redis().address()
            : "";
  }

  void addTo(StateDocument document) {
    document.add("bridge", this::bridge);
    document.add("journey", this::journey);
    document.add("ends", BridgeSections::ends);
    document.add("streams", () -> inside.counters().streams().stream().map(this::stream).toList());
    document.add("store", this::store);
    document.add(
        "fallbacks", () -> inside.ledgers().fallbacks().stream().map(this::fallback).toList());
    List<Sinks.Member> sinks = inside.sinks().members();
    document.add("sink", () -> sink(sinks.get(0)));
    document.add("sinks", () -> sinks.stream().map(this::sink).toList());
  }

  private State.Bridge bridge() {
    Instant now = Instant.now();
    return new State.Bridge(
        inside.config().name(),
        Version.number(),
        now,
        startTime,
        Duration.between(startTime, now).toSeconds(),
        inside.config().dedup().window().toSeconds());
  }

  private Map<String, Long> journey() {
    Map<String, Long> counts = counts(inside.counters().streams());
    counts.put("held_batches", (long) inside.pipeline().held());
    counts.put("held_bytes", inside.heldBytes().bytes());
    counts.put("held_bytes_limit", inside.heldBytes().limit());
    return counts;
  }

  /** Returns the key and the description of each {@link End} of a copy, for the status page. */
  private static List<State.EndOfCopy> ends() {
    return Stream.of(End.values()).map(end -> new State.EndOfCopy(end.key(), end.words())).toList();
  }

  private State.Stream stream(StreamCounters counters) {
    List<QueueConsumer> consumers = inside.consumersOf(counters.stream());
    Condition condition = health.stream(counters.stream());
    Map<String, Long> counts = counts(List.of(counters));
    counts.put("queues", (long) consumers.size());
    return new State.Stream(
        counters.stream(),
        consumers.get(0).settings().address(),
        condition.level().state(),
        condition.level(),
        condition.sentence(),
        consumers.stream().allMatch(QueueConsumer::isConnected),
        consumers.stream().allMatch(QueueConsumer::isConsuming),
        counts);
  }

  private State.Store store() {
    Condition condition = health.store();
    List<State.StorePart> parts = new ArrayList<>();
    for (Ledger ledger : inside.ledgers().parts()) {
      parts.add(new State.StorePart(parts.size(), ledger.isAvailable()));
    }
    return new State.Store(
        condition.subject(),
        storeAddress,
        condition.level().state(),
        condition.level(),
        condition.sentence(),
        inside.ledgers().areAvailable(),
        inside.ledgers().failures(),
        parts.size() > 1 ? parts : null);
  }

  private State.Fallback fallback(Ledgers.Fallback fallback) {
    Condition condition = health.fallback(fallback);
    return new State.Fallback(
        condition.subject(),
        condition.level().state(),
        condition.level(),
        condition.sentence(),
        fallback.ledger().isAvailable(),
        health.isAsked(fallback),
        fallback.copies().sum());
  }

  private State.Sink sink(Sinks.Member sink) {
    Condition condition = health.sink(sink);
    Map<String, Long> answers = new LinkedHashMap<>();
    sink.sink().answers().forEach((kind, count) -> answers.put(kind, count.getAsLong()));
    List<State.RuleCount> rules = new ArrayList<>();
    sink.ruleCounts()
        .byRule()
        .forEach(
            (rule, count) ->
                rules.add(new State.RuleCount(rule, count.dropped(), count.observed())));
    return new State.Sink(
        sink.kind(),
        sink.name(),
        condition.level().state(),
        condition.level(),
        condition.sentence(),
        sink.isAvailable(),
        new State.SinkCounts(
            sink.delivered(),
            sink.refused(),
            sink.sink().missed(),
            sink.ruleCounts().dropped(),
            rules),
        answers);
  }

  /**
   * Returns the counts of streams. They add up in each document, also while copies move: what is in
   * flight is computed from the very numbers that are shown beside it.
   */
  private static Map<String, Long> counts(Collection<StreamCounters> streams) {
    // The ends are read first, so that no copy ends that is not counted as received.
    Map<End, Long> ends = new EnumMap<>(End.class);
    for (End end : End.values()) {
      ends.put(end, sum(streams, stream -> stream.sum(end)));
    }
    long received = sum(streams, stream -> stream.received.sum());
    long ended = ends.values().stream().mapToLong(Long::longValue).sum();
    Map<String, Long> counts = new LinkedHashMap<>();
    counts.put("received", received);
    counts.put("batches", sum(streams, stream -> stream.receivedBatches.sum()));
    counts.put(
        "delivered", Stream.of(End.values()).filter(End::isDelivered).mapToLong(ends::get).sum());
    ends.forEach((end, copies) -> counts.put(end.key(), copies));
    counts.put("late", sum(streams, stream -> stream.late.sum()));
    counts.put("in_flight", Math.max(0, received - ended));
    return counts;
  }

  private static long sum(
      Collection<StreamCounters> streams, ToLongFunction<StreamCounters> count) {
    return streams.stream().mapToLong(count).sum();
  }
}
