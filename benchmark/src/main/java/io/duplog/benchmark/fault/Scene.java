package io.duplog.benchmark.fault;

import io.duplog.benchmark.lab.BridgeProcess;
import io.duplog.benchmark.lab.HecStandIn;
import io.duplog.benchmark.lab.IngestNode;
import io.duplog.benchmark.lab.Lab;
import io.duplog.rig.LabException;
import io.duplog.rig.Server;
import io.duplog.rig.Signal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A lab under load, in which a fault happens. For the one thread that causes it. */
public final class Scene {
  private static final Duration READY_WITHIN = Duration.ofSeconds(90);
  private static final Duration STOPPED_WITHIN = Duration.ofSeconds(40);

  /** What a fault may tell the load. */
  @FunctionalInterface
  public interface Load {
    /**
     * Whether each message that is sent from now on must be delivered. Not so while no node is
     * there to take it: then it may be.
     */
    void promised(boolean promised);
  }

  private final Lab lab;
  private final Load load;
  private final Random random;

  public Scene(Lab lab, Load load, Random random) {
    this.lab = lab;
    this.load = load;
    this.random = random;
  }

  Lab lab() {
    return lab;
  }

  /** The ingest node that faults happen to. The other one stays whole. */
  IngestNode node() {
    return lab.nodes().get(0);
  }

  /** The bridge that faults of one bridge happen to; of a pair of hosts, it is on the node's. */
  BridgeProcess bridge() {
    return lab.bridges().get(0);
  }

  List<Server> bridges() {
    return lab.bridges().stream().map(BridgeProcess::server).toList();
  }

  Server redis() {
    return lab.redis().server();
  }

  /** What the bridge's host runs besides, where ingest and bridge share one. */
  List<Server> host() {
    return List.of(node().broker().server(), node().rsyslog().server(), bridge().server());
  }

  /** Makes the collector misbehave; see {@link HecStandIn#fault}. */
  void hec(String fault) throws IOException, InterruptedException {
    lab.hec().fault(fault);
  }

  /** Does something so many times, and lets the load go on for a while after each. */
  void repeat(int times, int seconds, Fault.Strike strike)
      throws LabException, IOException, InterruptedException {
    for (int i = 0; i < times; i++) {
      strike.on(this);
      hold(seconds);
    }
  }

  Load load() {
    return load;
  }

  Random random() {
    return random;
  }

  /** Lets the load go on. */
  void hold(Duration duration) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
  }

  void hold(int seconds) throws InterruptedException {
    hold(Duration.ofSeconds(seconds));
  }

  /** SIGKILL to all servers and to what they have started, at one instant. */
  void burn(Collection<Server> servers) throws LabException, InterruptedException {
    List<ProcessHandle> processes = new ArrayList<>();
    servers.forEach(server -> processes.addAll(server.processes()));
    Signal.KILL.send(processes);
    servers.forEach(Server::kill);
  }

  /** Burns servers, and revives them after a while. */
  void restart(int downSeconds, Collection<Server> servers)
      throws LabException, InterruptedException {
    burn(servers);
    hold(downSeconds);
    revive(servers);
  }

  /** SIGTERM to all servers; returns when they have ended. */
  void terminate(Collection<Server> servers) {
    servers.forEach(Server::requestStop);
    servers.forEach(server -> server.awaitStop(STOPPED_WITHIN));
  }

  /** Starts servers again that have ended; returns when they serve. */
  void revive(Collection<Server> servers) throws LabException, InterruptedException {
    for (Server server : servers) {
      server.start();
    }
    for (Server server : servers) {
      server.awaitReady(READY_WITHIN);
    }
  }

  /** SIGSTOP to all servers, and SIGCONT after a while. */
  void freeze(Collection<Server> servers, Duration duration)
      throws LabException, InterruptedException {
    try {
      for (Server server : servers) {
        server.signal(Signal.STOP);
      }
      hold(duration);
    } finally {
      for (Server server : servers) {
        server.signal(Signal.CONT);
      }
    }
  }
}
