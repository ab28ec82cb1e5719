package io.duplog.bridge.status;

import io.duplog.dedup.Ledger;
import io.duplog.deliver.RuleCounts;
import io.duplog.deliver.Sink;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Condition;
import io.duplog.observe.Conditions;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.DeadLetters;
import io.duplog.receive.QueueConsumer;
import java.util.List;
import java.util.Map;

/**
 * Adds the bridge's brokers, Redis, sink and dead letters to the board, with words for what each
 * one does while it works. The components themselves report there what is wrong.
 */
record BridgeHealth(BridgeParts inside, Conditions board) {

  void addTo(BridgeStatus status) {
    inside
        .config()
        .streamOrder()
        .forEach(stream -> status.addComponent(QueueConsumer.subject(stream), () -> work(stream)));
    status.addComponent(storeName(), () -> "connected, every batch is compared");
    inside
        .ledgers()
        .fallbacks()
        .forEach(each -> status.addComponent(each.name(), () -> work(each)));
    List<Sinks.Member> sinks = inside.sinks().members();
    if (sinks.size() > 1) {
      status.addComponent(Sink.SUBJECT, () -> "every required sink accepts");
    }
    sinks.forEach(sink -> status.addComponent(sink.subject(), () -> work(sink)));
    status.addComponent(DeadLetters.SUBJECT, () -> "there is room for what the sink refuses");
  }

  private String work(String stream) {
    return inside.consumersOf(stream).stream().allMatch(QueueConsumer::isConsuming)
        ? "connected, reading"
        : "connected, paused: it holds as many messages as it may, or the sink accepts none";
  }

  private static String work(Sinks.Member sink) {
    return sink.kind()
        + " accepts"
        + (sink.isRequired() ? "" : "; " + sink.sink().missed() + " messages missed")
        + rules(sink.ruleCounts());
  }

  private static String rules(RuleCounts counts) {
    int largest = 0;
    long drops = 0;
    long mostDrops = 0;
    long observed = 0;
    for (Map.Entry<Integer, RuleCounts.Count> each : counts.byRule().entrySet()) {
      long ofRule = each.getValue().dropped();
      drops += ofRule;
      observed += each.getValue().observed();
      if (ofRule > mostDrops) {
        mostDrops = ofRule;
        largest = each.getKey();
      }
    }
    return (drops == 0
            ? ""
            : "; its rules dropped %d messages, most by rule %d (%d)"
                .formatted(drops, largest, mostDrops))
        + (observed == 0 ? "" : "; its rules would drop %d more".formatted(observed));
  }

  private String work(Ledgers.Fallback fallback) {
    return fallback.where() + (isAsked(fallback) ? ", every batch is compared" : ", stands by");
  }

  private String storeName() {
    return inside.config().dedup().store().word();
  }

  Condition stream(String stream) {
    return board.condition(QueueConsumer.subject(stream));
  }

  Condition store() {
    return board.condition(storeName());
  }

  Condition fallback(Ledgers.Fallback fallback) {
    return board.condition(fallback.name());
  }

  Condition sink(Sinks.Member sink) {
    return board.condition(sink.subject());
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
}
