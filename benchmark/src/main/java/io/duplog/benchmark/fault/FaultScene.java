package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.BridgeProcess;
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

/** A lab under load, in which one fault happens. Used by the one thread that causes the fault. */
public final class FaultScene {
  private static final Duration READY_WITHIN = Duration.ofMinutes(5);
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(40);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int POLLS = 400;
  private static final int CROWD = 2000;

  /** The running load, which a fault informs about the state of the ingest nodes. */
  public interface Load {
    /**
     * Sets whether each message that is sent from now on must be delivered. If not, it may be
     * delivered or not, because no node is there to take it.
     */
    void promised(boolean promised);

    /** Tells the load whether the first ingest node can receive messages. */
    void nodeThere(boolean there);
  }

  /** Condition that is checked by querying servers; throws if a server does not answer. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws IOException;
  }

  final Lab lab;
  final Load load;
  private final Random random;
  private @Nullable RedisProcess master;

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
   * Returns the bridge that faults of a single bridge strike; in a pair of hosts, it is on the
   * struck node's host.
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
      load.nodeThere(false);
    }
    Signal.KILL.send(servers.stream().flatMap(server -> server.processes().stream()).toList());
    servers.forEach(Server::kill);
  }

  /** Sends SIGTERM to all given servers; returns when they have ended. */
  static void terminate(Collection<Server> servers) {
    servers.forEach(Server::requestStop);
    servers.forEach(server -> server.awaitStop(STOPPED_WITHIN));
  }

  /** Starts servers that have ended; returns when they are ready. */
  void start(Collection<Server> servers) throws LabException, InterruptedException {
    for (Server server : servers) {
      server.start();
    }
    for (Server server : servers) {
      server.awaitReady(READY_WITHIN);
    }
    if (isNode(servers)) {
      load.nodeThere(true);
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

  void controlEachBroker(String... arguments) throws LabException, InterruptedException {
    for (IngestNode each : lab.nodes()) {
      each.broker().control(arguments);
    }
  }

  void requireWaitingLetters() throws LabException, IOException {
    for (IngestNode each : lab.nodes()) {
      if (each.queue().waitingDeadLetters() == 0) {
        throw new LabException(each.stream() + ": nothing waits beside the dead-letter queue");
      }
    }
  }

  /**
   * Writes foreign keys with a TTL, which evict Duplog's keys with a TTL if Redis's memory is
   * small.
   */
  void crowdRedis(Duration duration) throws IOException, InterruptedException {
    String ballast = "x".repeat(4096);
    long end = System.nanoTime() + duration.toNanos();
    for (int i = 0; System.nanoTime() - end < 0; i = (i + 1) % CROWD) {
      lab.store().redis().command("SET", "ballast:" + i, ballast, "EX", "3600");
      hold(Duration.ofMillis(2));
    }
  }

  /**
   * Chooses the current master for the following steps; in a cluster, the one with the most keys.
   */
  void chooseMaster() throws IOException {
    master = lab.store().master();
  }

  /**
   * Returns the server that {@link #chooseMaster} chose, even if it is no longer the master.
   *
   * @throws NullPointerException if none was chosen
   */
  RedisProcess master() {
    return Objects.requireNonNull(master, "no master was chosen");
  }

  /** Waits until the chosen master is in a state. */
  void await(String state, Condition condition) throws LabException, InterruptedException {
    for (int i = 0; i < POLLS; i++) {
      try {
        if (condition.holds()) {
          return;
        }
      } catch (IOException e) {
        // a server is down at the moment
      }
      hold(POLL);
    }
    throw new LabException("the lost Redis is not %s after 40 s".formatted(state));
  }
}
