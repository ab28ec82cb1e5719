package io.duplog.parts;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.ContainerNetwork;
import io.duplog.rig.LoneServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A container with an idle main process, beside which servers come and go.
 *
 * <p>Not thread-safe.
 */
public abstract class Part implements AutoCloseable {
  /** What a busy two-core machine may need to start a server. A bound, not an expectation. */
  static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final String DEFAULT_IMAGE = "duplog-parts:latest";

  private final GenericContainer<?> container;
  private final String host;

  /** Starts the container, without a server. */
  Part(String imageVariable) {
    container =
        new GenericContainer<>(DockerImageName.parse(environment(imageVariable, DEFAULT_IMAGE)))
            .withLabel("io.duplog.run", environment("DUPLOG_TEST_RUN", "by-hand"))
            .withCreateContainerCmdModifier(Part::idle);
    container.start();
    Collection<ContainerNetwork> networks =
        container.getContainerInfo().getNetworkSettings().getNetworks().values();
    ContainerNetwork network = networks.iterator().next();
    host = Objects.requireNonNull(network.getIpAddress(), "address");
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
  public String host() {
    return host;
  }

  /**
   * Runs a command in the container and waits for its end.
   *
   * @return what it wrote to its standard output
   * @throws IllegalStateException if it did not exit with 0
   */
  public String run(String... command) {
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

  /** Copies a file of this machine, a jar say, into the container. */
  public void copyIn(Path file, String path) {
    container.copyFileToContainer(MountableFile.forHostPath(file), path);
  }

  /** Writes a file in the container, readable by all. */
  public void write(String path, String text) {
    container.copyFileToContainer(
        Transferable.of(text.getBytes(StandardCharsets.UTF_8), 0100644), path);
  }

  /** The bytes of a file in the container. */
  public byte[] read(String path) {
    return container.copyFileFromContainer(path, in -> in.readAllBytes());
  }

  /** Removes the container, with its servers and their data. */
  @Override
  public void close() {
    container.stop();
  }

  void awaitListening(int port) {
    Awaitility.await(this + " listens on " + port)
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> accepts(port));
  }

  private boolean accepts(int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 1_000);
      return true;
    }
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + " at " + host;
  }
}
