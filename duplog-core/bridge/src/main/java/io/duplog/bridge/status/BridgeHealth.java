package io.duplog.bridge.status;

import static java.util.Objects.requireNonNullElse;

import io.duplog.dedup.Ledger;
import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueConsumer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Judges the health of a bridge's brokers, Redis, sink and dead letters, in sentences for an
 * operator.
 */
record BridgeHealth(BridgeParts inside) {

  void addTo(BridgeStatus status) {
    inside
        .config()
        .streamOrder()
        .forEach(stream -> status.addComponent("stream " + stream, () -> stream(stream)));
    status.addComponent(storeName(), this::store);
    inside
        .ledgers()
        .fallbacks()
        .forEach(each -> status.addComponent(each.name(), () -> fallback(each)));
    status.addComponent("sink", this::sink);
    status.addComponent("dead letters", this::deadLetters);
  }

  Condition stream(String stream) {
    String name = "stream " + stream;
    List<QueueConsumer> consumers = inside.consumersOf(stream);
    for (QueueConsumer consumer : consumers) {
      if (!consumer.isConnected()) {
        return new Condition(
            name,
            Level.DOWN,
            requireNonNullElse(consumer.trouble(), "is being connected"),
            Runbook.BROKER_DISCONNECTED);
      }
    }
    for (QueueConsumer consumer : consumers) {
      String doubt = consumer.doubt();
      if (doubt != null) {
        return new Condition(name, Level.DEGRADED, doubt, Runbook.SETTINGS_DIFFER);
      }
    }
    boolean reading = consumers.stream().allMatch(QueueConsumer::isConsuming);
    return Condition.ok(
        name,
        reading
            ? "connected, reading"
            : "connected, paused: it holds as many messages as it may, or the sink accepts none");
  }

  private String storeName() {
    return inside.config().dedup().store().name().toLowerCase(Locale.ROOT);
  }

  Condition store() {
    String name = storeName();
    List<Ledger> parts = inside.ledgers().parts();
    List<Ledger> away = parts.stream().filter(part -> !part.isAvailable()).toList();
    if (away.isEmpty()) {
      String hazard =
          parts.stream().map(Ledger::hazard).filter(Objects::nonNull).findFirst().orElse(null);
      return Condition.of(
          name,
          Level.DEGRADED,
          hazard,
          Runbook.STORE_FORGETS,
          "connected, every batch is compared");
    }
    String trouble =
        requireNonNullElse(
            away.get(0).trouble(), "not asked: " + inside.config().dedup().meanwhile());
    return new Condition(
        name,
        Level.DEGRADED,
        parts.size() == 1
            ? trouble
            : "%d of %d parts not asked: %s".formatted(away.size(), parts.size(), trouble),
        Runbook.STORE_AWAY);
  }

  /**
   * Returns the health of a fallback, which is degraded while unavailable even if it is not needed.
   */
  Condition fallback(Ledgers.Fallback fallback) {
    if (!fallback.ledger().isAvailable()) {
      return new Condition(
          fallback.name(),
          Level.DEGRADED,
          requireNonNullElse(fallback.ledger().trouble(), fallback.where() + " is not asked"),
          Runbook.STORE_AWAY);
    }
    String hazard = fallback.ledger().hazard();
    String role = isAsked(fallback) ? ", every batch is compared" : ", stands by";
    return Condition.of(
        fallback.name(), Level.DEGRADED, hazard, Runbook.STORE_FORGETS, fallback.where() + role);
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

  Condition sink() {
    String type = inside.config().sink().type().word();
    String trouble = inside.sink().trouble();
    if (!inside.sink().isAvailable()) {
      return new Condition(
          "sink",
          Level.DOWN,
          requireNonNullElse(trouble, BridgeStatus.SINK_ACCEPTS_NOTHING),
          Runbook.SINK_AWAY);
    }
    return Condition.of("sink", Level.DEGRADED, trouble, Runbook.SINK_AWAY, type + " accepts");
  }

  Condition deadLetters() {
    return Condition.of(
        "dead letters",
        Level.DEGRADED,
        inside.deadLetters().trouble(),
        Runbook.DEAD_LETTERS_WAIT,
        "there is room for what the sink refuses");
  }
}
