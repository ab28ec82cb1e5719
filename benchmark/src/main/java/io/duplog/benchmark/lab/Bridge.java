package io.duplog.benchmark.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A bridge that writes the merged stream to a file, to its output, or to the lab's HEC. */
public final class Bridge {
  /** A bridge merges two streams at least; this is the other one of a lab that has one. */
  private static final String LONE_STREAMS_PARTNER = "nobody";

  /**
   * The ports of what it speaks with.
   *
   * @param brokers by stream
   * @param hec 0 where there is none
   */
  record Peers(Map<String, Integer> brokers, StoreAddress store, int hec) {}

  /**
   * Where it writes what it keeps.
   *
   * @param hec null for a file of its own
   * @param stdout whether that file is what its standard output goes to
   */
  record Delivery(@Nullable HecStandIn hec, boolean stdout) {}

  private final Path output;
  private final Path configuration;
  private final List<String> streams;
  private final Server server;

  /**
   * @param queues of each stream
   * @param readiness whether its queues are consumed
   */
  Bridge(
      String name,
      LabDirectory directory,
      Path jar,
      Peers peers,
      Delivery delivery,
      int queues,
      BridgeTuning tuning,
      Server.Readiness readiness)
      throws LabException {
    Path home = directory.make(name);
    HecStandIn hec = delivery.hec();
    this.output = hec == null ? home.resolve("merged.log") : hec.output();
    Settings settings =
        Settings.NONE
            .with("name", name)
            .with("streams", streams(peers.brokers(), queues))
            .with("status.listen", "127.0.0.1:0")
            .with("dedup.store", "redis")
            .with("dedup.window", "10m")
            .with(peers.store().settings())
            .with(hec == null ? sink(delivery.stdout()) : hec.sink(peers.hec()))
            .with(tuning.settings());
    this.streams = List.copyOf(peers.brokers().keySet());
    this.configuration = LabDirectory.write(home.resolve("duplog.yaml"), settings.toYaml());
    this.server =
        new Server(
            new Server.Launch(
                name,
                JavaCommand.of(
                    tuning.heapMegabytes(),
                    directory,
                    List.of(
                        "-jar", jar.toString(), "bridge", "--config", configuration.toString())),
                Map.of(),
                home,
                delivery.stdout() ? new Server.Stdio.Filed(output) : new Server.Stdio.Logged()),
            directory,
            readiness);
  }

  private Settings sink(boolean stdout) {
    return stdout
        ? Settings.NONE.with("sink.type", "stdout")
        : Settings.NONE.with("sink.type", "file").with("sink.file.path", "\"" + output + "\"");
  }

  private static String streams(Map<String, Integer> brokers, int queues) {
    String count = queues == 1 ? "" : ", queue-count: " + queues;
    String streams =
        brokers.entrySet().stream()
            .map(broker -> stream(broker.getKey(), broker.getValue(), count))
            .collect(Collectors.joining(", "));
    if (brokers.size() == 1) {
      int port = brokers.values().iterator().next();
      streams +=
          ", "
              + stream(
                  LONE_STREAMS_PARTNER,
                  port,
                  ", queues: [%s]".formatted(LONE_STREAMS_PARTNER) + count);
    }
    return "[" + streams + "]";
  }

  private static String stream(String name, int port, String more) {
    return "{name: %s, host: 127.0.0.1, port: %d, user: %s, password: %s%s}"
        .formatted(name, port, RabbitMq.USER, RabbitMq.PASSWORD, more);
  }

  /**
   * From its next start on it has the first two streams' brokers each under the other's name; said
   * again, as they were.
   *
   * @throws IOException if its configuration can't be written
   */
  public void exchangeNames() throws IOException {
    String one = "name: " + streams.get(0) + ",";
    String other = "name: " + streams.get(1) + ",";
    String text = Files.readString(configuration);
    Files.writeString(
        configuration, text.replace(one, "\0").replace(other, one).replace("\0", other));
  }

  /** Where what it keeps is written, one line a message; with a HEC, what all bridges keep. */
  public Path output() {
    return output;
  }

  public Server server() {
    return server;
  }
}
