package io.duplog.bridge.status;

import com.fasterxml.jackson.core.JsonGenerator;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.settings.Settings;
import io.duplog.dedup.Ledger;
import io.duplog.observe.StreamCounters;
import io.duplog.observe.Version;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueConsumer;
import io.duplog.status.Health;
import io.duplog.status.Section;
import io.duplog.status.StateDocument;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Writes the bridge's own sections of the state document. */
final class BridgeSections {
  private final Inside inside;
  private final BridgeHealth health;
  private final Instant started = Instant.now();
  private final @Nullable String storeAddress;

  BridgeSections(Inside inside, BridgeHealth health) {
    this.inside = inside;
    this.health = health;
    this.storeAddress =
        inside.config().dedup().store() == DedupConfig.Store.REDIS
            ? Settings.redisSettings(inside.config()).address()
            : null;
  }

  void addTo(StateDocument document) {
    document.add(Section.of("bridge", this::bridge));
    document.add(Section.of("journey", this::journey));
    document.add(Section.of("streams", this::streams));
    document.add(Section.of("store", this::store));
    document.add(Section.of("fallbacks", this::fallbacks));
    document.add(Section.of("sink", this::sink));
  }

  private void bridge(JsonGenerator json) throws IOException {
    Instant now = Instant.now();
    json.writeStartObject();
    json.writeStringField("name", inside.config().name());
    json.writeStringField("version", Version.number());
    json.writeStringField("now", now.toString());
    json.writeStringField("started", started.toString());
    json.writeNumberField("uptime_seconds", Duration.between(started, now).toSeconds());
    json.writeNumberField("window_seconds", inside.config().dedup().window().toSeconds());
    json.writeEndObject();
  }

  private void journey(JsonGenerator json) throws IOException {
    json.writeStartObject();
    counts(json, inside.counters()::sum);
    json.writeNumberField("held_batches", inside.pipeline().held());
    json.writeNumberField("held_bytes", inside.heldBytes().bytes());
    json.writeNumberField("held_bytes_limit", inside.heldBytes().limit());
    json.writeEndObject();
  }

  private void streams(JsonGenerator json) throws IOException {
    json.writeStartArray();
    for (StreamCounters counts : inside.counters().streams()) {
      String stream = counts.stream();
      List<QueueConsumer> consumers = inside.consumersOf(stream);
      Health.Part part = health.stream(stream);
      json.writeStartObject();
      json.writeStringField("name", stream);
      json.writeStringField("broker", consumers.get(0).settings().address());
      json.writeNumberField("queues", consumers.size());
      json.writeStringField("state", part.state().word());
      json.writeStringField("detail", part.detail());
      json.writeBooleanField("connected", consumers.stream().allMatch(QueueConsumer::isConnected));
      json.writeBooleanField("reading", consumers.stream().allMatch(QueueConsumer::isConsuming));
      counts(json, count -> count.applyAsLong(counts));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void store(JsonGenerator json) throws IOException {
    Health.Part part = health.store();
    json.writeStartObject();
    json.writeStringField("kind", part.name());
    if (storeAddress != null) {
      json.writeStringField("address", storeAddress);
    }
    json.writeStringField("state", part.state().word());
    json.writeStringField("detail", part.detail());
    json.writeBooleanField("available", inside.ledgers().areAvailable());
    json.writeNumberField("failures", inside.ledgers().failures());
    List<Ledger> parts = inside.ledgers().parts();
    if (parts.size() > 1) {
      json.writeArrayFieldStart("parts");
      for (int i = 0; i < parts.size(); i++) {
        json.writeStartObject();
        json.writeNumberField("part", i);
        json.writeBooleanField("available", parts.get(i).isAvailable());
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private void fallbacks(JsonGenerator json) throws IOException {
    json.writeStartArray();
    List<Ledgers.Fallback> fallbacks = inside.ledgers().fallbacks();
    for (int i = 0; i < fallbacks.size(); i++) {
      Ledgers.Fallback fallback = fallbacks.get(i);
      Health.Part part = health.fallback(fallback);
      json.writeStartObject();
      json.writeStringField("kind", part.name());
      json.writeStringField("state", part.state().word());
      json.writeStringField("detail", part.detail());
      json.writeBooleanField("available", fallback.ledger().isAvailable());
      json.writeBooleanField("asked", health.isAsked(fallback));
      json.writeNumberField("copies", inside.judgedApart().get(i).sum());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void sink(JsonGenerator json) throws IOException {
    Health.Part part = health.sink();
    json.writeStartObject();
    json.writeStringField("kind", inside.config().sink().type().name().toLowerCase(Locale.ROOT));
    json.writeStringField("state", part.state().word());
    json.writeStringField("detail", part.detail());
    json.writeBooleanField("available", inside.sink().isAvailable());
    json.writeObjectFieldStart("answers");
    for (Map.Entry<String, LongSupplier> answer : inside.sink().answers().entrySet()) {
      json.writeNumberField(answer.getKey(), answer.getValue().getAsLong());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  /**
   * @param value finds a count's value: a stream's, or the sum over all
   */
  private static void counts(
      JsonGenerator json, ToLongFunction<ToLongFunction<StreamCounters>> value) throws IOException {
    json.writeNumberField("received", value.applyAsLong(s -> s.received.sum()));
    json.writeNumberField("batches", value.applyAsLong(s -> s.receivedBatches.sum()));
    json.writeNumberField("delivered", value.applyAsLong(StreamCounters::delivered));
    json.writeNumberField("kept", value.applyAsLong(s -> s.kept.sum()));
    json.writeNumberField("bypassed", value.applyAsLong(s -> s.bypassed.sum()));
    json.writeNumberField("released", value.applyAsLong(s -> s.released.sum()));
    json.writeNumberField("observed", value.applyAsLong(s -> s.observed.sum()));
    json.writeNumberField("dropped", value.applyAsLong(s -> s.dropped.sum()));
    json.writeNumberField("repeated", value.applyAsLong(s -> s.repeated.sum()));
    json.writeNumberField("refused", value.applyAsLong(s -> s.refused.sum()));
    json.writeNumberField("dead_lettered", value.applyAsLong(s -> s.deadLettered.sum()));
    json.writeNumberField("given_back", value.applyAsLong(s -> s.givenBack.sum()));
    json.writeNumberField("late", value.applyAsLong(s -> s.late.sum()));
    json.writeNumberField("in_flight", value.applyAsLong(StreamCounters::inFlight));
  }
}
