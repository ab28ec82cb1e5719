package io.duplog.benchmark.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A bridge that writes the merged stream to a file. */
public final class Bridge {

  /**
   * The ports of what it speaks with.
   *
   * @param brokers by stream
   */
  record Peers(Map<String, Integer> brokers, int redis) {}

  private final Path output;
  private final Server server;

  /**
   * @param readiness whether its queues are consumed
   */
  Bridge(String name, LabDirectory directory, Path jar, Peers peers, Server.Readiness readiness)
      throws LabException {
    Path home = directory.make(name);
    this.output = home.resolve("merged.log");
    Path configuration =
        LabDirectory.write(home.resolve("duplog.yaml"), configuration(name, peers));
    this.server =
        new Server(
            new Server.Launch(
                name,
                List.of(
                    Programs.java().toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:-UsePerfData",
                    "-Djava.io.tmpdir=" + directory.temporary(),
                    "-jar",
                    jar.toString(),
                    "bridge",
                    "--config",
                    configuration.toString()),
                Map.of(),
                home),
            directory,
            readiness);
  }

  private String configuration(String name, Peers peers) {
    String streams =
        peers.brokers().entrySet().stream()
            .map(
                broker ->
                    "  - {name: %s, host: 127.0.0.1, port: %d, user: %s, password: %s}\n"
                        .formatted(
                            broker.getKey(), broker.getValue(), RabbitMq.USER, RabbitMq.PASSWORD))
            .collect(Collectors.joining());
    return """
        name: %s
        streams:
        %sdedup:
          store: redis
          window: 10m
          redis: {host: 127.0.0.1, port: %d}
        sink:
          type: file
          file: {path: "%s"}
        """
        .formatted(name, streams, peers.redis(), output);
  }

  /** Where it writes what it keeps, one line a message. */
  public Path output() {
    return output;
  }

  public Server server() {
    return server;
  }
}
