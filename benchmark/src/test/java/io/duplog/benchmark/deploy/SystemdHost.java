package io.duplog.benchmark.deploy;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.HostConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * Runs a Debian host in a container, with systemd as its first process, so that tests can install
 * and operate Duplog there.
 *
 * <p>Needs CAP_SYS_ADMIN and no seccomp profile, because systemd mounts file systems. The container
 * is not privileged, because a machine without CAP_SYS_RESOURCE can't start a privileged one. On
 * such a machine, units that raise a limit (redis-server: LimitNOFILE) fail, and need a drop-in.
 *
 * <p>Debian's RabbitMQ, Redis with its sentinel, and rsyslog are installed, and masked until a test
 * needs them.
 */
final class SystemdHost implements AutoCloseable {
  /**
   * Maximum time for any operation on a busy machine with one core. The usual time is much shorter.
   */
  static final Duration PATIENCE = Duration.ofMinutes(4);

  private static final String IMAGE = environment("DUPLOG_NODE_IMAGE", "duplog-parts:latest");

  /**
   * Units that are masked until a test needs them. One rotates logs at midnight, so a test rotates
   * them itself. Another is Debian 13's file system over /tmp, which would hide copied files.
   */
  private static final List<String> MASKED_UNITS =
      List.of(
          "rabbitmq-server.service",
          "redis-server.service",
          "redis-sentinel.service",
          "rsyslog.service",
          "logrotate.timer",
          "tmp.mount");

  private final GenericContainer<?> container;

  private SystemdHost(String name) {
    container =
        new GenericContainer<>(DockerImageName.parse(IMAGE))
            .withLabel("io.duplog.run", environment("DUPLOG_TEST_RUN", "by-hand"))
            .withEnv("container", "docker")
            .withCreateContainerCmdModifier(create -> boot(create.withHostName(name)));
    for (String unit : MASKED_UNITS) {
      container.withCopyToContainer(Transferable.of(""), "/etc/systemd/system/" + unit);
    }
  }

  /** Boots a host without running servers. */
  static SystemdHost booted(String name) {
    SystemdHost host = new SystemdHost(name);
    host.container.start();
    Awaitility.await(name + " has booted")
        .until(
            () -> host.answer("systemctl", "is-system-running").strip(),
            state -> state.equals("running") || state.equals("degraded"));
    return host;
  }

  private static void boot(CreateContainerCmd create) {
    HostConfig host = Objects.requireNonNull(create.getHostConfig());
    host.withCapAdd(Capability.SYS_ADMIN, Capability.NET_ADMIN)
        .withSecurityOpts(List.of("seccomp=unconfined"))
        .withCgroupnsMode("host")
        .withBinds(Bind.parse("/sys/fs/cgroup:/sys/fs/cgroup:rw"))
        .withTmpFs(Map.of("/run", "", "/run/lock", ""));
    create.withEntrypoint("/lib/systemd/systemd").withCmd();
  }

  private static String environment(String variable, String defaultValue) {
    String value = System.getenv(variable);
    return value == null || value.isEmpty() ? defaultValue : value;
  }

  /** Unmasks one of Debian's servers that was masked at boot. */
  void unmask(String unit) {
    run("rm", "-f", "/etc/systemd/system/%s.service".formatted(unit));
    run("systemctl", "daemon-reload");
  }

  /** Unmasks a unit, and starts it. */
  void start(String unit) {
    unmask(unit);
    run("systemctl", "start", unit);
  }

  String containerId() {
    return container.getContainerId();
  }

  /** Returns the address, which is the same for this machine and for other hosts. */
  String address() {
    Map<String, ContainerNetwork> networks =
        container.getContainerInfo().getNetworkSettings().getNetworks();
    return Objects.requireNonNull(networks.values().iterator().next().getIpAddress());
  }

  /**
   * Runs a command as root, and waits for its end.
   *
   * @return its standard output
   * @throws IllegalStateException if it did not exit with 0
   */
  String run(String... command) {
    ExecResult result = execute(command);
    if (result.getExitCode() != 0) {
      throw new IllegalStateException(
          "%s: exit status %d: %s%s"
              .formatted(
                  String.join(" ", command),
                  result.getExitCode(),
                  result.getStdout(),
                  result.getStderr()));
    }
    return result.getStdout();
  }

  /** Runs a line of shell, and returns its output. */
  String shell(String line) {
    return run("sh", "-c", line);
  }

  /**
   * Sets how long rsyslog waits for an answer of a shim, from its next start on. With our file's 30
   * seconds, rsyslog would give up a slow shim on a busy machine, and send its transaction again.
   */
  void setConfirmTimeout(Duration time) {
    String parameter = "confirmTimeout=\"%d\"".formatted(time.toMillis());
    String file = "/etc/rsyslog.d/60-duplog.conf";
    run("sed", "-i", "s/confirmTimeout=\"[0-9]*\"/" + parameter + "/", file);
    run("grep", "-q", parameter, file);
  }

  /**
   * Returns the user of rsyslog's shim. Ubuntu's rsyslog is no longer root when it starts the shim.
   */
  String shimsUser() {
    return answer("getent", "passwd", "syslog").isBlank() ? "duplog-ingest" : "syslog";
  }

  /** Returns a command's output, independent of the exit status. */
  String answer(String... command) {
    ExecResult result = execute(command);
    return result.getStdout() + result.getStderr();
  }

  private ExecResult execute(String... command) {
    try {
      return container.execInContainer(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in " + String.join(" ", command), e);
    }
  }

  /** Reads the content of a container's file. */
  interface Reader {
    void read(InputStream bytes) throws IOException;
  }

  /** Reads a file of the container. */
  void read(String path, Reader reader) {
    container.copyFileFromContainer(
        path,
        bytes -> {
          reader.read(bytes);
          return path;
        });
  }

  /** Copies a file of this machine into the container. */
  void copyIn(Path file, String path) {
    container.copyFileToContainer(MountableFile.forHostPath(file), path);
  }

  /** Writes a file in the container. It belongs to root and is readable by all users. */
  void write(String path, String text) {
    container.copyFileToContainer(
        Transferable.of(text.getBytes(StandardCharsets.UTF_8), 0100644), path);
  }

  /** Waits until all queues of this host's broker are empty, including unacknowledged messages. */
  void awaitSettled() {
    Awaitility.await()
        .until(
            () -> run("rabbitmqctl", "-q", "list_queues", "name", "messages", "--no-table-headers"),
            depths ->
                !depths.isBlank()
                    && depths
                        .lines()
                        .filter(
                            line ->
                                !line.contains(
                                    ".identity\t")) // The identity queue always has one message.
                        .allMatch(line -> line.endsWith("\t0")));
  }

  /** Returns the journal of a unit. */
  String journal(String unit) {
    return run("journalctl", "--no-pager", "--output=cat", "--unit", unit);
  }

  /** Removes the container with all its processes. */
  @Override
  public void close() {
    container.stop();
  }

  @Override
  public String toString() {
    return container.getContainerInfo().getConfig().getHostName();
  }
}
