package io.duplog.benchmark.lab;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A bridge that writes the merged stream to a file, or to the lab's HEC. */
public final class Bridge {

  /**
   * The ports of what it speaks with.
   *
   * @param brokers by stream
   * @param hec 0 where there is none
   */
  record Peers(Map<String, Integer> brokers, int redis, int hec) {}

  private final Path output;
  private final Server server;

  /**
   * @param hec where it delivers to; null for a file of its own
   * @param readiness whether its queues are consumed
   */
  Bridge(
      String name,
      LabDirectory directory,
      Path jar,
      Peers peers,
      @Nullable HecStandIn hec,
      Server.Readiness readiness)
      throws LabException {
    Path home = directory.make(name);
    this.output = hec == null ? home.resolve("merged.log") : hec.output();
    Path configuration =
        LabDirectory.write(home.resolve("duplog.yaml"), configuration(name, peers, hec));
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

  private String configuration(String name, Peers peers, @Nullable HecStandIn hec) {
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
        %s"""
        .formatted(
            name,
            streams,
            peers.redis(),
            hec == null
                ? "  type: file\n  file: {path: \"%s\"}\n".formatted(output)
                : hec.sinkSection(peers.hec()));
  }

  /** Where what it keeps is written, one line a message; with a HEC, what all bridges keep. */
  public Path output() {
    return output;
  }

  public Server server() {
    return server;
  }
}
