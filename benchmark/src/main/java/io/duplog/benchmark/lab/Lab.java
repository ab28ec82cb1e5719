package io.duplog.benchmark.lab;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.RabbitMqProcess;
import io.duplog.rig.Server;
import io.duplog.rig.Servers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A whole Duplog of real servers on private ports in one directory: ingest nodes, Redis and
 * bridges. The servers start in stages, each stage after the previous one is ready, and stop in the
 * opposite order.
 *
 * <p>One thread starts the lab. Any other thread, such as a shutdown hook, may close it meanwhile.
 *
 * @see "docs/decisions/real-servers.md"
 */
public final class Lab implements TestBed {
  private static final String BROKER_LIMITS =
      "vm_memory_high_watermark.absolute = 600MiB\ndisk_free_limit.absolute = 50MB";

  private final List<IngestNode> nodes = new ArrayList<>();
  private final List<BridgeProcess> bridges = new ArrayList<>();
  private final List<PipedShim> shims = new CopyOnWriteArrayList<>();
  private final AtomicInteger shimsStarted = new AtomicInteger();
  private final Server epmd;
  private final Store store;
  private final @Nullable FaultyNetwork network;
  private final @Nullable HecStandIn hec;
  private final Servers servers;
  private final LabDirectory directory;

  /** Writes the configuration files of all servers, and starts nothing. */
  public Lab(LabPlan plan) throws LabException {
    directory = new LabDirectory(plan.directory);
    Ports ports = new Ports();
    int epmdPort = ports.next();
    epmd = RabbitMqProcess.epmd(directory, epmdPort);
    store = Store.of(plan, directory, ports);
    boolean acknowledging = plan.sink == LabPlan.Sink.HEC_ACKNOWLEDGED;
    hec =
        plan.sink.isHec()
            ? new HecStandIn(directory, ports.next(), ports.next(), acknowledging)
            : null;
    if (hec != null && plan.sink == LabPlan.Sink.HEC_BY_PROXY) {
      hec.setProxy(directory, ports.next());
    }
    Map<String, Integer> brokerPorts = new LinkedHashMap<>();
    for (String stream : plan.streams) {
      IngestNode node = node(plan, stream, epmdPort, ports);
      nodes.add(node);
      brokerPorts.put(stream, node.broker().port());
    }
    BridgeProcess.Peers direct =
        new BridgeProcess.Peers(brokerPorts, store.settings(), hec == null ? 0 : hec.port());
    network = plan.proxied ? new FaultyNetwork(direct, store.redis().port(), ports) : null;
    for (String name : BridgeProcess.names(plan.bridges)) {
      BridgeProcess.Peers peers = bridges.isEmpty() && network != null ? network.peers() : direct;
      bridges.add(new BridgeProcess(name, directory, plan, peers, hec, this::queuesAreShared));
    }
    servers = new Servers(directory);
    addStages();
  }

  private IngestNode node(LabPlan plan, String stream, int epmdPort, Ports ports)
      throws LabException {
    RabbitMqProcess broker =
        new RabbitMqProcess(stream, directory, epmdPort, ports.next(), ports.next(), BROKER_LIMITS);
    NodeShim shim = new NodeShim(stream, directory, plan, broker.port(), ports.next());
    Rsyslog rsyslog = null;
    if (plan.ingest != LabPlan.Ingest.STDIN) {
      Map<String, String> clock = Clock.shifted(nodes.isEmpty() ? plan.clockOffset : Duration.ZERO);
      String installed = shim.configured(Rsyslog.shimLog(directory, stream));
      rsyslog = new Rsyslog(stream, directory, ports.next(), ports.next(), installed, clock);
    }
    BrokerQueues queues = new BrokerQueues(broker.port(), plan.tuning.queues());
    return new IngestNode(stream, rsyslog, broker, queues, shim);
  }

  private void addStages() {
    List<Server> stores = new ArrayList<>(nodes.stream().map(n -> n.broker().server()).toList());
    stores.addAll(store.independent());
    if (hec != null) {
      stores.addAll(hec.servers());
    }
    servers.add("epmd", List.of(epmd));
    servers.add("RabbitMQ, Redis and the sink", stores);
    store.dependent().forEach(servers::add);
    servers.add("bridges", bridges.stream().map(BridgeProcess::server).toList());
    servers.add("shims", listeningShims());
    servers.add("rsyslog", rsyslogs());
  }

  private List<Server> listeningShims() {
    return nodes.stream()
        .flatMap(node -> Stream.ofNullable(node.shim().listeningServer()))
        .toList();
  }

  private List<Server> rsyslogs() {
    return nodes.stream()
        .filter(IngestNode::hasRsyslog)
        .map(node -> node.rsyslog().server())
        .toList();
  }

  @Override
  public void start(Consumer<String> progress) throws LabException, InterruptedException {
    servers.start(progress);
  }

  /**
   * Starts a shim that the caller feeds, in addition to those that rsyslog starts. The lab stops
   * the shim without waiting for what is still in its pipe, so close {@link PipedShim#input} first.
   *
   * @param stream the stream of the ingest node that the shim belongs to
   * @throws LabException if the shim can't be started, or the lab is closed
   */
  public PipedShim startShim(String stream, PipedShim.Mode mode) throws LabException {
    IngestNode node =
        nodes.stream()
            .filter(each -> each.stream().equals(stream))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no stream " + stream));
    PipedShim shim = node.shim().piped(mode, shimsStarted.incrementAndGet());
    shims.add(shim);
    servers.startLate(shim.server());
    return shim;
  }

  @Override
  public Map<Role, List<ProcessHandle>> processes() {
    Map<Role, List<ProcessHandle>> processes = new EnumMap<>(Role.class);
    processes.put(Role.GENERATOR, List.of(ProcessHandle.current()));
    List<ProcessHandle> brokers = new ArrayList<>(epmd.processes());
    List<ProcessHandle> allShims = new ArrayList<>();
    for (IngestNode node : nodes) {
      brokers.addAll(node.broker().server().processes());
      if (node.hasRsyslog()) {
        allShims.addAll(node.rsyslog().shims());
      }
    }
    listeningShims().forEach(shim -> allShims.addAll(shim.processes()));
    shims.forEach(shim -> allShims.addAll(shim.server().processes()));
    processes.put(Role.RSYSLOG, rsyslogs().stream().flatMap(s -> s.itself().stream()).toList());
    processes.put(Role.SHIM, List.copyOf(allShims));
    processes.put(Role.BROKER, List.copyOf(brokers));
    processes.put(Role.REDIS, storeProcesses());
    processes.put(
        Role.BRIDGE, bridges.stream().flatMap(b -> b.server().processes().stream()).toList());
    processes.put(Role.SINK, hec == null ? List.of() : hec.server().processes());
    return processes;
  }

  private List<ProcessHandle> storeProcesses() {
    return Stream.concat(
            store.independent().stream(), store.dependent().values().stream().flatMap(List::stream))
        .flatMap(server -> server.processes().stream())
        .toList();
  }

  /**
   * Whether each queue has as many consumers as there are running bridges. A bridge counts as ready
   * only then.
   */
  private boolean queuesAreShared() throws IOException {
    long running = bridges.stream().filter(bridge -> bridge.server().isAlive()).count();
    for (IngestNode node : nodes) {
      if (node.queue().state().consumers() < running) {
        return false;
      }
    }
    return true;
  }

  /** Returns the ingest nodes, in the order of the plan. */
  public List<IngestNode> nodes() {
    return List.copyOf(nodes);
  }

  /** Returns the address on which each ingest node's rsyslog listens, for both UDP and TCP. */
  public List<InetSocketAddress> receivers() {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    return nodes.stream()
        .map(node -> new InetSocketAddress(loopback, node.rsyslog().port()))
        .toList();
  }

  public List<BridgeProcess> bridges() {
    return List.copyOf(bridges);
  }

  /** Returns the Redis servers that hold the ledger. */
  public Store store() {
    return store;
  }

  /**
   * Returns the proxies between the first bridge and the servers that it connects to.
   *
   * @throws IllegalStateException if the plan has no proxies
   */
  public FaultyNetwork network() {
    if (network == null) {
      throw new IllegalStateException("this lab has no proxies");
    }
    return network;
  }

  /**
   * Returns the stand-in for Splunk.
   *
   * @throws IllegalStateException if the plan has another sink
   */
  public HecStandIn hec() {
    if (hec == null) {
      throw new IllegalStateException("this lab has no HEC");
    }
    return hec;
  }

  /**
   * Returns the number of batches that wait in all brokers together, without the unacknowledged
   * ones.
   */
  @Override
  public long queued() throws IOException {
    long batches = 0;
    for (IngestNode node : nodes) {
      batches += node.queue().state().ready();
    }
    return batches;
  }

  /** Returns the files with the merged stream: one for each bridge, or a single file with HEC. */
  @Override
  public List<Path> outputs() {
    return bridges.stream().map(BridgeProcess::output).distinct().toList();
  }

  /** Returns the log files of shims, of bridges, and of the rsyslogs that start shims. */
  public List<Path> programLogs() {
    List<Path> logs = new ArrayList<>();
    for (IngestNode node : nodes) {
      if (node.hasRsyslog()) {
        logs.add(node.rsyslog().server().log());
        logs.add(Rsyslog.shimLog(directory, node.stream()));
      }
    }
    shims.forEach(shim -> logs.add(shim.server().log()));
    bridges.forEach(bridge -> logs.add(bridge.server().log()));
    return logs;
  }

  @Override
  public void requireAlive() throws LabException {
    servers.requireAlive();
  }

  /**
   * Stops rsyslog, shims and bridges in this order, as an operator would. Brokers and Redis keep
   * running, so that a caller can see what is left in the queues.
   *
   * @return the names of the programs that did not end by themselves with status 0
   */
  @Override
  public List<String> stopPrograms() {
    List<String> forced = new ArrayList<>();
    forced.addAll(Servers.stop(rsyslogs()));
    forced.addAll(Servers.stop(shims.stream().map(PipedShim::server).toList()));
    forced.addAll(Servers.stop(bridges.stream().map(BridgeProcess::server).toList()));
    return forced;
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.queue().close());
    servers.close();
    if (network != null) {
      network.close();
    }
  }
}
