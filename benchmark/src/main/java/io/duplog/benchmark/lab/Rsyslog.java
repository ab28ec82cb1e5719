package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.io.Resources;
import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.Probe;
import io.duplog.rig.Programs;
import io.duplog.rig.Server;
import io.duplog.rig.UdpSockets;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs an rsyslog that receives syslog by UDP and TCP and hands it to a lab's shim, configured as
 * an operator would.
 */
public final class Rsyslog {
  private static final String DURABLE_QUEUE_SCRIPT = "durable-queue.sed";
  private static final Pattern RELEASE = Pattern.compile("rsyslogd +8\\.(\\d+)");
  private static final int MIN_DURABLE_RELEASE = 2608;
  private static final Path APPARMOR_ENABLED = Path.of("/sys/module/apparmor/parameters/enabled");

  private final int port;
  private final int countedPort;
  private final Path configuration;
  private final Path queue;
  private final Server server;

  /**
   * Writes the configuration. Starts nothing.
   *
   * @param port port for UDP, and for TCP with one message for each line
   * @param countedPort port for TCP with octet counting, each message after its length
   * @param installedConfiguration content of the file that an operator installs, with the shim's
   *     address filled in
   * @param environment variables of rsyslogd, which a shim that it starts inherits
   */
  Rsyslog(
      String stream,
      LabDirectory directory,
      int port,
      int countedPort,
      String installedConfiguration,
      Map<String, String> environment)
      throws LabException {
    this.port = port;
    this.countedPort = countedPort;
    Path home = directory.make(stream + "/rsyslog");
    this.queue = directory.make(stream + "/rsyslog/queue");
    this.configuration =
        LabDirectory.write(
            home.resolve("rsyslog.conf"),
            """
            global(workDirectory="%s")
            main_queue(queue.type="FixedArray" queue.size="10000")

            """
                    .formatted(queue)
                + adaptConfiguration(installedConfiguration));
    List<String> command = command(configuration, home);
    this.server =
        new Server(
            new Server.Launch("rsyslog-" + stream, command, environment, home),
            directory,
            receivesAt(port));
  }

  /** Whether the labs' rsyslogd supports the queue of {@link LabPlan#withDurableQueue}. */
  public static boolean hasDurableQueue() {
    try {
      String program = Programs.find("rsyslogd").toString();
      Matcher release = RELEASE.matcher(ChildProcess.run(Path.of("/"), List.of(program, "-v")));
      return release.find() && Integer.parseInt(release.group(1)) >= MIN_DURABLE_RELEASE;
    } catch (LabException e) {
      return false;
    }
  }

  /**
   * Gives the action the queue of {@code duplog init --durable-queue}. Must be called before the
   * start.
   */
  void keepOnDisk(String maxDiskSpace) throws LabException {
    Path home = configuration.resolveSibling("");
    Path script = LabDirectory.write(home.resolve(DURABLE_QUEUE_SCRIPT), durableQueueScript());
    List<String> sed = new ArrayList<>(List.of("sed", "-i", "-f", script.toString()));
    sed.add("-e");
    sed.add("s/queue.maxDiskSpace=\"1g\"/queue.maxDiskSpace=\"%s\"/".formatted(maxDiskSpace));
    sed.add(configuration.toString());
    ChildProcess.run(home, sed);
  }

  private static String durableQueueScript() throws LabException {
    try {
      return Resources.toString(
          Resources.getResource("io/duplog/setup/setup/" + DURABLE_QUEUE_SCRIPT), UTF_8);
    } catch (IOException e) {
      throw new LabException("no " + DURABLE_QUEUE_SCRIPT, e);
    }
  }

  /**
   * Returns the command that runs rsyslogd in the foreground. Each start has its own id, which
   * normally comes from systemd.
   *
   * @param configuration file to read
   * @param home directory for the files that rsyslogd keeps
   */
  public static List<String> command(Path configuration, Path home) throws LabException {
    String pidFile = home.resolve("rsyslogd.pid").toString();
    return List.of(
        "/bin/sh",
        "-c",
        "INVOCATION_ID=$(tr -d - </proc/sys/kernel/random/uuid) exec \"$0\" \"$@\"",
        executable(home).toString(),
        "-n",
        "-f",
        configuration.toString(),
        "-i",
        pidFile);
  }

  /** Returns a check of whether a syslog server receives on a port, both by TCP and by UDP. */
  public static Server.Readiness receivesAt(int port) {
    UdpSockets sockets = UdpSockets.ofKernel();
    return () -> Probe.accepts(port) && sockets.isBound(port);
  }

  /** Returns the file with the standard error of a node's shim. */
  static Path shimLog(LabDirectory directory, String stream) {
    return directory.log("shim-" + stream);
  }

  /**
   * Returns the installed configuration with private ports, a smaller disk queue and shorter
   * time-outs.
   */
  private String adaptConfiguration(String installedConfiguration) throws LabException {
    String text = replacePort(installedConfiguration, "imudp", 514, port);
    text = replacePort(text, "imtcp", 514, port);
    text = replacePort(text, "imtcp", 601, countedPort);
    text = replace(text, "queue.maxDiskSpace=\"10g\"", "queue.maxDiskSpace=\"1g\"");
    text = replace(text, "queue.timeoutShutdown=\"10000\"", "queue.timeoutShutdown=\"5000\"");
    return replace(
        text, "queue.timeoutActionCompletion=\"10000\"", "queue.timeoutActionCompletion=\"5000\"");
  }

  private static String replacePort(String text, String input, int adaptConfiguration, int labPort)
      throws LabException {
    String on = "\ninput(type=\"" + input + "\" ";
    return replace(
        text,
        on + "port=\"%d\"".formatted(adaptConfiguration),
        on + "address=\"127.0.0.1\" port=\"%d\"".formatted(labPort));
  }

  static String replace(String text, String old, String replacement) throws LabException {
    int at = text.indexOf(old);
    if (at < 0 || text.indexOf(old, at + 1) >= 0) {
      throw new LabException("the file in deploy/rsyslog has not exactly one " + old);
    }
    return text.replace(old, replacement);
  }

  /**
   * Returns the path of rsyslogd. With AppArmor, it is that of a copy in the lab. Debian and Ubuntu
   * confine {@code /usr/sbin/rsyslogd}, by its path, to the files of the machine's own rsyslog.
   */
  private static Path executable(Path home) throws LabException {
    Path installedConfiguration = Programs.find("rsyslogd");
    try {
      if (!Files.exists(APPARMOR_ENABLED) || !Files.readString(APPARMOR_ENABLED).startsWith("Y")) {
        return installedConfiguration;
      }
      return Files.copy(
          installedConfiguration, home.resolve("rsyslogd"), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new LabException(installedConfiguration + " can't be copied into the lab: " + e, e);
    }
  }

  /** Returns the port for syslog on the loopback interface, for both UDP and TCP. */
  public int port() {
    return port;
  }

  /** Returns the port for syslog by TCP with octet counting (RFC 6587, 3.4.1). */
  public int countedPort() {
    return countedPort;
  }

  /**
   * Returns the number of datagrams that the kernel has dropped since this rsyslog started, because
   * its receive buffer was full.
   */
  public long droppedDatagrams() throws IOException {
    return UdpSockets.ofKernel().dropped(port);
  }

  /** Returns the bytes of kernel memory with datagrams that this rsyslog has not read yet. */
  public long waitingDatagrams() throws IOException {
    return UdpSockets.ofKernel().waiting(port);
  }

  /**
   * Returns the shims that this rsyslog has started: one for each worker of its queue, and one more
   * while its queue on disk is in use.
   */
  public List<ProcessHandle> shims() {
    return server.children();
  }

  /** Returns the size of rsyslog's queue on disk, in bytes. */
  public long queuedOnDisk() throws IOException {
    try (Stream<Path> files = Files.walk(queue)) {
      return files.filter(Files::isRegularFile).map(Path::toFile).mapToLong(File::length).sum();
    }
  }

  /** Deletes rsyslog's queue on disk, as if the disk were lost. Rsyslog must have ended. */
  public void wipe() throws LabException {
    LabDirectory.delete(queue);
    LabDirectory.makeAt(queue);
  }

  public Server server() {
    return server;
  }
}
