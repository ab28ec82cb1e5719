package io.duplog.benchmark.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import io.duplog.benchmark.lab.HecStandIn;
import io.duplog.benchmark.lab.Role;
import io.duplog.benchmark.lab.Rsyslog;
import io.duplog.benchmark.lab.TestBed;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import io.duplog.rig.Probe;
import io.duplog.rig.Server;
import io.duplog.rig.Servers;
import io.duplog.rig.UdpSockets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A peer's servers on private ports in one directory, with the same sink that Duplog has. They keep
 * what they have not delivered in memory: only after the last message has arrived may they be
 * stopped.
 */
public final class PeerLab implements TestBed {
  private final Peer peer;
  private final LabDirectory directory;
  private final @Nullable HecStandIn hec;
  private final List<Integer> ports = new ArrayList<>();
  private final List<Server> receivers = new ArrayList<>();
  private final Path output;
  private final Servers servers;

  /**
   * Writes all configuration, and starts nothing.
   *
   * @param home made where it does not exist
   * @throws LabException if a program is missing and can't be fetched
   */
  public PeerLab(Path home, Peer peer, PeerPackages packages) throws LabException {
    this.peer = peer;
    Installation syslogNg = peer.isSyslogNg() ? packages.installation() : null;
    directory = new LabDirectory(home);
    Ports free = new Ports();
    hec = syslogNg == null ? null : new HecStandIn(directory, free.next(), free.next(), false);
    output = hec == null ? directory.make("rsyslog").resolve("merged.log") : hec.output();
    for (int i = 1; i <= peer.nodes(); i++) {
      int port = free.next();
      ports.add(port);
      receivers.add(
          syslogNg == null || hec == null ? rsyslog(port) : syslogNg(i, port, syslogNg, hec));
    }
    servers = new Servers(directory);
    servers.add("the sink", hec == null ? List.of() : List.of(hec.server()));
    servers.add(peer.toString(), receivers);
  }

  private Server rsyslog(int port) throws LabException {
    Path home = directory.make("rsyslog");
    Path configuration =
        configuration(home, "rsyslog.conf", Map.of("port", port, "output", output));
    return server(
        "rsyslog",
        port,
        home,
        Map.of(),
        List.of(
            Rsyslog.executable(home).toString(),
            "-n",
            "-f",
            configuration.toString(),
            "-i",
            home.resolve("rsyslogd.pid").toString()));
  }

  private Server syslogNg(int number, int port, Installation installation, HecStandIn sink)
      throws LabException {
    String name = "syslog-ng-" + number;
    Path home = directory.make(name);
    String url = "http://127.0.0.1:%d/services/collector/event".formatted(sink.port());
    Path configuration =
        configuration(
            home,
            "syslog-ng.conf",
            Map.of(
                "version",
                installation.configVersion(),
                "port",
                port,
                "url",
                url,
                "token",
                HecStandIn.TOKEN));
    return server(
        name,
        port,
        home,
        installation.environment(),
        List.of(
            installation.syslogNg().toString(),
            "--foreground",
            "--no-caps",
            "--cfgfile=" + configuration,
            "--persist-file=" + home.resolve("persist"),
            "--control=" + home.resolve("control"),
            "--pidfile=" + home.resolve("pid")));
  }

  /**
   * Writes a configuration file, as it is in this package's resources.
   *
   * @param values of places like {{port}} in it, beside {{home}}
   */
  private static Path configuration(Path home, String resource, Map<String, Object> values)
      throws LabException {
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

  private Server server(
      String name, int port, Path home, Map<String, String> environment, List<String> command) {
    UdpSockets sockets = UdpSockets.ofKernel();
    return new Server(
        new Server.Launch(name, command, environment, home),
        directory,
        () -> Probe.accepts(port) && sockets.isBound(port));
  }

  /** The ports for syslog on the loopback interface, for both UDP and TCP: one a node. */
  public List<Integer> ports() {
    return List.copyOf(ports);
  }

  @Override
  public void start(Consumer<String> progress) throws LabException, InterruptedException {
    servers.start(progress);
  }

  /** Nothing is recognised as the same: each node delivers all of it. */
  @Override
  public int deliveries() {
    return peer.nodes();
  }

  @Override
  public List<Path> outputs() {
    return List.of(output);
  }

  /** What it holds is in its memory, and not told. */
  @Override
  public long queued() {
    return 0;
  }

  @Override
  public Map<Role, List<ProcessHandle>> processes() {
    Map<Role, List<ProcessHandle>> processes = new EnumMap<>(Role.class);
    processes.put(Role.GENERATOR, List.of(ProcessHandle.current()));
    processes.put(
        peer.isSyslogNg() ? Role.SYSLOG_NG : Role.RSYSLOG,
        receivers.stream().flatMap(server -> server.processes().stream()).toList());
    processes.put(Role.SINK, hec == null ? List.of() : hec.server().processes());
    return processes;
  }

  @Override
  public void requireAlive() throws LabException {
    servers.requireAlive();
  }

  @Override
  public List<String> stopPrograms() {
    return Servers.stop(receivers);
  }

  @Override
  public void close() {
    servers.close();
  }
}
