package io.duplog.bridge;

import io.duplog.bridge.settings.BridgeConfig;
import io.duplog.bridge.settings.DedupConfig;
import io.duplog.bridge.settings.SinkConfig;
import io.duplog.bridge.status.BridgeParts;
import io.duplog.bridge.status.BridgeStatus;
import io.duplog.bridge.status.LagStatus;
import io.duplog.bridge.status.OtherBridges;
import io.duplog.config.ConfigException;
import io.duplog.config.Durations;
import io.duplog.dedup.Digester;
import io.duplog.dedup.PeerSettings;
import io.duplog.deliver.Sinks;
import io.duplog.deliver.tap.TappedMessage;
import io.duplog.deliver.tap.Taps;
import io.duplog.lag.LagWatch;
import io.duplog.lag.Path;
import io.duplog.observe.Conditions;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates, starts, runs and stops all parts of one bridge, as its configuration says. {@code
 * docs/internals/threads.md} lists the threads.
 */
public final class Bridge {
  private static final Logger log = LoggerFactory.getLogger(Bridge.class);

  /** Pause of the settling thread in nanoseconds, while delivered batches wait to be settled. */
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Pause of the settling thread in nanoseconds, while no batch waits to be settled. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);

  /**
   * Time in nanoseconds since its last run after which the settling thread counts as stuck. Much
   * longer than any run takes.
   */
  private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final BridgeConfig config;
  private final LongSupplier nanoClock;
  private final Ledgers ledgers;
  private final Sinks sinks;
  private final Counters counters;
  private final BridgeStatus status;
  private final List<QueueConsumer> consumers = new ArrayList<>();
  private final DeadLetters deadLetters;
  private final Pipeline pipeline;
  private final SinkWatch sinkWatch;
  private final CoverageWiring coverageWiring;
  private final LagWatch lagWatch;
  private final PollingThread settlingThread = new PollingThread("settle", this::runOnce, () -> {});
  private volatile long lastRunNanos;

  // The fields below belong to the settling thread.

  private long reportAtNanos;
  private long retryAtNanos;

  /**
   * Creates a bridge, which closes the given ledgers and sink when it stops.
   *
   * @param board where the ledgers and the sink show what is wrong with them
   */
  public Bridge(BridgeConfig config, Ledgers ledgers, Sinks sinks, Conditions board) {
    this(config, ledgers, sinks, QueueConsumer.Environment.ofSystem(board));
  }

  /**
   * Creates a bridge with the given sources of connections, time and randomness, for tests.
   *
   * @param brokers the sources of connections, time and randomness
   */
  Bridge(BridgeConfig config, Ledgers ledgers, Sinks sinks, QueueConsumer.Environment brokers) {
    this(config, ledgers, sinks, brokers, new BatchDecoder(config.limits().toBatchLimits()));
  }

  /**
   * Creates a bridge that reads batches with the given decoder, which may be an old bridge's.
   * {@link #start} starts the threads.
   */
  Bridge(
      BridgeConfig config,
      Ledgers ledgers,
      Sinks sinks,
      QueueConsumer.Environment brokers,
      BatchDecoder batchDecoder) {
    this.config = config;
    this.sinks = sinks;
    Conditions board = brokers.board();
    this.nanoClock = board.nanoClock();
    LongSupplier wallMillis = board.wallMillis();
    this.lastRunNanos = nanoClock.getAsLong();
    this.retryAtNanos = lastRunNanos;
    this.reportAtNanos = lastRunNanos + REPORT_NANOS;
    List<String> streams = config.streamOrder();
    this.counters = new Counters(streams);
    Metrics metrics = new Metrics();
    this.ledgers = ledgers;
    PeerSettings peers = new PeerSettings(config.name(), config.sharedByAll(), board);
    OtherBridges others =
        new OtherBridges(
            config.name(), config.dedup().store(), () -> status().health(), counters, board);
    this.lagWatch =
        new LagWatch(
            streams,
            config.dedup().window(),
            config.lag(),
            this::path,
            ledgers.first(),
            List.of(peers, others),
            board);
    this.coverageWiring =
        new CoverageWiring(config, streams, ledgers.parts(), lagWatch::isCurrent, board);
    Taps taps = new Taps(this::tapped, nanoClock);
    BatchObserver observer =
        new BatchObserver(
            coverageWiring,
            lagWatch,
            taps,
            ledgers.fallbacks(),
            metrics,
            settlingThread::hurry,
            nanoClock,
            wallMillis);
    DeliveryDecoder decoder =
        new DeliveryDecoder(
            batchDecoder,
            new Digester(config.dedup().identity()),
            streams,
            ledgers.parts().size(),
            lagWatch::unmatchedUntilMillis,
            counters,
            observer,
            wallMillis);
    HeldBytes heldBytes = new HeldBytes(config.receive().prefetchBytes().bytes());
    int nodes = config.streams().stream().mapToInt(StreamConfig::places).sum();
    this.deadLetters = DeadLetters.of(config.queues(), brokers);
    this.pipeline =
        new Pipeline(
            config.pipeline(),
            decoder,
            ledgers,
            ReadBrokers.of(this::brokers, nodes, nanoClock),
            sinks,
            deadLetters,
            heldBytes,
            observer,
            nanoClock);
    AcknowledgePolicy policy = config.settle().acknowledgePolicy(config.queues());
    for (QueueSettings queue : config.queues()) {
      consumers.add(new QueueConsumer(queue, policy, heldBytes, pipeline::received, brokers));
    }
    this.sinkWatch = new SinkWatch(sinks, pipeline, consumers, config.settle().holdLimit(), board);
    this.status =
        new BridgeStatus(
            metrics,
            new BridgeParts(
                config, counters, consumers, deadLetters, pipeline, heldBytes, ledgers, sinks),
            board,
            this::isAlive,
            taps::open);
    new LagStatus(lagWatch, streams).addTo(status);
    status.addComponent(PeerSettings.SETTINGS, () -> "as on the other bridges");
    if (config.dedup().store() == DedupConfig.Store.REDIS) {
      status.addComponent(OtherBridges.COMPONENT, others::work);
    }
    status.document().add("bridges", others::section);
    coverageWiring.addTo(
        status, (stream, from, until) -> lagWatch.of(stream).losses().between(from, until));
  }

  /**
   * Creates the object with which one tap reads messages as a sink sends them.
   *
   * @param name the sink's name, or null for the first sink
   */
  private TappedMessage tapped(@Nullable String name) {
    Sinks.@Nullable Member member = name == null ? sinks.members().get(0) : sinks.named(name);
    @Nullable SinkConfig section = member == null ? null : config.allSinks().get(member.name());
    if (member == null || section == null) {
      throw new IllegalArgumentException(
          "sink must be one of " + String.join(", ", config.allSinks().keySet()));
    }
    return section.tapped(member);
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

  /** Whether the settling thread has completed a run within the last minute. Thread-safe. */
  public boolean isAlive() {
    return nanoClock.getAsLong() - lastRunNanos < STUCK_NANOS;
  }

  /**
   * Reads the files that the configuration names, except those of the sink. Called before {@link
   * #start}.
   *
   * @throws ConfigException that names what is wrong with a file
   */
  public void openFiles() throws ConfigException {
    coverageWiring.openFiles(config.name(), counters, sinks::accepted);
  }

  public void start() {
    coverageWiring.start();
    settlingThread.start();
    pipeline.start();
    deadLetters.start();
    consumers.forEach(QueueConsumer::start);
    lagWatch.start();
    log.info(
        "bridge {} merges streams {} into sink {}{}",
        config.name(),
        config.streamNames(),
        config.sinkNames(),
        config.dedup().mode() == DedupConfig.Mode.OBSERVE
            ? "; it also delivers the copies that it would drop (dedup.mode is observe)"
            : "");
  }

  /**
   * Returns each broker node that this bridge is or was connected to. If the queues of one node are
   * at different brokers, as for a moment after a node was rebuilt, returns a connected one.
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

  /** Reopens the sink's file after logrotate has moved it. Thread-safe. */
  public void reopenSink() {
    String reopened = sinks.reopen();
    log.info(
        "reload: {}",
        reopened == null
            ? "nothing to reopen: this sink writes no file"
            : reopened + " is reopened before the next line");
  }

  /**
   * Performs one run of the settling thread.
   *
   * @return nanoseconds to pause, unless the sink accepts something earlier
   */
  long runOnce() {
    boolean waiting = false;
    try {
      waiting = pipeline.runOnce();
    } catch (RuntimeException e) {
      log.error("Settling failed. Unsettled batches will be redelivered.", e);
    }
    long now = nanoClock.getAsLong();
    if (now - retryAtNanos >= 0) {
      pipeline.retryPostponed();
      retryAtNanos = now + RETRY_NANOS;
    }
    sinkWatch.runOnce();
    if (now - reportAtNanos >= 0) {
      log.info("{}", counters.summary());
      reportAtNanos = now + REPORT_NANOS;
    }
    lastRunNanos = now; // last, so that a defect above makes the bridge count as not alive
    return waiting ? SETTLE_NANOS : IDLE_NANOS;
  }

  /**
   * Stops the bridge. It takes no further deliveries, but delivers and settles the judged batches.
   * The brokers redeliver the rest.
   *
   * @param grace the longest wait for the sink
   * @return whether all judged batches are settled
   */
  public boolean stop(Duration grace) {
    log.info("stopping: settling the batches in flight, for at most {}", Durations.inWords(grace));
    lagWatch.stop();
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
      coverageWiring.stop();
      ledgers.leave();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    consumers.forEach(QueueConsumer::end);
    deadLetters.close();
    consumers.forEach(QueueConsumer::close);
    try {
      sinks.close();
    } catch (IOException e) {
      log.warn(
          "The sink did not close: {}. Unsettled batches will be redelivered.", e.getMessage());
    }
    ledgers.close();
    status.close();
    log.info(
        "stopped, {}: {}",
        settled ? "everything settled" : pipeline.held() + " unsettled batches will be redelivered",
        counters.summary());
    return settled;
  }
}
