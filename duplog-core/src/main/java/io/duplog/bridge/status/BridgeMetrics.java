package io.duplog.bridge.status;

import io.duplog.bridge.settings.Settings;
import io.duplog.dedup.Ledger;
import io.duplog.observe.Metrics;
import io.duplog.observe.StreamCounters;
import io.duplog.observe.Version;
import io.duplog.pipeline.Ledgers;
import io.duplog.receive.QueueConsumer;
import io.duplog.tls.CertificateFile;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** Publishes the counts of the journey. Nothing is counted here: what counts is read. */
final class BridgeMetrics {
  private final Metrics metrics;
  private final Inside inside;

  BridgeMetrics(Metrics metrics, Inside inside) {
    this.metrics = metrics;
    this.inside = inside;
  }

  void register() {
    metrics.gauge(
        "duplog.build", "Always 1; the label says what runs", () -> 1, "version", Version.number());
    inside.counters().streams().forEach(this::registerStream);
    metrics.gauge(
        "duplog.batches.held",
        "Batches that are judged and not settled",
        () -> inside.pipeline().held());
    metrics.gauge(
        "duplog.held.bytes",
        "Bytes of batches that the bridge holds",
        () -> inside.heldBytes().bytes());
    metrics.gauge(
        "duplog.held.limit.bytes",
        "Bytes of batches at which the bridge takes no more",
        () -> inside.heldBytes().limit());
    metrics.gauge(
        "duplog.refused.waiting",
        "Messages that the sink refused and that wait in the bridge to be safe on two brokers",
        () -> inside.deadLetters().waiting());
    metrics.gauge(
        "duplog.store.available",
        "1 while the store (Redis) is asked, 0 while batches go on without it, or without a part of it",
        () -> inside.ledgers().areAvailable() ? 1 : 0);
    metrics.counter(
        "duplog.store.failures", "Calls that the store failed", () -> inside.ledgers().failures());
    List<Ledger> parts = inside.ledgers().parts();
    for (int i = 0; i < parts.size() && parts.size() > 1; i++) {
      registerPart(i, parts.get(i));
    }
    List<Ledgers.Fallback> fallbacks = inside.ledgers().fallbacks();
    for (int i = 0; i < fallbacks.size(); i++) {
      registerFallback(fallbacks.get(i), inside.judgedApart().get(i));
    }
    metrics.gauge(
        "duplog.sink.available",
        "1 while the sink accepts, as far as it knows",
        () -> inside.sink().isAvailable() ? 1 : 0,
        "sink",
        inside.config().sink().type().name().toLowerCase(Locale.ROOT));
    metrics.gauge(
        "duplog.sink.isolated",
        "Messages that the sink tries apart, since they failed where others may not",
        () -> inside.sink().isolated());
    Settings.certificateFiles(inside.config()).forEach(this::registerCertificates);
    inside
        .sink()
        .answers()
        .forEach(
            (kind, count) ->
                metrics.counter(
                    "duplog.hec.answers", "Answers to requests with events", count, "kind", kind));
  }

  private void registerPart(int number, Ledger ledger) {
    metrics.gauge(
        "duplog.store.part.available",
        "1 while a part of the store is asked; a stream's queues have their parts' numbers",
        () -> ledger.isAvailable() ? 1 : 0,
        "part",
        Integer.toString(number));
  }

  private void registerFallback(Ledgers.Fallback fallback, LongAdder judged) {
    metrics.gauge(
        "duplog.fallback.available",
        "1 while the fallback would be asked, should all before it be away",
        () -> fallback.ledger().isAvailable() ? 1 : 0,
        "fallback",
        fallback.name());
    metrics.counter(
        "duplog.fallback.copies",
        "Copies that the fallback has judged while all before it were away",
        judged::sum,
        "fallback",
        fallback.name());
  }

  private void registerCertificates(CertificateFile file) {
    metrics.gauge(
        "duplog.certificate.valid.seconds",
        "Until the certificates of a file end; below zero where they have ended, NaN where they"
            + " can't be read",
        () -> {
          try {
            return Duration.between(Instant.now(), file.validUntil()).toSeconds();
          } catch (IOException e) {
            return Double.NaN; // the hop that needs it says why
          }
        },
        "file",
        file.path());
  }

  private void registerStream(StreamCounters counts) {
    String stream = counts.stream();
    count("batches.received", "Batches that were received", counts.receivedBatches, stream);
    count("copies.received", "Copies that were received", counts.received, stream);
    delivered("kept", counts.kept, stream);
    delivered("bypassed", counts.bypassed, stream);
    delivered("released", counts.released, stream);
    delivered("observed", counts.observed, stream);
    count("copies.dropped", "Copies dropped as duplicates", counts.dropped, stream);
    count(
        "copies.repeated",
        "Copies of batches that came again after they had been delivered",
        counts.repeated,
        stream);
    count(
        "copies.refused",
        "Copies that the sink refused for good, now in a dead-letter queue",
        counts.refused,
        stream);
    count(
        "copies.dead.lettered",
        "Bodies that could not be used and went to a dead-letter queue",
        counts.deadLettered,
        stream);
    count(
        "copies.given.back",
        "Copies whose channel was lost before they were delivered; they come again",
        counts.givenBack,
        stream);
    count("heartbeats.received", "Heartbeats of the shim", counts.heartbeats, stream);
    count(
        "heartbeats.strange",
        "Bodies that call themselves heartbeats and are none; they are ignored",
        counts.strangeHeartbeats,
        stream);
    count("copies.late", "Copies older than the window when they came", counts.late, stream);
    count(
        "copies.misnamed",
        "Copies in batches that say another stream: they are not compared, and delivered",
        counts.misnamed,
        stream);
    metrics.gauge(
        "duplog.copies.in.flight",
        "Copies that were received and have not ended",
        counts::inFlight,
        "stream",
        stream);
    metrics.gauge(
        "duplog.dead.letters",
        "Letters in the dead-letter queue of the stream's broker, those of other streams included",
        () -> inside.deadLetters().letters(stream),
        "stream",
        stream);
    metrics.gauge(
        "duplog.dead.letters.waiting",
        "Letters that wait at the stream's broker for room among the dead letters, or for another broker",
        () -> inside.deadLetters().lettersWaiting(stream),
        "stream",
        stream);
    metrics.gauge(
        "duplog.stream.connected",
        "1 while every queue of the stream is connected",
        () -> inside.consumersOf(stream).stream().allMatch(QueueConsumer::isConnected) ? 1 : 0,
        "stream",
        stream);
  }

  private void count(String name, String help, LongAdder adder, String stream) {
    metrics.counter("duplog." + name, help, adder::sum, "stream", stream);
  }

  private void delivered(String passage, LongAdder adder, String stream) {
    metrics.counter(
        "duplog.copies.delivered",
        "Copies that the sink accepted",
        adder::sum,
        "stream",
        stream,
        "passage",
        passage);
  }
}
