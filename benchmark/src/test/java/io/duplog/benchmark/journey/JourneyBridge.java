package io.duplog.benchmark.journey;

import io.duplog.benchmark.lab.LabJars;
import io.duplog.parts.RabbitMq;
import io.duplog.parts.Redis;
import io.duplog.rig.LabException;
import io.duplog.rig.LoneServer;
import io.duplog.rig.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A bridge as an operator starts it, with a file for its sink. */
final class JourneyBridge extends LoneServer {
  private final String name;
  private final List<Node> nodes;
  private final Redis redis;
  private final Path configuration;
  private final Path output;
  private final Server server;

  JourneyBridge(Path directory, String name, List<Node> nodes, Redis redis) throws IOException {
    this.name = name;
    this.nodes = nodes;
    this.redis = redis;
    output = directory.resolve(name + ".merged");
    configuration = directory.resolve(name + ".yaml");
    configure("", "");
    server = unchecked(() -> server(directory));
  }

  private Server server(Path home) throws LabException {
    String jar = LabJars.ofThisBuild().bridge().toString();
    List<String> command =
        directory().java(256, List.of("-jar", jar, "bridge", "--config", configuration.toString()));
    return new Server(new Server.Launch(name, command, Map.of(), home), directory(), () -> true);
  }

  @Override
  protected Server server() {
    return server;
  }

  /**
   * Has it read so many queues a stream, shared out among bridges of these names, from when it is
   * started next.
   */
  void share(int queues, List<String> names) throws IOException {
    configure(", queue-count: " + queues, ", bridges: " + names);
  }

  private void configure(String moreOfStreams, String moreOfReceive) throws IOException {
    Files.writeString(
        configuration,
        """
        name: %s
        streams:
        %s
        receive: {retry-min: 200ms, retry-max: 1s%s}
        dedup: {lease: 2s, redis: {host: %s, port: %d, user: %s, password: %s}}
        sink: {file: {path: %s}}
        status: {listen: "127.0.0.1:0"}
        """
            .formatted(
                name,
                nodes.stream()
                    .map(node -> stream(node, moreOfStreams))
                    .collect(Collectors.joining("\n")),
                moreOfReceive,
                redis.host(),
                redis.port(),
                Redis.USER,
                Redis.PASSWORD,
                output));
  }

  private static String stream(Node node, String more) {
    return "  - {name: %s, host: %s, port: %d, user: %s, password: %s%s}"
        .formatted(
            node.stream(),
            node.broker().host(),
            node.broker().port(),
            RabbitMq.BRIDGE_USER,
            RabbitMq.BRIDGE_PASSWORD,
            more);
  }

  /** Asks it to end as a service manager does, and returns its exit status. */
  int terminate() {
    stop();
    return server.process().exitValue();
  }

  boolean isAlive() {
    return server.isAlive();
  }

  /** The most memory that it had resident, in KiB. */
  long peakKibibytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/%d/status".formatted(server.pid()))).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  /** Where it writes the merged stream. */
  Path output() {
    return output;
  }

  /** What it said, for a failing test's message. */
  String log() throws IOException {
    return Files.readString(server.log());
  }
}
