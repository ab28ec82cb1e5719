package io.duplog.parts;

import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.ContainerNetwork;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Probe;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * Redis servers of several hosts, all in one container with an idle main process, set up by the
 * commands of a page of {@code docs}: with what Debian configures, and the files of {@code
 * deploy/redis}. Not thread-safe.
 */
abstract class GuidedRedis implements AutoCloseable {
  private static final String CHECKOUT = "/root/checkout";

  private final GenericContainer<?> container;
  private final String host;
  private final String page;

  /** All hosts of a page, the workstation among them, before the first command. */
  GuidedRedis(String page) {
    this.page = page;
    String image = environment("DUPLOG_REDIS_IMAGE", "duplog-parts:latest");
    container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withLabel("io.duplog.run", environment("DUPLOG_TEST_RUN", "by-hand"))
            .withCreateContainerCmdModifier(GuidedRedis::idle);
    container.start();
    Collection<ContainerNetwork> networks =
        container.getContainerInfo().getNetworkSettings().getNetworks().values();
    host = Objects.requireNonNull(networks.iterator().next().getIpAddress(), "address");
    // What is installed here, and runs, is up to the test.
    for (String command : List.of("apt-get", "systemctl")) {
      program(command, "exit 0");
    }
    program("scp", "mkdir -p \"${3#*:}\" && cp -r \"$2\"/. \"${3#*:}\"");
    container.copyFileToContainer(
        MountableFile.forHostPath(Deployed.path("redis")), CHECKOUT + "/deploy/redis");
    write("/root/pair/passwords/redis", Redis.PASSWORD);
    write("/root/pair/passwords/operator", "of nobody");
  }

  /** The init process reaps what was killed, so that a dead server's pid does not stay. */
  private static void idle(CreateContainerCmd create) {
    create.withEntrypoint("sleep").withCmd("infinity");
    Objects.requireNonNull(create.getHostConfig()).withInit(true);
  }

  private static String environment(String variable, String absent) {
    String value = System.getenv(variable);
    return value == null || value.isEmpty() ? absent : value;
  }

  /** The address, from this machine and from other parts alike. The same until closed. */
  public final String host() {
    return host;
  }

  /**
   * Runs a command in the container and waits for its end.
   *
   * @return what it wrote to its standard output
   * @throws IllegalStateException if it did not exit with 0
   */
  final String run(String... command) {
    ExecResult result = LoneServer.unchecked(() -> container.execInContainer(command));
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

  /** Writes a file in the container, readable by all. */
  final void write(String path, String text) {
    container.copyFileToContainer(
        Transferable.of(text.getBytes(StandardCharsets.UTF_8), 0100644), path);
  }

  /** The bytes of a file in the container. */
  final byte[] read(String path) {
    return container.copyFileFromContainer(path, in -> in.readAllBytes());
  }

  /** Removes the container, with its servers and their data. */
  @Override
  public final void close() {
    container.stop();
  }

  final void awaitListening(int port) {
    awaitThat(this + " listens on " + port, () -> Probe.accepts(host, port));
  }

  private void program(String name, String text) {
    write("/usr/local/bin/" + name, "#!/bin/sh\n" + text + "\n");
    run("chmod", "755", "/usr/local/bin/" + name);
  }

  /** What the page says that is to be done at a place. */
  final String commands(String place) {
    return Deployed.commands(page, place);
  }

  /** Runs commands in the checkout, up to the first one that fails. */
  final void shell(String commands) {
    run("sh", "-ec", "cd " + CHECKOUT + "\n" + commands);
  }

  /** For {@link #cli}. */
  final void admitTester(String users) {
    shell(
        "echo 'user %s on >%s ~* &* +@all' >>%s"
            .formatted(Redis.TESTER, Redis.TESTERS_PASSWORD, users));
  }

  /** Starts a server in the background. */
  final void launchRedis(String file, String portOption, int port, String... options) {
    String folder = folder(port);
    shell(
        "mkdir -p %s; redis-server %s %s %d --dir %1$s --pidfile %s --logfile '' --daemonize yes %s"
            .formatted(folder, file, portOption, port, pidFile(port), String.join(" ", options)));
    awaitListening(port);
  }

  /** In memory: a node of a cluster writes, and waits for the disk, at each change of it. */
  private static String folder(int port) {
    return "/dev/shm/" + port;
  }

  private static String pidFile(int port) {
    return folder(port) + ".pid";
  }

  /** Kills a server, and returns at once. */
  final void killRedis(int port) {
    shell("kill -KILL $(cat %s)".formatted(pidFile(port)));
  }

  /** What redis-cli prints, asked as somebody who may do everything. */
  final String cli(int port, String... arguments) {
    List<String> line = new ArrayList<>(client(port));
    line.addAll(List.of(arguments));
    return run(line.toArray(String[]::new)).stripTrailing();
  }

  /** A server that does not answer is asked again. */
  static void awaitThat(String what, Callable<Boolean> isSo) {
    await(what).ignoreExceptions().until(isSo);
  }

  List<String> client(int port) {
    return Redis.client(port);
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " at " + host;
  }
}
