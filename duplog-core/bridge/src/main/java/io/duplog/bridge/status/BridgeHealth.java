package io.duplog.bridge.status;

import static java.util.Objects.requireNonNullElse;

import io.duplog.dedup.Ledger;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueConsumer;
import io.duplog.status.Health;
import io.duplog.status.Health.Part;
import io.duplog.status.Health.State;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Reports the health of a bridge's parts, in words that name the consequences. */
record BridgeHealth(BridgeParts inside) {

  void addTo(Health health) {
    inside.config().streamOrder().forEach(stream -> health.add(() -> stream(stream)));
    health.add(this::store);
    inside.ledgers().fallbacks().forEach(fallback -> health.add(() -> fallback(fallback)));
    health.add(this::sink);
    health.add(this::deadLetters);
  }

  Part stream(String stream) {
    String name = "stream " + stream;
    List<QueueConsumer> consumers = inside.consumersOf(stream);
    for (QueueConsumer consumer : consumers) {
      if (!consumer.isConnected()) {
        return new Part(
            name, State.NOT_READY, requireNonNullElse(consumer.trouble(), "is being connected"));
      }
    }
    for (QueueConsumer consumer : consumers) {
      String doubt = consumer.doubt();
      if (doubt != null) {
        return new Part(name, State.DEGRADED, doubt);
      }
    }
    boolean reading = consumers.stream().allMatch(QueueConsumer::isConsuming);
    return new Part(
        name,
        State.WELL,
        reading
            ? "connected, reading"
            : "connected, waiting until there is room or the sink accepts");
  }

  Part store() {
    String name = inside.config().dedup().store().name().toLowerCase(Locale.ROOT);
    List<Ledger> parts = inside.ledgers().parts();
    List<Ledger> away = parts.stream().filter(part -> !part.isAvailable()).toList();
    if (away.isEmpty()) {
      String hazard =
          parts.stream().map(Ledger::hazard).filter(Objects::nonNull).findFirst().orElse(null);
      return Part.of(name, hazard, "asked about every batch");
    }
    String trouble =
        requireNonNullElse(
            away.get(0).trouble(), "not asked: " + inside.config().dedup().meanwhile());
    return new Part(
        name,
        State.DEGRADED,
        parts.size() == 1
            ? trouble
            : "%d of %d parts not asked: %s".formatted(away.size(), parts.size(), trouble));
  }

  /**
   * Returns the health of a fallback, which is degraded while unavailable even if it is not needed.
   */
  Part fallback(Ledgers.Fallback fallback) {
    if (!fallback.ledger().isAvailable()) {
      return new Part(
          fallback.name(),
          State.DEGRADED,
          requireNonNullElse(fallback.ledger().trouble(), fallback.where() + " is not asked"));
    }
    String hazard = fallback.ledger().hazard();
    String role = isAsked(fallback) ? ", asked about every batch" : ", stands by";
    return Part.of(fallback.name(), hazard, fallback.where() + role);
  }

  /**
   * Whether batches go to this fallback, because a ledger and all earlier fallbacks are
   * unavailable.
   */
  boolean isAsked(Ledgers.Fallback fallback) {
    if (inside.ledgers().areAvailable()) {
      return false;
    }
    for (Ledger ledger : inside.ledgers().behind()) {
      if (ledger.isAvailable()) {
        return ledger == fallback.ledger();
      }
    }
    return false;
  }

  Part sink() {
    String type = inside.config().sink().type().word();
    String trouble = inside.sink().trouble();
    if (!inside.sink().isAvailable()) {
      return new Part(
          "sink",
          State.NOT_READY,
          requireNonNullElse(trouble, type + " accepts nothing: taking no deliveries"));
    }
    return Part.of("sink", trouble, type + " accepts");
  }

  Part deadLetters() {
    return Part.of(
        "dead letters", inside.deadLetters().trouble(), "there is room for what the sink refuses");
  }
}
