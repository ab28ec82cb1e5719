package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
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
  private final List<PipedShim> shims = new CopyOnWriteArrayList<>();
  private final CpuLimit limit;
  private final Epmd epmd;
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
    limit = CpuLimit.of(plan.cores());
    directory = new LabDirectory(plan.directory(), limit);
    Ports ports = new Ports();
    epmd = new Epmd(directory, ports.next());
    redis = new Redis(directory, ports.next());
    hec =
        plan.sink().isHec()
            ? new HecStandIn(
                directory, ports.next(), ports.next(), plan.sink() == LabPlan.Sink.HEC_ACKNOWLEDGED)
            : null;
    Map<String, Integer> brokerPorts = new LinkedHashMap<>();
    for (String stream : plan.streams()) {
      IngestNode node = node(plan, stream, ports);
      nodes.add(node);
      brokerPorts.put(stream, node.broker().port());
    }
    Bridge.Peers direct = new Bridge.Peers(brokerPorts, redis.port(), hec == null ? 0 : hec.port());
    network = plan.proxied() ? Network.between(direct, ports) : null;
    for (int i = 1; i <= plan.bridges(); i++) {
      bridges.add(
          new Bridge(
              "bridge-" + i,
              directory,
              plan.jars().bridge(),
              i == 1 && network != null ? network.peers() : direct,
              new Bridge.Delivery(hec, plan.sink() == LabPlan.Sink.STDOUT),
              plan.tuning().bridge(),
              this::queuesAreShared));
    }
    stages = stages();
    watchdog = new Watchdog(directory.pidFiles());
  }

  private IngestNode node(LabPlan plan, String stream, Ports ports) throws LabException {
    RabbitMq broker = new RabbitMq(stream, directory, epmd, ports.next(), ports.next());
    boolean confirming = plan.ingest() != LabPlan.Ingest.RSYSLOG_UNCONFIRMED;
    Shim shim =
        new Shim(
            stream, directory, plan.jars().shim(), broker.port(), confirming, plan.tuning().shim());
    if (plan.ingest() == LabPlan.Ingest.STDIN) {
      return new IngestNode(stream, null, broker, shim);
    }
    Map<String, String> clock =
        nodes.isEmpty() ? Clock.shifted(plan.clockOffset()) : Map.<String, String>of();
    Rsyslog rsyslog =
        new Rsyslog(stream, directory, ports.next(), shim, plan.tuning().rsyslog(), clock);
    return new IngestNode(stream, rsyslog, broker, shim);
  }

  private List<Stage> stages() {
    List<Server> stores = new ArrayList<>(nodes.stream().map(n -> n.broker().server()).toList());
    stores.add(redis.server());
    if (hec != null) {
      stores.add(hec.server());
    }
    List<Stage> all = new ArrayList<>();
    all.add(new Stage("epmd", List.of(epmd.server())));
    all.add(new Stage("RabbitMQ, Redis and the sink", stores));
    all.add(new Stage("bridges", bridges.stream().map(Bridge::server).toList()));
    if (!rsyslogs().isEmpty()) {
      all.add(new Stage("rsyslog", rsyslogs()));
    }
    return List.copyOf(all);
  }

  private List<Server> rsyslogs() {
    return nodes.stream()
        .filter(IngestNode::hasRsyslog)
        .map(node -> node.rsyslog().server())
        .toList();
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

  /**
   * Starts a shim that the caller feeds, beside those that rsyslog has, if there is one. The lab
   * stops it, without waiting for what is still in its pipe: {@link PipedShim#finish} does.
   *
   * @param stream of which ingest node it is
   * @throws LabException if it can't be started, or the lab is closed
   */
  public PipedShim startShim(String stream, PipedShim.Mode mode) throws LabException {
    IngestNode node =
        nodes.stream()
            .filter(each -> each.stream().equals(stream))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no stream " + stream));
    synchronized (lock) {
      requireOpen();
      PipedShim shim = node.shim().piped(mode, shims.size() + 1);
      shims.add(shim);
      launch(new Stage("shim", List.of(shim.server())));
      return shim;
    }
  }

  /** What each role's processes are now, with the children that they have. Snapshots, all of it. */
  public Map<Role, List<ProcessHandle>> processes() {
    Map<Role, List<ProcessHandle>> processes = new EnumMap<>(Role.class);
    processes.put(Role.GENERATOR, List.of(ProcessHandle.current()));
    List<ProcessHandle> brokers = new ArrayList<>(epmd.server().processes());
    List<ProcessHandle> allShims = new ArrayList<>();
    for (IngestNode node : nodes) {
      brokers.addAll(node.broker().server().processes());
      if (node.hasRsyslog()) {
        allShims.addAll(node.rsyslog().shims());
      }
    }
    shims.forEach(shim -> allShims.addAll(shim.server().processes()));
    processes.put(Role.RSYSLOG, rsyslogs().stream().flatMap(s -> s.itself().stream()).toList());
    processes.put(Role.SHIM, List.copyOf(allShims));
    processes.put(Role.BROKER, List.copyOf(brokers));
    processes.put(Role.REDIS, redis.server().processes());
    processes.put(
        Role.BRIDGE, bridges.stream().flatMap(b -> b.server().processes().stream()).toList());
    processes.put(Role.SINK, hec == null ? List.of() : hec.server().processes());
    return processes;
  }

  /**
   * The CPU time that each role's processes have used since they started. A process that ended
   * meanwhile no longer counts. The generator's is that of this program: whatever it does.
   */
  public Map<Role, Duration> cpu() {
    return each(ProcessUse::cpu);
  }

  /** The bytes of memory that each role's processes have now. */
  public Map<Role, Long> residentBytes() {
    return each(ProcessUse::residentBytes);
  }

  private <T> Map<Role, T> each(Function<List<ProcessHandle>, T> use) {
    Map<Role, T> uses = new EnumMap<>(Role.class);
    processes().forEach((role, processes) -> uses.put(role, use.apply(processes)));
    return uses;
  }

  /** What holds all its servers, for a report. */
  public CpuLimit limit() {
    return limit;
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
      if (node.hasRsyslog()) {
        logs.add(node.rsyslog().server().log());
        logs.add(directory.shimLog(node.stream()));
      }
    }
    shims.forEach(shim -> logs.add(shim.server().log()));
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
    forced.addAll(stop(rsyslogs()));
    forced.addAll(stop(shims.stream().map(PipedShim::server).toList()));
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
      limit.close();
    }
  }
}
