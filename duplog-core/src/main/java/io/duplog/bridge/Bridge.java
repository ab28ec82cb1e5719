package io.duplog.bridge;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.settings.Settings;
import io.duplog.bridge.status.BridgeStatus;
import io.duplog.bridge.status.Inside;
import io.duplog.bridge.status.LagStatus;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.TimedLedger;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.Sink;
import io.duplog.lag.LagWatch;
import io.duplog.lag.Path;
import io.duplog.observe.Counters;
import io.duplog.observe.Metrics;
import io.duplog.pipeline.Delivered;
import io.duplog.pipeline.InFlightBatch;
import io.duplog.pipeline.Intake;
import io.duplog.pipeline.Ledgers;
import io.duplog.pipeline.Settler;
import io.duplog.pipeline.SinkWatch;
import io.duplog.pipeline.Timings;
import io.duplog.pipeline.Workers;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.DeadLetters;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.QueueDepth;
import io.duplog.receive.QueueSettings;
import io.duplog.wire.BatchDecoder;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running bridge: consumers hand deliveries to workers, workers have them judged and hand what is
 * kept to the sink, and one thread settles. {@code ARCHITECTURE.md} shows the threads.
 */
public final class Bridge {
  private static final Logger log = LoggerFactory.getLogger(Bridge.class);

  /** How often batches that wait for others are looked at. */
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** How often the lease and the report are looked at when nothing waits. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Shorter than any stall that would show, longer than a pause of Redis that nobody notices. */
  private static final Duration RELEASE_AFTER = Duration.ofSeconds(1);

  private static final long RETRY_PARKED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Many times longer than the longest turn of the settling thread. */
  private static final long STALLED_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** Where a bridge's brokers, time and chance come from. */
  record Surroundings(QueueConsumer.Surroundings brokers, LongSupplier wallMillis) {
    static Surroundings ofSystem() {
      return new Surroundings(QueueConsumer.Surroundings.ofSystem(), System::currentTimeMillis);
    }

    LongSupplier nanoClock() {
      return brokers.nanoClock();
    }
  }

  private final BridgeConfig config;
  private final LongSupplier nanoClock;
  private final List<String> streams;
  private final Ledgers ledgers;

  /** For each fallback, the copies that it has judged. */
  private final List<LongAdder> judgedApart;

  private final Sink sink;
  private final boolean observing;
  private final Counters counters;
  private final Timings timings;
  private final BridgeStatus status;
  private final List<QueueConsumer> consumers = new ArrayList<>();
  private final DeadLetters deadLetters;
  private final Settler settler;
  private final Workers workers;
  private final SinkWatch watch;
  private final Comparison comparison;
  private final LagWatch lag;
  private final Thread settling = new Thread(this::settleUntilStopped, "settle");
  private final Onward onward = new Onward();
  private volatile long turnedNanos;
  private volatile boolean stopped;

  // By the settling thread.

  private long reportAtNanos;
  private long retryAtNanos;

  /** Ledgers and sink belong to the bridge from here on, which closes them. */
  public Bridge(BridgeConfig config, Ledgers ledgers, Sink sink) {
    this(config, ledgers, sink, Surroundings.ofSystem());
  }

  /** The same somewhere else. Nothing runs before {@link #start}. */
  public Bridge(BridgeConfig config, Ledgers ledgers, Sink sink, Surroundings surroundings) {
    this.config = config;
    this.nanoClock = surroundings.nanoClock();
    this.turnedNanos = nanoClock.getAsLong();
    this.retryAtNanos = turnedNanos;
    this.reportAtNanos = turnedNanos + REPORT_NANOS;
    this.streams = Settings.streamOrder(config);
    this.counters = new Counters(streams);
    Metrics metrics = new Metrics();
    this.timings = Timings.of(metrics);
    this.ledgers = ledgers.wrapped(ledger -> new TimedLedger(ledger, timings.judge()));
    this.judgedApart = ledgers.fallbacks().stream().map(each -> new LongAdder()).toList();
    this.sink = sink;
    this.observing = config.dedup().mode() == DedupConfig.Mode.OBSERVE;
    this.settler =
        new Settler(
            this.ledgers.parts(),
            this.ledgers.behind(),
            new Settler.Surroundings() {
              @Override
              public void deliver(InFlightBatch inFlight, BitSet copies) {
                Bridge.this.deliver(inFlight, copies);
              }

              @Override
              public void judgeLater(InFlightBatch inFlight) {
                workers().park(inFlight);
              }

              @Override
              public void counted(InFlightBatch inFlight, Judgement.Counted counted) {
                comparison().counted(inFlight, counted);
              }

              @Override
              public void countedApart(InFlightBatch inFlight, int fallback) {
                judgedApart.get(fallback).add(inFlight.batch().count());
                comparison().passed(inFlight);
              }
            },
            config.dedup().lease(),
            config.settle().holdLimit(),
            RELEASE_AFTER,
            observing,
            nanoClock);
    this.lag =
        new LagWatch(
            streams,
            config.dedup().window(),
            config.lag(),
            this::path,
            this.ledgers.first(),
            nanoClock,
            surroundings.wallMillis());
    Intake intake =
        new Intake(
            new BatchDecoder(config.limits().toBatchLimits()),
            new Digester(config.dedup().identity()),
            streams,
            ledgers.parts().size(),
            config.dedup().window(),
            counters,
            lag,
            surroundings.wallMillis());
    HeldBytes heldBytes = new HeldBytes(config.receive().prefetchBytes().bytes());
    this.workers = new Workers(intake, settler, heldBytes, config.receive().workers(), nanoClock);
    AcknowledgePolicy policy = Settings.acknowledgePolicy(config);
    for (QueueSettings queue : Settings.queues(config)) {
      consumers.add(
          new QueueConsumer(queue, policy, heldBytes, workers::take, surroundings.brokers()));
    }
    this.deadLetters = DeadLetters.of(Settings.firstQueues(config), surroundings.brokers());
    this.watch = new SinkWatch(sink, settler, consumers, config.settle().holdLimit(), nanoClock);
    this.status =
        new BridgeStatus(
            metrics,
            new Inside(
                config,
                counters,
                consumers,
                deadLetters,
                settler,
                heldBytes,
                this.ledgers,
                judgedApart,
                sink,
                this::isAlive));
    new LagStatus(lag, streams).addTo(status);
    this.comparison = new Comparison(config, streams, this.ledgers.parts());
    comparison.addTo(status);
  }

  private Comparison comparison() {
    return comparison;
  }

  Workers workers() {
    return workers;
  }

  List<QueueConsumer> consumers() {
    return consumers;
  }

  DeadLetters deadLetters() {
    return deadLetters;
  }

  Counters counters() {
    return counters;
  }

  /** What an operator can see of it. */
  public BridgeStatus status() {
    return status;
  }

  /** Whether the settling thread is at work. Any thread. */
  public boolean isAlive() {
    return nanoClock.getAsLong() - turnedNanos < STALLED_NANOS;
  }

  public void start() {
    comparison.start();
    settling.start();
    workers.start();
    deadLetters.start();
    consumers.forEach(QueueConsumer::start);
    lag.start();
    log.info(
        "bridge {} merges the streams {} into {}{}",
        config.name(),
        config.streamNames(),
        config.sink().type(),
        observing ? ", and delivers what it would drop, too (dedup.mode is observe)" : "");
  }

  /** What is known of the way to a stream: of all its queues together. */
  private Path path(String stream) {
    boolean connected = true;
    boolean held = false;
    long ready = 0;
    int queues = 0;
    int readers = 1;
    String broker = null;
    for (QueueConsumer consumer : consumers) {
      if (consumer.stream().equals(stream)) {
        QueueDepth depth = consumer.depth();
        connected &= depth != null;
        queues++;
        held |= consumer.isHeld();
        ready += depth == null ? 0 : depth.ready();
        readers = Math.max(readers, depth == null ? 1 : depth.consumers());
        broker = consumer.broker();
      }
    }
    return new Path(connected, held, connected ? ready : -1, queues, readers, broker);
  }

  /** Opens the sink's file again, after logrotate has moved it. Any thread. */
  public void reopenSink() {
    String reopened = sink.reopen();
    log.info(
        "SIGHUP: {}",
        reopened == null
            ? "nothing to open again, the sink writes no file"
            : reopened + " is opened again before the next line");
  }

  private void deliver(InFlightBatch inFlight, BitSet copies) {
    if (inFlight.bypassed()) {
      comparison.passed(inFlight);
    }
    DeliveryRequest.Passage passage = passage(inFlight);
    String stream = streams.get(inFlight.claim().stream());
    sink.deliver(
        new DeliveryRequest(
            stream,
            inFlight.batch(),
            copies,
            passage,
            inFlight.receivedMillis(),
            inFlight.claim().digests()::hex,
            new Delivered(
                inFlight, passage, copies.cardinality(), counters.of(stream), timings, onward)));
  }

  private DeliveryRequest.Passage passage(InFlightBatch inFlight) {
    if (inFlight.bypassed()) {
      return DeliveryRequest.Passage.BYPASSED;
    }
    if (!inFlight.released()) {
      return DeliveryRequest.Passage.KEPT;
    }
    return observing ? DeliveryRequest.Passage.OBSERVED : DeliveryRequest.Passage.RELEASED;
  }

  /** How the batch goes on when the sink has told its copies' outcome. */
  private final class Onward implements Delivered.Next {
    @Override
    public void accepted(InFlightBatch inFlight) {
      settler.delivered(inFlight);
      LockSupport.unpark(settling);
    }

    @Override
    public void withdrawn(InFlightBatch inFlight) {
      settler.withdrawn(inFlight);
    }

    @Override
    public void refused(InFlightBatch inFlight, int message, String reason, Runnable kept) {
      deadLetters.add(
          streams.get(inFlight.claim().stream()),
          inFlight.batch(),
          message,
          inFlight.receivedMillis(),
          reason,
          kept);
    }
  }

  private void settleUntilStopped() {
    while (!stopped) {
      LockSupport.parkNanos(this, runOnce());
    }
  }

  /**
   * One turn of the settling thread.
   *
   * @return how many nanoseconds there is nothing to do, unless the sink accepts something
   */
  long runOnce() {
    boolean waiting = false;
    try {
      waiting = settler.runOnce();
    } catch (RuntimeException e) {
      log.error("settling failed; what is unsettled comes again", e);
    }
    long now = nanoClock.getAsLong();
    turnedNanos = now;
    if (now - retryAtNanos >= 0) {
      workers.retryParked();
      retryAtNanos = now + RETRY_PARKED_NANOS;
    }
    watch.runOnce();
    if (now - reportAtNanos >= 0) {
      log.info("{}", counters.summary());
      reportAtNanos = now + REPORT_NANOS;
    }
    return waiting ? SETTLE_NANOS : IDLE_NANOS;
  }

  /**
   * Stops: takes no more, delivers and settles what is judged, and leaves the rest to come again.
   *
   * @param grace how long to wait for the sink
   * @return whether everything that was judged is settled
   */
  public boolean stop(Duration grace) {
    log.info("stopping: settling what is in flight, {} s at most", grace.toSeconds());
    lag.stop();
    consumers.forEach(QueueConsumer::stop);
    long deadline = nanoClock.getAsLong() + grace.toNanos();
    workers.stopTaking();
    while ((!workers.isIdle() || settler.held() > 0) && nanoClock.getAsLong() - deadline < 0) {
      LockSupport.parkNanos(this, SETTLE_NANOS);
    }
    boolean settled = settler.held() == 0;
    workers.stop();
    stopped = true;
    LockSupport.unpark(settling);
    try {
      settling.join();
      comparison.stop();
      ledgers.leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    deadLetters.close();
    consumers.forEach(QueueConsumer::close);
    try {
      sink.close();
    } catch (IOException e) {
      log.warn("sink did not close: {}", e.getMessage());
    }
    ledgers.close();
    status.close();
    log.info(
        "stopped, {}: {}",
        settled ? "everything settled" : settler.held() + " batches unsettled, they come again",
        counters.summary());
    return settled;
  }
}
