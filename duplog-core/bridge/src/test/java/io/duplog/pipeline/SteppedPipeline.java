package io.duplog.pipeline;

import com.rabbitmq.client.AMQP;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Ledger;
import io.duplog.deliver.Sink;
import io.duplog.observe.Counters;
import io.duplog.receive.Delivery;
import io.duplog.receive.HeldBytes;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.StreamBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Runs a bridge's pipeline without threads, so that a test takes each step itself. */
public final class SteppedPipeline {
  private static final byte[] NO_BODY = {};
  private static final AMQP.BasicProperties NO_PROPERTIES = new AMQP.BasicProperties();
  private static final HeldBytes BYTES = new HeldBytes(Long.MAX_VALUE);

  /** One decoder for all bridges, since nothing is decoded here. */
  private static final DeliveryDecoder DECODER =
      new DeliveryDecoder(
          new BatchDecoder(BatchLimits.DEFAULT),
          new Digester(Identity.MESSAGE),
          List.of(),
          1,
          stream -> Long.MIN_VALUE,
          new Counters(List.of()),
          new Observer() {},
          () -> 0);

  private final Pipeline pipeline;
  private final Counters counters;

  public SteppedPipeline(
      PipelineSettings settings,
      List<Ledger> parts,
      List<Ledger> fallbacks,
      Sink sink,
      Counters counters,
      Observer observer,
      LongSupplier nanoClock) {
    this(settings, parts, fallbacks, List::of, sink, counters, observer, nanoClock);
  }

  /** Makes a pipeline whose bridge reads brokers that identify themselves. */
  public SteppedPipeline(
      PipelineSettings settings,
      List<Ledger> parts,
      List<Ledger> fallbacks,
      Supplier<List<StreamBroker>> brokers,
      Sink sink,
      Counters counters,
      Observer observer,
      LongSupplier nanoClock) {
    this.counters = counters;
    List<Ledgers.Fallback> behind =
        fallbacks.stream().map(ledger -> new Ledgers.Fallback("spare", "here", ledger)).toList();
    this.pipeline =
        new Pipeline(
            settings,
            DECODER,
            new Ledgers(parts, behind),
            ReadBrokers.of(brokers, 0, nanoClock),
            sink,
            (stream, batch, message, receivedMillis, refusingSink, reason, kept) -> {},
            BYTES,
            observer,
            nanoClock);
  }

  /** Judges what was delivered by a channel. */
  public void judge(
      Delivery.Channel channel,
      long tag,
      MessageBatch batch,
      Claim claim,
      boolean countable,
      int part) {
    pipeline.judge(
        new InFlightBatch(
            pipeline,
            new Delivery(channel, tag, false, NO_PROPERTIES, NO_BODY, BYTES),
            counters.of(channel.stream()),
            batch,
            claim,
            countable,
            0,
            part));
  }

  /** Returns the batches that another bridge works on. */
  public List<InFlightBatch> postponed() {
    List<InFlightBatch> batches = new ArrayList<>();
    pipeline.workers().postponed().forEach(parked -> batches.add(parked.batch()));
    return batches;
  }

  /** Judges one of them again. */
  public void judgeAgain(InFlightBatch batch) {
    pipeline.workers().postponed().removeIf(parked -> parked.batch() == batch);
    pipeline.judge(batch);
  }

  /** Takes a turn of the settling thread. */
  public void settle() {
    pipeline.runOnce();
  }

  public int held() {
    return pipeline.held();
  }

  public boolean isOverdue() {
    return pipeline.isOverdue();
  }

  /** Returns the state of everything: equal text, equal future. */
  public String fingerprint() {
    return pipeline.fingerprint();
  }
}
