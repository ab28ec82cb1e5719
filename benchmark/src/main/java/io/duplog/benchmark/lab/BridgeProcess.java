package io.duplog.benchmark.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.duplog.rig.LabDirectory;
import io.duplog.rig.LabException;
import io.duplog.rig.RabbitMqProcess;
import io.duplog.rig.Server;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A bridge that writes the merged stream to a file, to its output, or to the lab's HEC. */
public final class BridgeProcess {
  /** A bridge merges two streams at least; this is the other one of a lab that has one. */
  private static final String LONE_STREAMS_PARTNER = "nobody";

  /**
   * What it speaks with.
   *
   * @param brokers their ports, by stream
   * @param store what its configuration says of Redis
   * @param hec the port; 0 where there is none
   */
  record Peers(Map<String, Integer> brokers, Map<String, String> store, int hec) {
    /** Of one Redis, and of the brokers. */
    List<Integer> ports() {
      List<Integer> ports = new ArrayList<>(brokers.values());
      ports.add(0, Integer.valueOf(store.getOrDefault("dedup.redis.port", "0")));
      return ports;
    }
  }

  private static final Pattern STATUS_PAGE =
      Pattern.compile("status page, metrics and health at (http://127\\.0\\.0\\.1:\\d+)");

  private final Path output;
  private final Path configuration;
  private final List<String> streams;
  private final Server server;

  /**
   * @param hec what stands in for Splunk; null where it has another sink
   * @param readiness whether its queues are consumed
   */
  BridgeProcess(
      String name,
      LabDirectory directory,
      LabPlan plan,
      Peers peers,
      @Nullable HecStandIn hec,
      Server.Readiness readiness)
      throws LabException {
    Path home = directory.make(name);
    boolean toStdout = plan.sink == LabPlan.Sink.STDOUT;
    this.output = hec == null ? home.resolve("merged.log") : hec.output();
    Map<String, String> settings = new HashMap<>();
    settings.put("name", name);
    settings.put("streams", streams(peers.brokers(), plan.tuning.queues()));
    settings.put("status.listen", "127.0.0.1:0");
    settings.put("dedup.store", "redis");
    settings.put("dedup.window", "10m");
    settings.putAll(peers.store());
    if (plan.bridges > 1 && plan.tuning.queues() >= plan.bridges) {
      settings.put("receive.bridges", names(plan.bridges).toString());
    }
    if (hec != null) {
      settings.putAll(hec.settings(peers.hec()));
    } else if (toStdout) {
      settings.put("sink.type", "stdout");
    } else {
      settings.put("sink.type", "file");
      settings.put("sink.file.path", "\"" + output + "\"");
    }
    settings.putAll(plan.tuning.bridge());
    this.streams = List.copyOf(peers.brokers().keySet());
    this.configuration =
        LabDirectory.write(home.resolve("duplog.yaml"), Tuning.configuration(settings));
    String jar = plan.jars.bridge().toString();
    List<String> arguments =
        plan.merger == null
            ? List.of("-jar", jar, "bridge", "--config", configuration.toString())
            : LabJars.program(plan.merger, peers.ports());
    this.server =
        new Server(
            new Server.Launch(
                name,
                directory.java(LabJars.javaOptions("duplog"), arguments),
                Map.of(),
                home,
                toStdout ? Redirect.appendTo(output.toFile()) : null),
            directory,
            readiness);
  }

  /** What so many are called. */
  static List<String> names(int number) {
    return IntStream.rangeClosed(1, number).mapToObj(i -> "bridge-" + i).toList();
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
        .formatted(name, port, RabbitMqProcess.USER, RabbitMqProcess.PASSWORD, more);
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

  /**
   * Where a bridge's status page is, since its last start.
   *
   * @throws IOException if it has not said so yet
   */
  public static URI page(Server bridge) throws IOException {
    return STATUS_PAGE
        .matcher(Files.readString(bridge.log()))
        .results()
        .reduce((first, last) -> last)
        .map(found -> URI.create(found.group(1)))
        .orElseThrow(() -> new IOException(bridge.name() + " does not say where its page is"));
  }

  /** The lines of its metrics, as Prometheus gets them. */
  public List<String> metrics() throws IOException {
    try (InputStream in = page(server).resolve("/metrics").toURL().openStream()) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }
}
