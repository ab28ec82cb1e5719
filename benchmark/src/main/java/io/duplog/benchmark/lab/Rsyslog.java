package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** An rsyslogd that takes syslog by UDP and TCP and gives it to a program that it starts itself. */
public final class Rsyslog {
  private static final Path APPARMOR = Path.of("/sys/module/apparmor/parameters/enabled");

  private final int port;
  private final Path queue;
  private final Server server;

  /**
   * @param program what rsyslog starts, and writes every message to
   * @param environment of both
   */
  Rsyslog(
      String stream,
      LabDirectory directory,
      int port,
      OmprogProgram program,
      RsyslogTuning tuning,
      Map<String, String> environment)
      throws LabException {
    this.port = port;
    String name = "rsyslog-" + stream;
    Path home = directory.make(stream + "/rsyslog");
    this.queue = directory.make(stream + "/rsyslog/queue");
    Path configuration =
        LabDirectory.write(
            home.resolve("rsyslog.conf"),
            """
            global(workDirectory="%4$s" maxMessageSize="64k" net.enableDNS="off")
            main_queue(queue.type="FixedArray" queue.size="10000")
            module(load="imudp" threads="2" batchSize="128" timeRequery="8")
            module(load="imtcp")
            module(load="omprog")

            # What the sender wrote, behind the address that it came from.
            template(name="duplog" type="string" string="%%fromhost-ip%% %%rawmsg%%\\n")

            # The buffer holds what arrives while rsyslog is not scheduled on a busy machine.
            input(type="imudp" address="127.0.0.1" port="%2$d" rcvbufSize="16m" ruleset="duplog")
            input(type="imtcp" address="127.0.0.1" port="%2$d" ruleset="duplog")

            ruleset(name="duplog"
                    queue.type="LinkedList" queue.size="200000" queue.timeoutEnqueue="600000") {
              action(type="omprog" template="duplog"
                %3$s
                queue.type="LinkedList" queue.filename="duplog" queue.size="100000"
                queue.maxDiskSpace="1g" %5$s
                queue.saveOnShutdown="on" queue.timeoutShutdown="5000"
                queue.timeoutActionCompletion="5000"
                queue.timeoutEnqueue="600000"
                action.resumeRetryCount="-1" action.resumeInterval="1")
            }
            """
                .formatted(
                    home,
                    port,
                    program.parameters(directory.shimLog(stream)),
                    queue,
                    tuning.parameters()));
    UdpSockets sockets = UdpSockets.ofKernel();
    this.server =
        new Server(
            new Server.Launch(
                name,
                List.of(
                    executable(home).toString(),
                    "-n",
                    "-f",
                    configuration.toString(),
                    "-i",
                    home.resolve("rsyslogd.pid").toString()),
                environment,
                home),
            directory,
            () -> Probe.accepts(port) && sockets.isBound(port));
  }

  /**
   * Debian and Ubuntu confine {@code /usr/sbin/rsyslogd}, by its path, to the files of the
   * machine's own rsyslog. Where AppArmor rules, a copy in the lab runs instead.
   */
  public static Path executable(Path home) throws LabException {
    Path installed = Programs.find("rsyslogd");
    try {
      if (!Files.exists(APPARMOR) || !Files.readString(APPARMOR).startsWith("Y")) {
        return installed;
      }
      return Files.copy(installed, home.resolve("rsyslogd"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new LabException(installed + " can't be copied into the lab: " + e, e);
    }
  }

  /** The port for syslog on the loopback interface, for both UDP and TCP. */
  public int port() {
    return port;
  }

  /** Datagrams that the kernel dropped since this rsyslog started, because it did not keep up. */
  public long droppedDatagrams() throws IOException {
    return UdpSockets.ofKernel().dropped(port);
  }

  /**
   * The shims that it has started: one a worker, and one more while its queue on disk is in use.
   */
  public List<ProcessHandle> shims() {
    return server.children();
  }

  /** Removes what its queue has on disk, as when its host burns down. It must not run. */
  public void wipe() throws LabException {
    LabDirectory.delete(queue);
    LabDirectory.makeAt(queue);
  }

  public Server server() {
    return server;
  }
}
