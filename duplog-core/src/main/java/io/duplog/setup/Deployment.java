package io.duplog.setup;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts a deployment has, and what runs on each of them.
 *
 * @param nodes host of each ingest node by the name of its stream, in the order to be written
 * @param bridges hosts of bridges; may be hosts of nodes
 * @param redis host of Redis
 * @param hec Splunk's HTTP Event Collector; null for the file {@code /var/log/duplog/merged.log}
 * @param bulk streams of the nodes whose rsyslog hands over a transaction at a time
 * @param tls whether bridges speak to RabbitMQ and Redis by TLS
 */
public record Deployment(
    Map<String, String> nodes,
    List<String> bridges,
    String redis,
    @Nullable Hec hec,
    Set<String> bulk,
    boolean tls) {
  private static final Pattern STREAM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

  /** A host's folder has its name; two names are those of other folders. */
  private static final Pattern HOST =
      Pattern.compile("(?!(ca|passwords)$)[A-Za-z0-9][A-Za-z0-9.:-]{0,252}");

  private static final Pattern URL = Pattern.compile("https?://[^\\s\"'{},]+");

  /**
   * Splunk's HTTP Event Collector.
   *
   * @param urls where it listens
   * @param token file with its token
   * @param ca file with the CA of its certificate; null for those that Java trusts
   */
  public record Hec(List<String> urls, Path token, @Nullable Path ca) {
    public Hec {
      urls.forEach(url -> check(URL, "URL of HEC", url));
    }
  }

  /**
   * @throws IllegalArgumentException if a name can't be one, or hosts are missing
   */
  public Deployment {
    checkArgument(nodes.size() >= 2, "a deployment needs two nodes or more");
    checkArgument(!bridges.isEmpty(), "a deployment needs a bridge");
    checkArgument(
        Set.copyOf(nodes.values()).size() == nodes.size(), "two nodes have the same host");
    nodes.keySet().forEach(stream -> check(STREAM, "name of a stream", stream));
    nodes.values().forEach(host -> check(HOST, "name of a host", host));
    bridges.forEach(host -> check(HOST, "name of a host", host));
    check(HOST, "name of a host", redis);
    bulk.forEach(
        stream -> checkArgument(nodes.containsKey(stream), "no node has the stream '%s'", stream));
  }

  private static void check(Pattern allowed, String what, String text) {
    checkArgument(allowed.matcher(text).matches(), "'%s' is no %s", text, what);
  }

  /** Returns all hosts, each once. */
  public Set<String> hosts() {
    return ImmutableSet.<String>builder().addAll(nodes.values()).addAll(bridges).add(redis).build();
  }
}
