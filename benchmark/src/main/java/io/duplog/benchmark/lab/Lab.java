package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A whole Duplog of real servers on private ports in one directory: the ingest nodes, Redis and the
 * bridges. They start in stages, each when the one before it serves, and stop in the opposite
 * order.
 *
 * <p>One thread starts it. Any other may close it meanwhile, so a shutdown hook can.
 */
public final class Lab implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofSeconds(90);

  /** RabbitMQ and a bridge with a full prefetch take longest. */
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(20);

  /** Servers that can start, and stop, at the same time. */
  private record Stage(String what, List<Server> servers) {}

  private final List<IngestNode> nodes = new ArrayList<>();
  private final List<Bridge> bridges = new ArrayList<>();
  private final Redis redis;
  private final @Nullable Network network;
  private final @Nullable HecStandIn hec;
  private final List<Stage> stages;
  private final Watchdog watchdog;
  private final LabDirectory directory;

  private final Object lock = new Object();

  /** Guarded by {@link #lock}. */
  private final Deque<Stage> started = new ArrayDeque<>();

  /** Guarded by {@link #lock}. */
  private boolean closed;

  /** Writes all configuration, and starts nothing. */
  public Lab(LabPlan plan) throws LabException {
    directory = new LabDirectory(plan.directory());
    Ports ports = new Ports();
    Epmd epmd = new Epmd(directory, ports.next());
    redis = new Redis(directory, ports.next());
    hec =
        switch (plan.sink()) {
          case FILE -> null;
          case HEC -> new HecStandIn(directory, ports.next(), ports.next(), false);
          case HEC_ACKNOWLEDGED -> new HecStandIn(directory, ports.next(), ports.next(), true);
        };
    Map<String, RabbitMq> brokers = new LinkedHashMap<>();
    Map<String, String> clock = Clock.shifted(plan.clockOffset());
    for (String stream : plan.streams()) {
      RabbitMq broker = new RabbitMq(stream, directory, epmd, ports.next(), ports.next());
      Shim shim = new Shim(stream, directory, plan.jars().shim(), broker.port());
      Rsyslog rsyslog =
          new Rsyslog(stream, directory, ports.next(), shim, nodes.isEmpty() ? clock : Map.of());
      brokers.put(stream, broker);
      nodes.add(new IngestNode(stream, rsyslog, broker, new QueueProbe(broker.port())));
    }
    Map<String, Integer> brokerPorts = new LinkedHashMap<>();
    brokers.forEach((stream, broker) -> brokerPorts.put(stream, broker.port()));
    Bridge.Peers direct = new Bridge.Peers(brokerPorts, redis.port(), hec == null ? 0 : hec.port());
    network = plan.proxied() ? Network.between(direct, ports) : null;
    for (int i = 1; i <= plan.bridges(); i++) {
      bridges.add(
          new Bridge(
              "bridge-" + i,
              directory,
              plan.jars().bridge(),
              i == 1 && network != null ? network.peers() : direct,
              hec,
              this::queuesAreShared));
    }
    stages = stages(epmd);
    watchdog = new Watchdog(directory.pidFiles());
  }

  private List<Stage> stages(Epmd epmd) {
    List<Server> stores = new ArrayList<>(nodes.stream().map(n -> n.broker().server()).toList());
    stores.add(redis.server());
    if (hec != null) {
      stores.add(hec.server());
    }
    return List.of(
        new Stage("epmd", List.of(epmd.server())),
        new Stage("RabbitMQ, Redis and the sink", stores),
        new Stage("bridges", bridges.stream().map(Bridge::server).toList()),
        new Stage("rsyslog", nodes.stream().map(n -> n.rsyslog().server()).toList()));
  }

  /**
   * Starts everything and returns when it serves.
   *
   * @param progress gets a line a stage
   * @throws LabException if a server fails, or the lab is closed meanwhile; {@link #close} must be
   *     called all the same
   */
  public void start(Consumer<String> progress) throws LabException, InterruptedException {
    guard();
    for (Stage stage : stages) {
      long begun = System.nanoTime();
      launch(stage);
      for (Server server : stage.servers()) {
        server.awaitReady(READY_WITHIN);
      }
      double seconds = Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0;
      progress.accept("%s ready after %.1f s".formatted(stage.what(), seconds));
    }
  }

  private void guard() throws LabException {
    synchronized (lock) {
      requireOpen();
      watchdog.start();
    }
  }

  private void launch(Stage stage) throws LabException {
    synchronized (lock) {
      requireOpen();
      started.push(stage);
      for (Server server : stage.servers()) {
        server.start();
      }
    }
  }

  private void requireOpen() throws LabException {
    if (closed) {
      throw new LabException("the lab was stopped while it started");
    }
  }

  /** A bridge serves once each queue has a consumer for every bridge that runs. */
  private boolean queuesAreShared() throws IOException {
    long running = bridges.stream().filter(bridge -> bridge.server().isAlive()).count();
    for (IngestNode node : nodes) {
      if (node.queue().state().consumers() < running) {
        return false;
      }
    }
    return true;
  }

  /** The ingest nodes, in the order of the plan. */
  public List<IngestNode> nodes() {
    return List.copyOf(nodes);
  }

  public List<Bridge> bridges() {
    return List.copyOf(bridges);
  }

  public Redis redis() {
    return redis;
  }

  /**
   * What lies between the first bridge and its peers.
   *
   * @throws IllegalStateException if the plan has no proxies
   */
  public Network network() {
    if (network == null) {
      throw new IllegalStateException("this lab has no proxies");
    }
    return network;
  }

  /**
   * What stands in for Splunk.
   *
   * @throws IllegalStateException if the plan has another sink
   */
  public HecStandIn hec() {
    if (hec == null) {
      throw new IllegalStateException("this lab has no HEC");
    }
    return hec;
  }

  /** The files that hold the merged stream: one a bridge, or one for all. */
  public List<Path> outputs() {
    return bridges.stream().map(Bridge::output).distinct().toList();
  }

  /** The logs of Duplog's own programs and of the rsyslogs that start some of them. */
  public List<Path> programLogs() {
    List<Path> logs = new ArrayList<>();
    for (IngestNode node : nodes) {
      logs.add(node.rsyslog().server().log());
      logs.add(directory.shimLog(node.stream()));
    }
    bridges.forEach(bridge -> logs.add(bridge.server().log()));
    return logs;
  }

  /**
   * Throws if a server has ended that should run.
   *
   * @throws LabException names it, its exit status and the end of its log
   */
  public void requireAlive() throws LabException {
    for (Stage stage : stages) {
      for (Server server : stage.servers()) {
        server.requireAlive();
      }
    }
  }

  /**
   * Stops the senders' side and the bridges as an operator would, rsyslog first, and leaves brokers
   * and Redis running, so that one can look at what is left in the queues.
   *
   * @return the names of those that did not end by themselves with status 0
   */
  public List<String> stopPrograms() {
    List<String> forced = new ArrayList<>();
    forced.addAll(stop(nodes.stream().map(node -> node.rsyslog().server()).toList()));
    forced.addAll(stop(bridges.stream().map(Bridge::server).toList()));
    return forced;
  }

  private static List<String> stop(List<Server> servers) {
    servers.forEach(Server::requestStop);
    return servers.stream()
        .filter(server -> !server.awaitStop(STOPPED_WITHIN))
        .map(Server::name)
        .toList();
  }

  /** Stops everything that was started. Returns when no process is left. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      nodes.forEach(node -> node.queue().close());
      while (!started.isEmpty()) {
        stop(started.pop().servers());
      }
      if (network != null) {
        network.close();
      }
      watchdog.close();
    }
  }
}
