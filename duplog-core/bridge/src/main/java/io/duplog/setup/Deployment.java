package io.duplog.setup;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableSet;
import com.google.common.net.HostAndPort;
import io.duplog.config.Checks;
import io.duplog.config.Hosts;
import io.duplog.dedup.StreamSet;
import io.duplog.wire.Topology;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of an installation that {@code duplog init} sets up, and the programs on each of them.
 *
 * @param nodes host of each ingest node by the name of its stream, in the order of the
 *     configuration file
 * @param bridges hosts of bridges, which may be hosts of nodes
 * @param redis hosts of Redis and its sentinels
 * @param hec Splunk's HTTP Event Collector, or null for the file {@code /var/log/duplog/merged.log}
 * @param queues number of queues of each node
 * @param bulk streams of the nodes whose rsyslog hands over a transaction at a time
 * @param durable streams of the nodes whose rsyslog stores every message on disk until the broker
 *     has it
 * @param tls whether bridges access RabbitMQ and Redis by TLS
 */
public record Deployment(
    Map<String, String> nodes,
    List<String> bridges,
    Redis redis,
    int queues,
    @Nullable Hec hec,
    Set<String> bulk,
    Set<String> durable,
    boolean tls) {
  /**
   * Names of hosts, which are also the names of their folders. Two names are reserved for other
   * folders.
   */
  private static final Pattern HOST =
      Pattern.compile("(?!(ca|passwords)$)[A-Za-z0-9][A-Za-z0-9.:-]{0,252}");

  private static final int MAX_QUEUES = 64;

  private static final Pattern URL = Pattern.compile("https?://[^\\s\"'{},]+");

  /**
   * The Redis servers: one server, or a master and its replica with three sentinels, or a cluster.
   *
   * @param servers hosts of the servers, the first master first
   * @param sentinels hosts of the sentinels; empty unless there are two servers
   */
  public record Redis(List<String> servers, List<String> sentinels) {
    private static final int MIN_CLUSTER_NODES = 6;
    private static final int SENTINELS = 3;
    private static final int SENTINEL_PORT = 26_379;
    private static final int PORT = 6379;

    /** Port of a server that accepts only TLS. Cluster nodes use the plain port number for TLS. */
    private static final int TLS_PORT = 6380;

    /**
     * @throws IllegalArgumentException if there are too few or too many hosts
     */
    public Redis {
      servers.forEach(host -> checkHost("name of a host of Redis", host));
      sentinels.forEach(host -> checkHost("name of a host", host));
      checkArgument(
          Set.copyOf(servers).size() == servers.size(), "two Redis servers have the same host");
      checkArgument(
          servers.size() == 1 || servers.size() == 2 || servers.size() >= MIN_CLUSTER_NODES,
          "give --redis once, twice for a replica, or at least %s times for a cluster",
          MIN_CLUSTER_NODES);
      checkArgument(
          servers.size() < MIN_CLUSTER_NODES
              || servers.stream().noneMatch(host -> host.contains(":")),
          "a cluster's hosts need names or IPv4 addresses");
      checkArgument(
          sentinels.isEmpty() || servers.size() == 2, "--sentinel needs two Redis servers");
      checkArgument(
          servers.size() != 2 || Set.copyOf(sentinels).size() == SENTINELS,
          "two Redis servers need three sentinels, on three hosts: name them with --sentinel");
    }

    /**
     * Creates an instance with these servers. Two servers get sentinels on the first three hosts,
     * unless some are given.
     */
    public static Redis of(
        List<String> servers, List<String> sentinels, Collection<String> others) {
      boolean chooses = servers.size() == 2 && sentinels.isEmpty();
      return new Redis(
          servers,
          chooses
              ? Stream.concat(servers.stream(), others.stream())
                  .distinct()
                  .limit(SENTINELS)
                  .toList()
              : sentinels);
    }

    boolean isCluster() {
      return servers.size() >= MIN_CLUSTER_NODES;
    }

    boolean hasReplicas() {
      return servers.size() > 1;
    }

    int port(boolean tls) {
      return tls && !isCluster() ? TLS_PORT : PORT;
    }

    /** Returns the hosts of the servers and sentinels, each once. */
    Set<String> hosts() {
      return ImmutableSet.<String>builder().addAll(servers).addAll(sentinels).build();
    }

    /**
     * Returns the addresses of the cluster's nodes or of the sentinels, as items of a YAML list, or
     * empty if there is only one server.
     */
    String addresses() {
      List<String> hosts = isCluster() ? servers : sentinels;
      return hosts.stream()
          .map(host -> HostAndPort.fromParts(host, isCluster() ? PORT : SENTINEL_PORT))
          .map(address -> "\"" + address + "\"")
          .collect(joining(", "));
    }
  }

  /**
   * Splunk's HTTP Event Collector.
   *
   * @param urls where it listens
   * @param token file with its token
   * @param ca file with the CA of its certificate, or null for Java's default CAs
   */
  public record Hec(List<String> urls, Path token, @Nullable Path ca) {
    public Hec {
      for (String url : urls) {
        check(URL, "URL of HEC", url);
        String problem = Hosts.problemOfUrl(url, "https", "http");
        checkArgument(problem == null, "%s is no URL of HEC: %s", Checks.quoted(url), problem);
      }
    }
  }

  /**
   * @throws IllegalArgumentException if a name is invalid, or hosts are missing
   */
  public Deployment {
    checkArgument(
        nodes.size() >= 2 && nodes.size() <= StreamSet.MAX_STREAMS,
        "a deployment needs 2 to %s nodes",
        StreamSet.MAX_STREAMS);
    checkArgument(!bridges.isEmpty(), "a deployment needs a bridge");
    checkArgument(
        Set.copyOf(nodes.values()).size() == nodes.size(), "two nodes have the same host");
    nodes
        .keySet()
        .forEach(
            stream ->
                checkArgument(
                    Topology.isStreamName(stream),
                    "'%s' is no name of a stream: it %s",
                    stream,
                    Topology.STREAM_NAME_RULE));
    nodes.values().forEach(host -> checkHost("name of a host", host));
    bridges.forEach(host -> checkHost("name of a host", host));
    checkArgument(queues >= 1 && queues <= MAX_QUEUES, "--queues must be from 1 to %s", MAX_QUEUES);
    checkArgument(
        !redis.isCluster() || queues >= Redis.MIN_CLUSTER_NODES / 2,
        "a cluster needs --queues %s or more, preferably a multiple of its masters",
        Redis.MIN_CLUSTER_NODES / 2);
    Stream.concat(bulk.stream(), durable.stream())
        .forEach(
            stream ->
                checkArgument(nodes.containsKey(stream), "no node has the stream '%s'", stream));
  }

  private static void check(Pattern allowed, String what, String text) {
    checkArgument(allowed.matcher(text).matches(), "%s is no %s", Checks.quoted(text), what);
  }

  private static void checkHost(String what, String host) {
    check(HOST, what, host);
    String problem = Hosts.problem(host, true);
    checkArgument(problem == null, "'%s' is no %s: %s", host, what, problem);
  }

  /** Returns all hosts, each once. */
  public Set<String> hosts() {
    return ImmutableSet.<String>builder()
        .addAll(nodes.values())
        .addAll(bridges)
        .addAll(redis.hosts())
        .build();
  }
}
