package io.duplog.bridge.status;

import io.duplog.dedup.Ledger;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import io.duplog.observe.End;
import io.duplog.observe.Runbook;
import io.duplog.observe.StreamCounters;
import io.duplog.observe.Version;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueConsumer;
import io.duplog.tls.CertificateFile;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Publishes a bridge's counts as metrics for Prometheus. Counts nothing itself, but reads the
 * counters on demand.
 */
record BridgeMetrics(NamedMetrics metrics, BridgeParts inside, Conditions board) {

  void register() {
    metrics.with("version", Version.number()).gauge("duplog.build", () -> 1);
    inside.counters().streams().forEach(this::registerStream);
    metrics.gauge("duplog.batches.held", () -> inside.pipeline().held());
    metrics.gauge("duplog.held.bytes", () -> inside.heldBytes().bytes());
    metrics.gauge("duplog.held.limit.bytes", () -> inside.heldBytes().limit());
    metrics.gauge("duplog.refused.waiting", () -> inside.deadLetters().waiting());
    registerLedgers(inside.ledgers());
    metrics.gauge("duplog.sink.isolated", () -> inside.sinks().isolated());
    inside.sinks().members().forEach(this::registerSink);
    for (CertificateFile file : inside.config().certificateFiles()) {
      metrics
          .with("file", file.path())
          .gauge("duplog.certificate.valid.seconds", () -> validSeconds(file));
    }
  }

  private void registerSink(Sinks.Member member) {
    NamedMetrics ofSink = metrics.with("sink", member.name());
    ofSink
        .with("required", Boolean.toString(member.isRequired()))
        .flag("duplog.sink.available", member::isAvailable);
    ofSink.counter("duplog.sink.delivered", member::delivered);
    ofSink.counter("duplog.sink.refused", member::refused);
    ofSink.counter("duplog.sink.missed", () -> member.sink().missed());
    member
        .ruleCounts()
        .onEachRule(
            (rule, count) -> {
              NamedMetrics ofRule = ofSink.with("rule", rule.toString());
              ofRule.counter("duplog.sink.filtered", count::dropped);
              ofRule.counter("duplog.sink.filter.observed", count::observed);
            });
    member
        .sink()
        .answers()
        .forEach((kind, count) -> ofSink.with("kind", kind).counter("duplog.hec.answers", count));
  }

  private void registerLedgers(Ledgers ledgers) {
    metrics.flag("duplog.store.available", ledgers::areAvailable);
    metrics.counter("duplog.store.failures", ledgers::failures);
    List<Ledger> parts = ledgers.parts();
    String store = inside.config().dedup().store().word();
    metrics.flag("duplog.store.forgets", () -> board.has(store, Runbook.STORE_FORGETS));
    for (int i = 0; i < parts.size() && parts.size() > 1; i++) {
      metrics
          .with("part", Integer.toString(i))
          .flag("duplog.store.part.available", parts.get(i)::isAvailable);
    }
    for (Ledgers.Fallback fallback : ledgers.fallbacks()) {
      NamedMetrics ofFallback = metrics.with("fallback", fallback.name());
      ofFallback.flag("duplog.fallback.available", fallback.ledger()::isAvailable);
      ofFallback.counter("duplog.fallback.copies", fallback.copies()::sum);
    }
  }

  private static double validSeconds(CertificateFile file) {
    try {
      return Duration.between(Instant.now(), file.validUntil()).toSeconds();
    } catch (IOException e) {
      return Double.NaN; // the connection that needs the file says why
    }
  }

  private void registerStream(StreamCounters counts) {
    String stream = counts.stream();
    NamedMetrics ofStream = metrics.with("stream", stream);
    ofStream.counter("duplog.batches.received", counts.receivedBatches::sum);
    ofStream.counter("duplog.copies.received", counts.received::sum);
    for (End end : End.values()) {
      (end.isDelivered() ? ofStream.with("passage", end.key()) : ofStream)
          .counter(end.metric(), () -> counts.sum(end));
    }
    ofStream.counter("duplog.heartbeats.received", counts.heartbeats::sum);
    ofStream.counter("duplog.heartbeats.strange", counts.strangeHeartbeats::sum);
    ofStream.counter("duplog.copies.late", counts.late::sum);
    ofStream.counter("duplog.copies.misnamed", counts.misnamed::sum);
    ofStream.gauge("duplog.copies.in.flight", counts::inFlight);
    ofStream.gauge("duplog.dead.letters", () -> inside.deadLetters().letters(stream));
    ofStream.gauge(
        "duplog.dead.letters.waiting", () -> inside.deadLetters().lettersWaiting(stream));
    ofStream.flag(
        "duplog.stream.newer.batches",
        () -> board.has(QueueConsumer.subject(stream), Runbook.BATCHES_TOO_NEW));
    ofStream.flag(
        "duplog.stream.connected",
        () -> inside.consumersOf(stream).stream().allMatch(QueueConsumer::isConnected));
  }
}
