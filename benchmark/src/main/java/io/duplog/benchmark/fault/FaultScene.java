package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.benchmark.lab.HecStandIn;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.benchmark.lab.Rsyslog;
import io.duplog.rig.LabException;
import io.duplog.rig.RedisProcess;
import io.duplog.rig.Server;
import io.duplog.rig.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stops, kills or cuts off servers of a running Duplog under load, as the steps of a chaos fault
 * say. Not thread-safe.
 */
public final class FaultScene {
  private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(40);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
  private static final int MAX_POLLS = 400;
  private static final int CROWD_KEYS = 2000;

  /** The running load. A fault informs it about the state of the ingest nodes. */
  public interface Load {
    /**
     * Sets whether each message sent from now on must be delivered. If not, its delivery is
     * optional, because no node may be there to receive it.
     */
    void setDeliveryRequired(boolean isRequired);

    /** Sets whether the first ingest node can receive messages. */
    void setNodeAvailable(boolean isAvailable);

    /**
     * Ends the connection of the first node's client of HTTP Event Collector, perhaps in
     * mid-request. The client then sends this request again.
     */
    void killClient() throws IOException;
  }

  /** Condition that is checked by querying servers. Throws if a server does not answer. */
  @FunctionalInterface
  interface Condition {
    boolean isMet() throws IOException;
  }

  final Lab lab;
  final Load load;
  private final Random random;
  private @Nullable RedisProcess selectedMaster;

  public FaultScene(Lab lab, Load load, Random random) {
    this.lab = lab;
    this.load = load;
    this.random = random;
  }

  /**
   * Returns the first ingest node, which is the target of each fault that affects a single node.
   */
  IngestNode node() {
    return lab.nodes().get(0);
  }

  Rsyslog rsyslog() {
    return node().rsyslog();
  }

  /**
   * Returns the target of faults of a single bridge. In a pair of hosts, it is on the first ingest
   * node's host.
   */
  BridgeProcess bridge() {
    return lab.bridges().get(0);
  }

  List<Server> bridges() {
    return lab.bridges().stream().map(BridgeProcess::server).toList();
  }

  /** Waits for a duration, while the load continues. */
  void hold(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }

  void holdAtMost(Duration longest) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep((long) (random.nextDouble() * longest.toNanos()));
  }

  /** Sends SIGKILL to all given servers at once, but not to their child processes. */
  static void kill(Collection<Server> servers) throws LabException, InterruptedException {
    signal(Signal.KILL, servers);
    servers.forEach(Server::kill);
  }

  /** Sends SIGKILL to all given servers and their child processes at once. */
  void burn(Collection<Server> servers) throws LabException, InterruptedException {
    if (isNode(servers)) {
      load.setNodeAvailable(false);
    }
    Signal.KILL.send(servers.stream().flatMap(server -> server.processes().stream()).toList());
    servers.forEach(Server::kill);
  }

  /** Sends SIGTERM to all given servers. Returns when they have ended. */
  static void terminate(Collection<Server> servers) {
    servers.forEach(Server::requestStop);
    servers.forEach(server -> server.awaitStop(STOP_TIMEOUT));
  }

  /** Starts servers that have ended. Returns when they are ready. */
  void start(Collection<Server> servers) throws LabException, InterruptedException {
    for (Server server : servers) {
      server.start();
    }
    for (Server server : servers) {
      server.awaitReady(READY_TIMEOUT);
    }
    if (isNode(servers)) {
      load.setNodeAvailable(true);
    }
  }

  private boolean isNode(Collection<Server> servers) {
    return node().hasRsyslog() && servers.contains(rsyslog().server());
  }

  /** Sends a signal to all given servers at once, but not to their child processes. */
  static void signal(Signal signal, Collection<Server> servers)
      throws LabException, InterruptedException {
    signal.send(servers.stream().flatMap(server -> server.itself().stream()).toList());
  }

  void requireDiskQueue() throws LabException, IOException {
    if (rsyslog().queuedOnDisk() == 0) {
      throw new LabException("the queue had nothing on disk");
    }
  }

  /** Checks that each bridge counts messages that its sink with {@code required: false} missed. */
  void requireMissed() throws LabException, IOException {
    for (BridgeProcess each : lab.bridges()) {
      if (each.missedMessages() == 0) {
        throw new LabException(each.server().name() + " counts no message as missed");
      }
    }
  }

  /** Ends all faults of the collector, and of the second one if there is one. */
  void clearCollectorFaults() throws IOException, InterruptedException {
    for (HecStandIn each : lab.hecs().toList()) {
      each.clearFaults();
    }
  }

  void controlEachBroker(String... arguments) throws LabException, InterruptedException {
    for (IngestNode each : lab.nodes()) {
      each.broker().control(arguments);
    }
  }

  void requireWaitingLetters() throws LabException, IOException {
    for (IngestNode each : lab.nodes()) {
      if (each.queue().waitingDeadLetters() == 0) {
        throw new LabException(
            each.stream() + ": no dead letter waits for room in the dead-letter queue");
      }
    }
  }

  /**
   * Writes foreign keys with a TTL. They evict Duplog's keys with a TTL if Redis's memory is small.
   */
  void crowdRedis(Duration duration) throws IOException, InterruptedException {
    String ballast = "x".repeat(4096);
    long end = System.nanoTime() + duration.toNanos();
    for (int i = 0; System.nanoTime() - end < 0; i = (i + 1) % CROWD_KEYS) {
      lab.store().redis().command("SET", "ballast:" + i, ballast, "EX", "3600");
      hold(Duration.ofMillis(2));
    }
  }

  /**
   * Selects the current master for the following steps. In a cluster, it is the one with the most
   * keys.
   */
  void chooseMaster() throws IOException {
    selectedMaster = lab.store().master();
  }

  /**
   * Returns the server that {@link #chooseMaster} selected, even if it is no longer the master.
   *
   * @throws NullPointerException if none was selected
   */
  RedisProcess master() {
    return Objects.requireNonNull(selectedMaster, "no master was chosen");
  }

  /** Waits until the selected master is in a state. */
  void await(String state, Condition condition) throws LabException, InterruptedException {
    for (int i = 0; i < MAX_POLLS; i++) {
      try {
        if (condition.isMet()) {
          return;
        }
      } catch (IOException e) {
        // A server is down at the moment.
      }
      hold(POLL_INTERVAL);
    }
    throw new LabException("the lost Redis is not %s after 40 s".formatted(state));
  }
}
