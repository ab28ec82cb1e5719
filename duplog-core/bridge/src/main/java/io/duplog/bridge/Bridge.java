package io.duplog.bridge;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.status.BridgeParts;
import io.duplog.bridge.status.BridgeStatus;
import io.duplog.bridge.status.LagStatus;
import io.duplog.bridge.status.OtherBridges;
import io.duplog.config.ConfigException;
import io.duplog.config.Durations;
import io.duplog.dedup.Digester;
import io.duplog.dedup.PeerSettings;
import io.duplog.deliver.Sink;
import io.duplog.deliver.tap.Taps;
import io.duplog.lag.LagWatch;
import io.duplog.lag.Path;
import io.duplog.observe.Counters;
import io.duplog.observe.Metrics;
import io.duplog.observe.PollingThread;
import io.duplog.pipeline.DeliveryDecoder;
import io.duplog.pipeline.Ledgers;
import io.duplog.pipeline.Pipeline;
import io.duplog.pipeline.ReadBrokers;
import io.duplog.receive.AcknowledgePolicy;
import io.duplog.receive.DeadLetters;
import io.duplog.receive.HeldBytes;
import io.duplog.receive.QueueConsumer;
import io.duplog.receive.QueueDepth;
import io.duplog.receive.QueueSettings;
import io.duplog.receive.StreamConfig;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.StreamBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running bridge: queue consumers, a {@link Pipeline} and a sink, wired together with what
 * watches them. {@code docs/internals/threads.md} lists the threads.
 */
public final class Bridge {
  private static final Logger log = LoggerFactory.getLogger(Bridge.class);

  /** Pause of the settling thread in nanoseconds, while delivered batches wait to be settled. */
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Pause of the settling thread in nanoseconds, while no batch waits to be settled. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long RETRY_PARKED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * Time in nanoseconds since its last turn after which the settling thread counts as stuck; far
   * longer than any turn takes.
   */
  private static final long STALLED_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final BridgeConfig config;
  private final LongSupplier nanoClock;
  private final Ledgers ledgers;
  private final Sink sink;
  private final Counters counters;
  private final BridgeStatus status;
  private final List<QueueConsumer> consumers = new ArrayList<>();
  private final DeadLetters deadLetters;
  private final Pipeline pipeline;
  private final SinkWatch watch;
  private final CoverageWiring coverage;
  private final LagWatch lag;
  private final PollingThread settlingThread = new PollingThread("settle", this::runOnce, () -> {});
  private volatile long lastTurnNanos;

  // The fields below belong to the settling thread.

  private long reportAtNanos;
  private long retryAtNanos;

  /** Creates a bridge, which closes the given ledgers and sink when it stops. */
  public Bridge(BridgeConfig config, Ledgers ledgers, Sink sink) {
    this(config, ledgers, sink, QueueConsumer.Environment.ofSystem(), System::currentTimeMillis);
  }

  /**
   * Creates a bridge with the given sources of connections, time and randomness, for tests. Nothing
   * runs before {@link #start}.
   *
   * @param brokers the sources of connections, time and randomness
   */
  Bridge(
      BridgeConfig config,
      Ledgers ledgers,
      Sink sink,
      QueueConsumer.Environment brokers,
      LongSupplier wallMillis) {
    this.config = config;
    this.sink = sink;
    this.nanoClock = brokers.nanoClock();
    this.lastTurnNanos = nanoClock.getAsLong();
    this.retryAtNanos = lastTurnNanos;
    this.reportAtNanos = lastTurnNanos + REPORT_NANOS;
    List<String> streams = config.streamOrder();
    this.counters = new Counters(streams);
    Metrics metrics = new Metrics();
    this.ledgers = ledgers;
    PeerSettings peers = new PeerSettings(config.name(), config.sharedByAll(), nanoClock);
    OtherBridges others =
        new OtherBridges(
            config.name(), config.dedup().store(), () -> status().health(), counters, nanoClock);
    this.lag =
        new LagWatch(
            streams,
            config.dedup().window(),
            config.lag(),
            this::path,
            ledgers.first(),
            List.of(peers, others),
            nanoClock,
            wallMillis);
    this.coverage =
        new CoverageWiring(config, streams, ledgers.parts(), lag::isCurrent, wallMillis);
    Taps taps = new Taps(() -> config.sink().tapped(sink.routing()), nanoClock);
    BatchObserver observer =
        new BatchObserver(
            coverage,
            lag,
            taps,
            ledgers.fallbacks(),
            metrics,
            settlingThread::hurry,
            nanoClock,
            wallMillis);
    DeliveryDecoder decoder =
        new DeliveryDecoder(
            new BatchDecoder(config.limits().toBatchLimits()),
            new Digester(config.dedup().identity()),
            streams,
            ledgers.parts().size(),
            lag::unmatchedUntilMillis,
            counters,
            observer,
            wallMillis);
    HeldBytes heldBytes = new HeldBytes(config.receive().prefetchBytes().bytes());
    int places = config.streams().stream().mapToInt(StreamConfig::places).sum();
    this.deadLetters = DeadLetters.of(config.queues(), brokers);
    this.pipeline =
        new Pipeline(
            config.pipeline(),
            decoder,
            ledgers,
            ReadBrokers.of(this::brokers, places, nanoClock),
            sink,
            deadLetters,
            heldBytes,
            observer,
            nanoClock);
    AcknowledgePolicy policy = config.settle().acknowledgePolicy(config.queues());
    for (QueueSettings queue : config.queues()) {
      consumers.add(new QueueConsumer(queue, policy, heldBytes, pipeline::received, brokers));
    }
    this.watch = new SinkWatch(sink, pipeline, consumers, config.settle().holdLimit(), nanoClock);
    this.status =
        new BridgeStatus(
            metrics,
            new BridgeParts(
                config, counters, consumers, deadLetters, pipeline, heldBytes, ledgers, sink),
            this::isAlive,
            taps::open);
    new LagStatus(lag, streams, peers).addTo(status);
    status.document().add("bridges", others::json);
    coverage.addTo(status, (stream, from, until) -> lag.of(stream).losses().between(from, until));
  }

  Pipeline pipeline() {
    return pipeline;
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

  /** Returns the bridge's metrics, health and state document, for operators. */
  public BridgeStatus status() {
    return status;
  }

  /**
   * Whether the settling thread has made a turn within the last minute. May be called from any
   * thread.
   */
  public boolean isAlive() {
    return nanoClock.getAsLong() - lastTurnNanos < STALLED_NANOS;
  }

  /**
   * Reads the files that the configuration names and that are not the sink's. Called before {@link
   * #start}.
   *
   * @throws ConfigException that names what is wrong with a file
   */
  public void openFiles() throws ConfigException {
    coverage.openFiles(config.name(), counters, sink::accepted);
  }

  public void start() {
    coverage.start();
    settlingThread.start();
    pipeline.start();
    deadLetters.start();
    consumers.forEach(QueueConsumer::start);
    lag.start();
    log.info(
        "bridge {} merges the streams {} into {}{}",
        config.name(),
        config.streamNames(),
        config.sink().type(),
        config.dedup().mode() == DedupConfig.Mode.OBSERVE
            ? ", and delivers what it would drop, too (dedup.mode is observe)"
            : "");
  }

  /**
   * Returns the broker of each place that this bridge is or was connected to. If the queues of a
   * place are at different brokers, as for a moment after one was rebuilt, returns a broker that is
   * connected.
   */
  private List<StreamBroker> brokers() {
    Map<String, StreamBroker> brokers = new LinkedHashMap<>();
    consumers.stream()
        .map(QueueConsumer::broker)
        .filter(Objects::nonNull)
        .forEach(
            broker ->
                brokers.merge(
                    broker.place(), broker, (one, other) -> one.connected() ? one : other));
    return List.copyOf(brokers.values());
  }

  /** Returns the state of the connections to all queues of a stream. */
  private Path path(String stream) {
    List<QueueConsumer> queues =
        consumers.stream().filter(consumer -> consumer.stream().equals(stream)).toList();
    List<QueueDepth> depths =
        queues.stream().map(QueueConsumer::depth).filter(Objects::nonNull).toList();
    boolean connected = depths.size() == queues.size();
    return new Path(
        connected,
        queues.stream().anyMatch(QueueConsumer::isHeld),
        connected ? depths.stream().mapToLong(QueueDepth::ready).sum() : -1,
        queues.size(),
        Math.max(1, depths.stream().mapToInt(QueueDepth::consumers).max().orElse(1)),
        brokers().stream()
            .filter(broker -> broker.connected() && broker.stream().equals(stream))
            .map(StreamBroker::id)
            .findFirst()
            .orElse(null));
  }

  /** Reopens the sink's file after logrotate has moved it. May be called from any thread. */
  public void reopenSink() {
    String reopened = sink.reopen();
    log.info(
        "reload: {}",
        reopened == null
            ? "nothing to open again, the sink writes no file"
            : reopened + " is opened again before the next line");
  }

  /**
   * Performs one turn of the settling thread.
   *
   * @return nanoseconds to pause, unless the sink accepts something before
   */
  long runOnce() {
    boolean waiting = false;
    try {
      waiting = pipeline.runOnce();
    } catch (RuntimeException e) {
      log.error("settling failed; what is unsettled comes again", e);
    }
    long now = nanoClock.getAsLong();
    if (now - retryAtNanos >= 0) {
      pipeline.retryParked();
      retryAtNanos = now + RETRY_PARKED_NANOS;
    }
    watch.runOnce();
    if (now - reportAtNanos >= 0) {
      log.info("{}", counters.summary());
      reportAtNanos = now + REPORT_NANOS;
    }
    lastTurnNanos = now; // last, so that a defect above shows as a bridge that is not alive
    return waiting ? SETTLE_NANOS : IDLE_NANOS;
  }

  /**
   * Stops the bridge. It takes no more deliveries, delivers and settles what is judged, and leaves
   * the rest to be delivered again by the brokers.
   *
   * @param grace the longest wait for the sink
   * @return whether everything that was judged is settled
   */
  public boolean stop(Duration grace) {
    log.info("stopping: settling what is in flight, {} at most", Durations.inWords(grace));
    lag.stop();
    consumers.forEach(QueueConsumer::stop);
    long deadline = nanoClock.getAsLong() + grace.toNanos();
    pipeline.stopTaking();
    while (!pipeline.isIdle() && nanoClock.getAsLong() - deadline < 0) {
      LockSupport.parkNanos(this, SETTLE_NANOS);
    }
    boolean settled = pipeline.held() == 0;
    pipeline.stop();
    settlingThread.close();
    try {
      settlingThread.join();
      coverage.stop();
      ledgers.leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    consumers.forEach(QueueConsumer::end);
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
        settled ? "everything settled" : pipeline.held() + " batches unsettled, they come again",
        counters.summary());
    return settled;
  }
}
