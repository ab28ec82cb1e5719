package io.duplog.bridge;

import io.duplog.dedup.Judgement;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.tap.Taps;
import io.duplog.lag.LagWatch;
import io.duplog.observe.Metrics;
import io.duplog.pipeline.InFlightBatch;
import io.duplog.pipeline.Ledgers;
import io.duplog.pipeline.Observer;
import io.duplog.wire.Heartbeat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Passes what happens to each batch in the pipeline on to the bridge's coverage, lag, metrics and
 * taps.
 */
final class BatchObserver implements Observer {
  private final CoverageWiring coverageWiring;
  private final LagWatch lagWatch;
  private final Taps taps;
  private final Runnable wakeSettling;
  private final LongSupplier nanoClock;
  private final LongSupplier wallMillis;
  private final LongConsumer judgeNanos;
  private final LongConsumer sinkNanos;
  private final LongConsumer delayNanos;
  private final List<Ledgers.Fallback> fallbacks;

  /**
   * @param fallbacks fallback ledgers, whose counted copies are added up
   * @param wakeSettling run when the sink has accepted something
   */
  BatchObserver(
      CoverageWiring coverageWiring,
      LagWatch lagWatch,
      Taps taps,
      List<Ledgers.Fallback> fallbacks,
      Metrics metrics,
      Runnable wakeSettling,
      LongSupplier nanoClock,
      LongSupplier wallMillis) {
    this.coverageWiring = coverageWiring;
    this.lagWatch = lagWatch;
    this.taps = taps;
    this.wakeSettling = wakeSettling;
    this.nanoClock = nanoClock;
    this.wallMillis = wallMillis;
    this.fallbacks = fallbacks;
    this.judgeNanos = metrics.durations("duplog.judge", "Time the store takes to judge a batch");
    this.sinkNanos =
        metrics.durations("duplog.sink", "Time the sink takes to accept a batch's copies");
    this.delayNanos =
        metrics.durations(
            "duplog.delay",
            "Time from a batch's publication at the ingest node, by that node's clock, until the"
                + " sink accepted its copies");
  }

  @Override
  public void delivering(DeliveryRequest delivery) {
    taps.offer(delivery);
  }

  @Override
  public void beat(String stream, Heartbeat heartbeat) {
    lagWatch.of(stream).beat(heartbeat);
  }

  @Override
  public void named(String stream) {
    lagWatch.of(stream).named();
  }

  @Override
  public void misnamed(String stream, String stated) {
    lagWatch.of(stream).misnamed(stated);
  }

  @Override
  public void arrived(String stream) {
    lagWatch.of(stream).arrived();
  }

  @Override
  public void judged(long nanos) {
    judgeNanos.accept(nanos);
  }

  @Override
  public void counted(InFlightBatch batch, Judgement.Counted counted) {
    coverageWiring.counted(batch, counted);
  }

  @Override
  public void countedApart(InFlightBatch batch, int fallback) {
    fallbacks.get(fallback).copies().add(batch.batch().count());
    coverageWiring.passed(batch);
  }

  @Override
  public void passed(InFlightBatch batch) {
    coverageWiring.passed(batch);
  }

  @Override
  public void refused(InFlightBatch batch, int message) {
    coverageWiring.refused(batch, message);
  }

  @Override
  public void delivered(InFlightBatch batch) {
    sinkNanos.accept(nanoClock.getAsLong() - batch.requestNanos());
    delayNanos.accept(
        TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong() - batch.receivedMillis()));
  }

  @Override
  public void settlingDue() {
    wakeSettling.run();
  }

  @Override
  public void settled(InFlightBatch batch) {
    lagWatch.of(batch.stream()).settled(batch.publishedMillis());
    lagWatch.of(batch.stream()).ended();
  }

  @Override
  public void forgotten(InFlightBatch batch) {
    lagWatch.of(batch.stream()).ended();
  }
}
