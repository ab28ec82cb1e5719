package io.duplog.benchmark.lab;

import static java.util.Objects.requireNonNull;

import io.duplog.benchmark.lab.proxy.FaultyProxy;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a complete Duplog of real servers on private ports of this host, for measurements, faults
 * and the demo. The servers start in stages, each stage after the previous one is ready, and stop
 * in the opposite order.
 *
 * <p>The lab must be started by a single thread. Any other thread, such as a shutdown hook, may
 * close it meanwhile.
 *
 * @see "docs/decisions/tests.md#real-servers"
 */
public final class Lab extends TestBed {
  private static final String BROKER_LIMITS =
      "vm_memory_high_watermark.absolute = 600MiB\ndisk_free_limit.absolute = 50MB";

  /** Smallest buffer that a sink may have, so that a sink that hangs fills it soon. */
  private static final String HUNG_SINK_BUFFER = "1MiB";

  private final List<IngestNode> nodes = new ArrayList<>();
  private final List<BridgeProcess> bridges = new ArrayList<>();
  private final List<Server> pipedShims = new CopyOnWriteArrayList<>();
  private final AtomicInteger shimCount = new AtomicInteger();
  private final Server epmd;
  private final Store store;
  private final @Nullable FaultyNetwork network;
  private final @Nullable HecStandIn hec;
  private final @Nullable HecStandIn secondHec;
  private final @Nullable KafkaProcess kafka;
  private final @Nullable FaultyProxy hungSyslog;
  private final boolean hasCopies;

  /** Writes the configuration files of all servers. Starts nothing. */
  public Lab(LabPlan plan) throws LabException {
    super(plan.directory);
    Ports ports = new Ports();
    int epmdPort = ports.next();
    epmd = RabbitMqProcess.epmd(directory, epmdPort);
    store = Store.of(plan, directory, ports);
    hec = plan.sink.isHec() ? new HecStandIn(HecStandIn.FIRST, directory, ports, plan.sink) : null;
    secondHec =
        plan.sink == LabPlan.Sink.TWO_HECS
            ? new HecStandIn(HecStandIn.SECOND, directory, ports, plan.sink)
            : null;
    hasCopies = plan.sink == LabPlan.Sink.HEC_AND_FILE;
    kafka = plan.kafkaJars == null ? null : new KafkaProcess(directory, ports, plan.kafkaJars);
    hungSyslog =
        plan.sink == LabPlan.Sink.HEC_AND_HUNG_SYSLOG ? FaultyProxy.silent(ports.next()) : null;
    Map<String, Integer> brokerPorts = new LinkedHashMap<>();
    for (String stream : plan.streams) {
      IngestNode node = newNode(plan, stream, epmdPort, ports);
      nodes.add(node);
      brokerPorts.put(stream, node.broker().port());
    }
    BridgeProcess.Peers directPeers =
        new BridgeProcess.Peers(
            brokerPorts, store.settings(), hec == null ? 0 : hec.port(), secondSinkSettings());
    network = plan.hasProxies ? new FaultyNetwork(directPeers, store.redis().port(), ports) : null;
    for (String name : BridgeProcess.names(plan.bridges)) {
      BridgeProcess.Peers peers =
          bridges.isEmpty() && network != null ? network.peers() : directPeers;
      bridges.add(new BridgeProcess(name, directory, plan, peers, hec, this::queuesAreShared));
    }
    addStages();
  }

  /** Returns the keys and values of the second sink, if it has a server. */
  private Map<String, String> secondSinkSettings() {
    if (secondHec != null) {
      return secondHec.settings(secondHec.port());
    }
    if (kafka != null) {
      return kafka.settings();
    }
    return hungSyslog == null
        ? Map.of()
        : Map.of(
            "type",
            "syslog",
            "required",
            "false",
            "buffer",
            HUNG_SINK_BUFFER,
            "syslog.addresses",
            "[\"127.0.0.1:%d\"]".formatted(hungSyslog.port()));
  }

  private IngestNode newNode(LabPlan plan, String stream, int epmdPort, Ports ports)
      throws LabException {
    RabbitMqProcess broker =
        new RabbitMqProcess(stream, directory, epmdPort, ports.next(), ports.next(), BROKER_LIMITS);
    NodeShim shim = new NodeShim(stream, directory, plan, broker.port(), ports.next());
    Rsyslog rsyslog = null;
    if (plan.ingest != LabPlan.Ingest.STDIN && plan.ingest != LabPlan.Ingest.HEC) {
      Map<String, String> clock = Clock.shifted(nodes.isEmpty() ? plan.clockOffset : Duration.ZERO);
      String installedConfiguration = shim.rsyslogConfiguration(Rsyslog.shimLog(directory, stream));
      rsyslog =
          new Rsyslog(stream, directory, ports.next(), ports.next(), installedConfiguration, clock);
      if (plan.hasDurableQueue) {
        rsyslog.keepOnDisk(plan.maxDiskSpace);
      }
    }
    BrokerQueues queues = new BrokerQueues(broker.port(), plan.tuning.queues());
    return new IngestNode(stream, rsyslog, broker, queues, shim);
  }

  private void addStages() {
    List<Server> stores = new ArrayList<>(brokers());
    stores.addAll(store.independentServers());
    hecs().forEach(each -> stores.addAll(each.servers()));
    if (kafka != null) {
      stores.add(kafka.server());
    }
    servers.add("epmd", List.of(epmd));
    servers.add("RabbitMQ, Redis and the sink", stores);
    store.dependentServers().forEach(servers::add);
    servers.add("bridges", bridgeServers());
    servers.add("shims", listeningShims());
    servers.add("rsyslog", rsyslogs());
  }

  private List<Server> brokers() {
    return nodes.stream().map(node -> node.broker().server()).toList();
  }

  private List<Server> bridgeServers() {
    return bridges.stream().map(BridgeProcess::server).toList();
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

  /**
   * Starts a shim that the caller writes to, in addition to those that rsyslog starts. The lab
   * stops the shim without waiting for messages in its pipe, so close {@link PipedShim#input}
   * first.
   *
   * @param node the shim's ingest node
   * @throws LabException if the shim can't be started, or the lab is closed
   */
  public PipedShim startShim(IngestNode node, PipedShim.Mode mode) throws LabException {
    PipedShim shim = node.shim().newPipedShim(mode, shimCount.incrementAndGet());
    pipedShims.add(shim.server());
    servers.startLate(shim.server());
    return shim;
  }

  @Override
  public Map<Role, List<ProcessHandle>> processes() {
    Map<Role, List<ProcessHandle>> processes = new EnumMap<>(Role.class);
    processes.put(Role.GENERATOR, List.of(ProcessHandle.current()));
    List<ProcessHandle> shims = new ArrayList<>(processes(listeningShims()));
    shims.addAll(processes(pipedShims));
    rsyslogs().forEach(rsyslog -> shims.addAll(rsyslog.children()));
    List<Server> brokers = new ArrayList<>(brokers());
    brokers.add(epmd);
    List<Server> stores = new ArrayList<>(store.independentServers());
    store.dependentServers().values().forEach(stores::addAll);
    processes.put(Role.RSYSLOG, rsyslogs().stream().flatMap(s -> s.itself().stream()).toList());
    processes.put(Role.SHIM, List.copyOf(shims));
    processes.put(Role.BROKER, processes(brokers));
    processes.put(Role.REDIS, processes(stores));
    processes.put(Role.BRIDGE, processes(bridgeServers()));
    List<Server> sinks = new ArrayList<>(hecs().map(HecStandIn::server).toList());
    if (kafka != null) {
      sinks.add(kafka.server());
    }
    processes.put(Role.SINK, processes(sinks));
    return processes;
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
   * @throws NullPointerException if the plan has no proxies
   */
  public FaultyNetwork network() {
    return requireNonNull(network, "this lab has no proxies");
  }

  /**
   * Returns the stand-in for Splunk.
   *
   * @throws NullPointerException if the plan has another sink
   */
  public HecStandIn hec() {
    return requireNonNull(hec, "this lab has no HEC");
  }

  /**
   * Returns the second stand-in for Splunk, which has the same token.
   *
   * @throws NullPointerException if the plan's second sink is not HEC, or the plan has none
   */
  public HecStandIn secondHec() {
    return requireNonNull(secondHec, "this lab has no second HEC");
  }

  /** Returns all stand-ins for Splunk, with the measured one first. */
  public Stream<HecStandIn> hecs() {
    return Stream.concat(Stream.ofNullable(hec), Stream.ofNullable(secondHec));
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

  /**
   * Returns the files of a second required sink: one for each bridge, or a single one of a second
   * HEC; an empty list if there is no such sink.
   */
  public List<Path> copies() {
    if (secondHec != null) {
      return List.of(secondHec.output());
    }
    return hasCopies ? bridges.stream().map(BridgeProcess::file).toList() : List.of();
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
    pipedShims.forEach(shim -> logs.add(shim.log()));
    bridges.forEach(bridge -> logs.add(bridge.server().log()));
    return logs;
  }

  /**
   * Stops rsyslog, shims and bridges in this order, as an operator would. Brokers and Redis keep
   * running, so that a caller can inspect the remaining batches in the queues.
   *
   * @return the names of the programs that did not end by themselves with status 0
   */
  @Override
  public List<String> stopPrograms() {
    List<String> forciblyEnded = new ArrayList<>();
    forciblyEnded.addAll(Servers.stop(rsyslogs()));
    forciblyEnded.addAll(Servers.stop(pipedShims));
    forciblyEnded.addAll(Servers.stop(bridgeServers()));
    return forciblyEnded;
  }

  @Override
  public void close() {
    nodes.forEach(node -> node.queue().close());
    super.close();
    if (network != null) {
      network.close();
    }
    if (hungSyslog != null) {
      hungSyslog.close();
    }
  }
}
