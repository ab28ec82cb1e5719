package io.duplog.benchmark.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The pair of deploy/compose.yaml on this machine's engine, from local images, with ports and a
 * project name of its own. By {@code docker compose} where there is one, else {@code
 * docker-compose}.
 */
final class ComposedPair implements AutoCloseable {
  /** What starts once and ends, and what runs. */
  static final List<String> SERVICES =
      List.of(
          "ingest-a",
          "ingest-b",
          "rabbitmq-a",
          "rabbitmq-b",
          "redis",
          "bridge-1",
          "bridge-2",
          "hec");

  private static final String IMAGE = "duplog-parts:latest";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final HttpClient http =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final Path folder;
  private final Path checkout;
  private final String project = "duplog-compose-" + ProcessHandle.current().pid();
  private final List<String> program;
  private final Map<String, String> environment;

  ComposedPair(Path folder) throws IOException, LabException {
    this.folder = folder;
    this.checkout = LabJars.checkout();
    Ports ports = new Ports();
    environment =
        Map.of(
            "JRE_IMAGE",
            IMAGE,
            "INGEST_BASE_IMAGE",
            IMAGE,
            "RABBITMQ_IMAGE",
            IMAGE,
            "REDIS_IMAGE",
            IMAGE,
            "DUPLOG_TAG",
            "compose-test",
            "DUPLOG_SYSLOG_A",
            Integer.toString(ports.next()),
            "DUPLOG_SYSLOG_B",
            Integer.toString(ports.next()),
            "DUPLOG_STATUS_1",
            Integer.toString(ports.next()),
            "DUPLOG_STATUS_2",
            Integer.toString(ports.next()));
    program =
        run(List.of("docker", "compose", "version")).status() == 0
            ? List.of("docker", "compose")
            : List.of("docker-compose");
    Files.writeString(folder.resolve("labels.yaml"), labels());
  }

  /** By these deploy/verify finds what a test that was killed left behind. */
  private static String labels() {
    String run = Objects.requireNonNullElse(System.getenv("DUPLOG_TEST_RUN"), "by-hand");
    return SERVICES.stream()
        .map(service -> "  %s: {labels: {io.duplog.run: '%s'}}".formatted(service, run))
        .collect(Collectors.joining("\n", "services:\n", "\n"));
  }

  /** Makes the images and starts everything. */
  void up() throws IOException {
    compose("build");
    compose("up", "-d");
  }

  /**
   * Runs docker compose with these arguments.
   *
   * @return what it wrote
   * @throws IllegalStateException if it did not exit with 0
   */
  String compose(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(program);
    command.addAll(
        List.of("-p", project, "-f", checkout.resolve("deploy/compose.yaml").toString()));
    command.addAll(List.of("-f", folder.resolve("labels.yaml").toString()));
    command.addAll(List.of(arguments));
    return orFail(command);
  }

  /** The id of a service's container, which may have ended. */
  String container(String service) throws IOException {
    return orFail(
            List.of(
                "docker",
                "ps",
                "--all",
                "--quiet",
                "--filter",
                "label=com.docker.compose.project=" + project,
                "--filter",
                "label=com.docker.compose.service=" + service))
        .strip();
  }

  /** What the engine knows of a service's container, by a template of docker inspect. */
  String inspect(String service, String template) throws IOException {
    return orFail(List.of("docker", "inspect", "--format", template, container(service))).strip();
  }

  /** Runs a shell's line in a service's container, as the user that it runs as. */
  String inside(String service, String line) throws IOException {
    return orFail(List.of("docker", "exec", container(service), "sh", "-c", line));
  }

  /** Sends a datagram to both nodes, as logger does. */
  void log(String message) throws IOException {
    byte[] bytes = message.getBytes(UTF_8);
    try (DatagramSocket socket = new DatagramSocket()) {
      for (String port : List.of("DUPLOG_SYSLOG_A", "DUPLOG_SYSLOG_B")) {
        socket.send(
            new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port(port)));
      }
    }
  }

  /** The merged stream's lines that hold this text. */
  List<String> delivered(String text) throws IOException {
    return inside("hec", "cat /var/lib/hec/events 2>/dev/null || true")
        .lines()
        .filter(line -> line.contains(text))
        .toList();
  }

  /** What a bridge answers at a path: its status code. */
  int ask(int bridge, String path) throws IOException {
    try {
      return http.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + port("DUPLOG_STATUS_" + bridge) + path))
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private int port(String variable) {
    return Integer.parseInt(Objects.requireNonNull(environment.get(variable)));
  }

  private record Ended(int status, String output) {}

  private String orFail(List<String> command) throws IOException {
    Ended ended = run(command);
    if (ended.status() != 0) {
      throw new IllegalStateException(
          "%s: exit status %d: %s"
              .formatted(String.join(" ", command), ended.status(), ended.output()));
    }
    return ended.output();
  }

  private Ended run(List<String> command) throws IOException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException(String.join(" ", command) + " does not end");
      }
      return new Ended(process.exitValue(), Files.readString(output));
    } catch (IOException e) {
      return new Ended(127, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Removes containers, networks and volumes. */
  @Override
  public void close() throws IOException {
    compose("down", "--volumes", "--timeout", "5");
  }
}
