package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import io.duplog.benchmark.lab.HecStandIn;
import io.duplog.benchmark.lab.LabPlan;
import io.duplog.benchmark.lab.Role;
import io.duplog.benchmark.lab.Rsyslog;
import io.duplog.benchmark.lab.TestBed;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.Server;
import io.duplog.rig.Servers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs an alternative to Duplog on private ports of this host, to compare its speed. Some
 * alternatives hold undelivered messages only in memory. Therefore stop them only after the last
 * message has arrived.
 */
public final class PeerLab extends TestBed {
  private final Peer peer;
  private final List<InetSocketAddress> receivers = new ArrayList<>();

  /**
   * The peer's programs without the sink: its nodes, and the central rsyslog that they forward to.
   */
  private final List<Server> programs = new ArrayList<>();

  private final List<Server> sink;
  private final Path output;

  /**
   * Writes all configuration. Starts nothing.
   *
   * @param home directory for all files; created if it does not exist
   * @throws LabException if a program is missing and can't be downloaded
   */
  public PeerLab(Path home, Peer peer) throws LabException {
    super(home);
    this.peer = peer;
    Ports ports = new Ports();
    int sinkPort;
    if (peer.isSyslogNg()) {
      HecStandIn hecPort = new HecStandIn(HecStandIn.FIRST, directory, ports, LabPlan.Sink.HEC);
      sinkPort = hecPort.port();
      sink = hecPort.servers();
      output = hecPort.output();
    } else {
      sinkPort = ports.next();
      sink = List.of();
      output = directory.make("output").resolve("merged.log");
    }
    servers.add("the sink", sink);
    if (peer.isForwarding()) {
      programs.add(newRsyslog("rsyslog-central", sinkPort, Peer.RSYSLOG, sinkPort));
      servers.add("the central rsyslog", List.copyOf(programs));
    }
    List<Server> nodes = new ArrayList<>();
    for (int i = 1; i <= peer.nodes(); i++) {
      int port = ports.next();
      receivers.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      nodes.add(
          peer.isSyslogNg()
              ? newSyslogNg("syslog-ng-" + i, port, PeerPackages.installation(), sinkPort)
              : newRsyslog("rsyslog-" + i, port, peer, sinkPort));
    }
    programs.addAll(nodes);
    servers.add(peer.toString(), nodes);
  }

  private Server newRsyslog(String name, int port, Peer configuredPeer, int centralPort)
      throws LabException {
    Path home = directory.make(name);
    Path configuration =
        writeConfiguration(
            home, configuredPeer, Map.of("port", port, "output", output, "central", centralPort));
    return newServer(name, port, home, Map.of(), Rsyslog.command(configuration, home));
  }

  private Server newSyslogNg(String name, int port, Installation installation, int hecPort)
      throws LabException {
    Path home = directory.make(name);
    Path configuration =
        writeConfiguration(
            home,
            peer,
            Map.of(
                "version",
                installation.configVersion(),
                "port",
                port,
                "url",
                "http://127.0.0.1:%d/services/collector/event".formatted(hecPort),
                "token",
                HecStandIn.TOKEN));
    return newServer(
        name, port, home, installation.environment(), installation.command(configuration, home));
  }

  /**
   * Writes a configuration file from a template in this package's resources.
   *
   * @param values values of the template's placeholders such as {{port}}, in addition to {{home}}
   */
  private static Path writeConfiguration(Path home, Peer configuredPeer, Map<String, Object> values)
      throws LabException {
    String resource = configuredPeer.configuration();
    try {
      String text =
          Resources.toString(Resources.getResource(PeerLab.class, resource), UTF_8)
              .replace("{{home}}", home.toString());
      for (Map.Entry<String, Object> value : values.entrySet()) {
        text = text.replace("{{" + value.getKey() + "}}", value.getValue().toString());
      }
      return LabDirectory.write(home.resolve(resource), text);
    } catch (IOException e) {
      throw new LabException(resource + " can't be read: " + e, e);
    }
  }

  private Server newServer(
      String name, int port, Path home, Map<String, String> environment, List<String> command) {
    return new Server(
        new Server.Launch(name, command, environment, home), directory, Rsyslog.receivesAt(port));
  }

  /** Returns the address on which each node listens, for both UDP and TCP. */
  public List<InetSocketAddress> receivers() {
    return List.copyOf(receivers);
  }

  /**
   * Returns the number of nodes. No duplicates are removed, so each node delivers every message.
   */
  @Override
  public int deliveries() {
    return peer.nodes();
  }

  @Override
  public List<Path> outputs() {
    return List.of(output);
  }

  /** Returns 0, because these programs do not report how many messages are queued. */
  @Override
  public long queued() {
    return 0;
  }

  @Override
  public Map<Role, List<ProcessHandle>> processes() {
    Map<Role, List<ProcessHandle>> processes = new EnumMap<>(Role.class);
    processes.put(Role.GENERATOR, List.of(ProcessHandle.current()));
    processes.put(peer.isSyslogNg() ? Role.SYSLOG_NG : Role.RSYSLOG, processes(programs));
    processes.put(Role.SINK, processes(sink));
    return processes;
  }

  @Override
  public List<String> stopPrograms() {
    return Servers.stop(programs);
  }
}
