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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one of a lab's bridges as a separate process, with a configuration for the lab's servers. It
 * writes the merged stream to a file, to its standard output, or to the lab's HEC.
 */
public final class BridgeProcess {
  /**
   * Name of the empty second stream in a lab with one stream, because a bridge merges at least two.
   */
  private static final String EMPTY_STREAM = "nobody";

  /** Name of the sink beside HEC, if there are two. */
  static final String SECOND_SINK = "copy";

  /**
   * The servers that a bridge connects to, all on this host.
   *
   * @param brokers ports of the brokers, by stream
   * @param store keys and values of the bridge's configuration that describe Redis
   * @param hec port of the HTTP Event Collector; 0 if there is none
   * @param secondSink keys and values of the sink beside HEC that describe its server; empty if
   *     that sink has no server
   */
  record Peers(
      Map<String, Integer> brokers,
      Map<String, String> store,
      int hec,
      Map<String, String> secondSink) {
    /**
     * Returns the port of Redis, followed by the ports of the brokers. Redis's port is 0 if there
     * are several Redis servers.
     */
    List<Integer> ports() {
      List<Integer> ports = new ArrayList<>(brokers.values());
      ports.add(0, Integer.valueOf(store.getOrDefault("dedup.redis.port", "0")));
      return ports;
    }
  }

  private static final Pattern STATUS_PAGE =
      Pattern.compile("status page, metrics and health at (http://127\\.0\\.0\\.1:\\d+)");

  private final Path file;
  private final Path output;
  private final Path configuration;
  private final List<String> streams;
  private final Server server;

  /**
   * Writes the configuration. Starts nothing.
   *
   * @param hec the stand-in for Splunk, or null if the bridge has another sink
   * @param readiness checks whether the bridge's queues have consumers
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
    boolean isStdoutSink = plan.sink == LabPlan.Sink.STDOUT;
    this.file = home.resolve("merged.log");
    this.output = hec == null ? file : hec.output();
    Map<String, String> settings = new HashMap<>();
    settings.put("name", name);
    settings.put("streams", streamSettings(peers.brokers(), plan));
    settings.put("status.listen", "127.0.0.1:0");
    settings.put("dedup.store", "redis");
    settings.put("dedup.window", "10m");
    settings.putAll(peers.store());
    if (plan.bridges > 1 && plan.tuning.queues() >= plan.bridges) {
      settings.put("receive.bridges", names(plan.bridges).toString());
    }
    putSinks(settings, plan.sink, peers, hec);
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
                isStdoutSink ? Redirect.appendTo(output.toFile()) : null),
            directory,
            readiness);
  }

  private void putSinks(
      Map<String, String> settings, LabPlan.Sink sink, Peers peers, @Nullable HecStandIn hec)
      throws LabException {
    if (hec != null) {
      String section = sink.isSeveral() ? "sinks.splunk." : "sink.";
      hec.settings(peers.hec()).forEach((key, value) -> settings.put(section + key, value));
    }
    String secondSection = "sinks." + SECOND_SINK + ".";
    switch (sink) {
      case FILE -> putFile(settings, "sink.");
      case STDOUT -> settings.put("sink.type", "stdout");
      case HEC, HEC_BY_PROXY, HEC_ACKNOWLEDGED -> {}
      case HEC_AND_FILE -> putFile(settings, secondSection);
      case HEC_AND_ARCHIVE -> {
        settings.put(secondSection + "type", "archive");
        Path folder = LabDirectory.makeAt(file.resolveSibling("archive"));
        settings.put(secondSection + "archive.folder", "\"" + folder + "\"");
      }
      case TWO_HECS, HEC_AND_KAFKA, HEC_AND_HUNG_SYSLOG ->
          peers.secondSink().forEach((key, value) -> settings.put(secondSection + key, value));
    }
  }

  private void putFile(Map<String, String> settings, String section) {
    settings.put(section + "type", "file");
    settings.put(section + "file.path", "\"" + file + "\"");
  }

  /** Returns the names of a lab's bridges, such as {@code bridge-1}. */
  static List<String> names(int number) {
    return IntStream.rangeClosed(1, number).mapToObj(i -> "bridge-" + i).toList();
  }

  private static String streamSettings(Map<String, Integer> brokers, LabPlan plan) {
    int queues = plan.tuning.queues();
    String queueSettings =
        (queues == 1 ? "" : ", queue-count: " + queues) + ", queue-type: " + plan.queueType;
    List<String> streams = new ArrayList<>();
    brokers.forEach((stream, port) -> streams.add(streamSetting(stream, port, queueSettings)));
    if (brokers.size() == 1) {
      int port = brokers.values().iterator().next();
      String ownQueue = ", queues: [%s]".formatted(EMPTY_STREAM);
      streams.add(streamSetting(EMPTY_STREAM, port, ownQueue + queueSettings));
    }
    return streams.toString();
  }

  private static String streamSetting(String name, int port, String otherSettings) {
    return "{name: %s, host: 127.0.0.1, port: %d, user: %s, password: %s%s}"
        .formatted(name, port, RabbitMqProcess.USER, RabbitMqProcess.PASSWORD, otherSettings);
  }

  /**
   * Exchanges the names of the first two streams in the configuration file. The next start then
   * connects each name to the other stream's broker. A second call restores the file.
   *
   * @throws IOException if the configuration file can't be read or written
   */
  public void exchangeNames() throws IOException {
    String firstName = "name: " + streams.get(0) + ",";
    String secondName = "name: " + streams.get(1) + ",";
    String text = Files.readString(configuration);
    Files.writeString(
        configuration,
        text.replace(firstName, "\0").replace(secondName, firstName).replace("\0", secondName));
  }

  /**
   * Returns the file with the delivered messages, one line for each message. With a HEC, all
   * bridges share one file.
   */
  public Path output() {
    return output;
  }

  /** Returns the file that the bridge's file sink writes, alone or beside HEC. */
  public Path file() {
    return file;
  }

  public Server server() {
    return server;
  }

  /**
   * Returns the address of a bridge's status page. It changes with each start.
   *
   * @throws IOException if the bridge's log does not contain the address yet
   */
  public static URI page(Server bridge) throws IOException {
    return STATUS_PAGE
        .matcher(Files.readString(bridge.log()))
        .results()
        .reduce((first, last) -> last)
        .map(found -> URI.create(found.group(1)))
        .orElseThrow(
            () ->
                new IOException(bridge.name() + " has not logged the address of its status page"));
  }

  /** Returns how many messages the sink that is not required has missed since the bridge began. */
  public long missedMessages() throws IOException {
    String metric = "duplog_sink_missed_total{sink=\"%s\"} ".formatted(SECOND_SINK);
    return metrics().stream()
        .filter(line -> line.startsWith(metric))
        .mapToLong(line -> Math.round(Double.parseDouble(line.substring(metric.length()))))
        .sum();
  }

  /** Reads the bridge's metrics as lines in Prometheus's format. */
  public List<String> metrics() throws IOException {
    try (InputStream in = page(server).resolve("/metrics").toURL().openStream()) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }
}
