package io.duplog.bridge;

import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.duplog.parts.Redis;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Probe;
import io.duplog.setup.Deployment;
import io.duplog.setup.HostFolders;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * Base of tests with several Redis servers, which run in one container with the files that {@code
 * duplog init} writes. Not thread-safe.
 */
abstract class ReplicatedRedis implements AutoCloseable {
  private static final List<String> NODES = List.of("a.example", "b.example");

  private final GenericContainer<?> container;
  private final String host;
  private final Path folder = LoneServer.unchecked(() -> Files.createTempDirectory("init"));

  /** Writes the files, and starts no server. */
  ReplicatedRedis(int servers, boolean tls) {
    String image = environment("DUPLOG_REDIS_IMAGE", "duplog-parts:latest");
    container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withLabel("io.duplog.run", environment("DUPLOG_TEST_RUN", "by-hand"))
            .withCreateContainerCmdModifier(ReplicatedRedis::idle);
    container.start();
    Collection<ContainerNetwork> networks =
        container.getContainerInfo().getNetworkSettings().getNetworks().values();
    host = Objects.requireNonNull(networks.iterator().next().getIpAddress(), "address");
    LoneServer.unchecked(() -> init(servers, tls));
    container.copyFileToContainer(MountableFile.forHostPath(folder.resolve(host)), "/root/setup");
    shell(
        """
        cp -r /root/setup/etc/redis /etc
        for each in duplog duplog-options; do
          echo "include /etc/redis/$each.conf" >>/etc/redis/redis.conf
        done
        """);
    admitTester("/etc/redis/users.acl");
  }

  private Path init(int servers, boolean tls) throws IOException {
    for (String name : List.of("duplog-bridge_1_all.deb", "duplog-ingest_1_all.deb")) {
      Files.createFile(folder.resolve(name));
    }
    Path passwords = Files.createDirectory(folder.resolve("passwords"));
    Files.writeString(passwords.resolve("redis"), Redis.PASSWORD);
    List<String> hosts = new ArrayList<>(List.of(host));
    IntStream.rangeClosed(2, servers).mapToObj("redis-%d.example"::formatted).forEach(hosts::add);
    Deployment deployment =
        new Deployment(
            Map.of("a", NODES.get(0), "b", NODES.get(1)),
            NODES,
            Deployment.Redis.of(hosts, List.of(), NODES),
            servers,
            null,
            Set.of(),
            Set.of(),
            tls);
    HostFolders.write(deployment, folder, folder);
    return folder;
  }

  /** Returns a file that {@code duplog init} has written for a host. */
  final Path written(String host, String file) {
    return folder.resolve(host).resolve("etc").resolve(file);
  }

  /** Returns the folder that has what belongs in {@code /etc/duplog} of a bridge's host. */
  final Path bridge() {
    return written(NODES.get(0), "duplog");
  }

  /**
   * Adds an init process, which reaps what was killed, so that a dead server's pid does not stay.
   */
  private static void idle(CreateContainerCmd create) {
    create.withEntrypoint("sleep").withCmd("infinity");
    Objects.requireNonNull(create.getHostConfig()).withInit(true);
  }

  private static String environment(String variable, String absent) {
    String value = System.getenv(variable);
    return value == null || value.isEmpty() ? absent : value;
  }

  /**
   * Returns the address, which is the same from this machine and from other parts, and stays the
   * same until closed.
   */
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

  /** Removes the container, with its servers and their data. */
  @Override
  public final void close() {
    container.stop();
    LoneServer.unchecked(
        () -> {
          MoreFiles.deleteRecursively(folder, RecursiveDeleteOption.ALLOW_INSECURE);
          return folder;
        });
  }

  final void awaitListening(int port) {
    awaitThat(this + " listens on " + port, () -> Probe.accepts(host, port));
  }

  /** Runs commands, up to the first one that fails. */
  final void shell(String commands) {
    run("sh", "-ec", commands);
  }

  /** Adds the user whom {@link #cli} needs. */
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

  /**
   * Returns a folder in memory, because a cluster's node writes and waits for the disk whenever the
   * cluster changes.
   */
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

  /** Returns what redis-cli prints, asked as somebody who may do everything. */
  final String cli(int port, String... arguments) {
    List<String> line = new ArrayList<>(client(port));
    line.addAll(List.of(arguments));
    return run(line.toArray(String[]::new)).stripTrailing();
  }

  /** Waits until something is so. A server that does not answer is asked again. */
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
