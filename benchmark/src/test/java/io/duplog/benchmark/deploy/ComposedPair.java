package io.duplog.benchmark.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.collect.Lists;
import io.duplog.benchmark.lab.ChildProcess;
import io.duplog.benchmark.lab.LabJars;
import io.duplog.rig.LabException;
import io.duplog.rig.Ports;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Starts the containers of deploy/compose.yaml for {@link ComposeIT}, from local images, with
 * private ports and a separate project name. Uses {@code docker compose} if it exists, otherwise
 * {@code docker-compose}.
 */
final class ComposedPair implements AutoCloseable {
  /** Services that keep running. Other services run once and end. */
  static final List<String> SERVICES =
      List.of("ingest-a ingest-b rabbitmq-a rabbitmq-b redis bridge-1 bridge-2 hec".split(" "));

  /** Script that loads each image of the release only from its archive. */
  private static final String LOAD_IMAGES =
      """
      for archive in dist/*-image-*; do
        name=${archive%-image-*} version=${archive##*-image-}
        docker image rm --force "${name#dist/}:${version%.tar}"
        docker load --input "$archive"
      done
      """;

  private static final int ANSWER_TIMEOUT_MILLIS = 10_000;

  private final String project = "duplog-compose-" + ProcessHandle.current().pid();
  private final Map<String, String> environment = new HashMap<>();
  private final Path folder;

  /**
   * Prepares the environment. Starts nothing.
   *
   * @param folder folder for the pair's own file
   */
  ComposedPair(Path folder) throws IOException, LabException {
    this.folder = folder;
    for (String image : List.of("JRE", "INGEST_BASE", "RABBITMQ", "REDIS")) {
      environment.put(image + "_IMAGE", "duplog-parts:latest");
    }
    Ports ports = new Ports();
    for (String port : List.of("SYSLOG_A", "SYSLOG_B", "STATUS_1", "STATUS_2")) {
      environment.put("DUPLOG_" + port, Integer.toString(ports.next()));
    }
    Path labels = Files.writeString(folder.resolve("labels.yaml"), labels());
    environment.put("COMPOSE_PROJECT_NAME", project);
    environment.put("COMPOSE_FILE", LabJars.checkout() + "/deploy/compose.yaml:" + labels);
  }

  /** Returns the labels by which deploy/verify finds the containers of a killed test. */
  private static String labels() {
    String run = Objects.requireNonNullElse(System.getenv("DUPLOG_TEST_RUN"), "by-hand");
    return SERVICES.stream()
        .map(service -> "  %s: {labels: {io.duplog.run: '%s'}}".formatted(service, run))
        .collect(Collectors.joining("\n", "services:\n", "\n"));
  }

  /**
   * Builds a release with its images, loads the images from their archives, and starts all
   * services.
   */
  void up() throws LabException {
    run(LabJars.checkout() + "/deploy/release", "--built", "--images", folder + "/dist");
    String loaded = run("sh", "-ec", LOAD_IMAGES);
    environment.put("DUPLOG_TAG", loaded.substring(loaded.lastIndexOf(':') + 1).strip());
    compose("build hec");
    compose("up -d");
  }

  /**
   * Runs docker compose with these arguments.
   *
   * @return its output
   * @throws LabException if it did not exit with 0
   */
  String compose(String arguments) throws LabException {
    return run(
        "sh",
        "-c",
        "docker compose version >/dev/null 2>&1 && exec docker compose %1$s || exec docker-compose %1$s"
            .formatted(arguments));
  }

  /** Returns the id of a service's container, which may have ended. */
  private String container(String service) throws LabException {
    String label = "--filter label=com.docker.compose.";
    return run(
            "sh",
            "-c",
            "docker ps --all --quiet %1$sproject=%2$s %1$sservice=%3$s"
                .formatted(label, project, service))
        .strip();
  }

  /** Returns the engine's data about a service's container, by a template of docker inspect. */
  String inspect(String service, String template) throws LabException {
    return run("docker", "inspect", "--format", template, container(service)).strip();
  }

  /** Runs a shell command in a service's container, as the container's user. */
  String runInContainer(String service, String line) throws LabException {
    return run("docker", "exec", container(service), "sh", "-c", line);
  }

  /** Sends a datagram to both nodes, like the program logger. */
  void log(String message) throws IOException {
    byte[] bytes = message.getBytes(UTF_8);
    try (DatagramSocket socket = new DatagramSocket()) {
      for (String port : List.of("DUPLOG_SYSLOG_A", "DUPLOG_SYSLOG_B")) {
        socket.send(
            new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port(port)));
      }
    }
  }

  /** Returns the lines of the merged stream that contain this text. */
  List<String> delivered(String text) throws LabException {
    return runInContainer("hec", "cat /var/lib/hec/events 2>/dev/null || true")
        .lines()
        .filter(line -> line.contains(text))
        .toList();
  }

  /** Returns the status code of a bridge's answer for a path. */
  int requestStatus(int bridge, String path) throws IOException {
    String address = "http://127.0.0.1:%d%s".formatted(port("DUPLOG_STATUS_" + bridge), path);
    HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
    connection.setConnectTimeout(ANSWER_TIMEOUT_MILLIS);
    connection.setReadTimeout(ANSWER_TIMEOUT_MILLIS);
    return connection.getResponseCode();
  }

  private int port(String variable) {
    return Integer.parseInt(Objects.requireNonNull(environment.get(variable)));
  }

  private String run(String... command) throws LabException {
    ChildProcess.Result result =
        ChildProcess.runAllowingFailure(
            folder, environment, Lists.asList("timeout", "300", command));
    if (result.status() != 0) {
      throw new LabException(
          "%s: exit status %d: %s"
              .formatted(String.join(" ", command), result.status(), result.output()));
    }
    return result.output();
  }

  /** Removes containers, networks, volumes and images. */
  @Override
  public void close() throws LabException {
    compose("down --volumes --timeout 5");
    run(
        "sh",
        "-c",
        "docker image rm duplog-bridge:$DUPLOG_TAG duplog-ingest:$DUPLOG_TAG duplog-hec:$DUPLOG_TAG");
  }
}
