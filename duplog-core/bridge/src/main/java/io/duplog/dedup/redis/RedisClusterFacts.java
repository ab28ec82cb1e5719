package io.duplog.dedup.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The facts that the doctor judges about a Redis Cluster, such as its masters and replicas.
 *
 * @param parts number of the ledger's parts
 * @param nodes the nodes that the configuration names
 * @param masters the servers that have slots, according to the first node that sees a working
 *     cluster
 * @param homeless numbers of the parts whose slots no server has
 */
public record RedisClusterFacts(
    int parts, List<Node> nodes, List<Master> masters, List<Integer> homeless) {

  /**
   * A configured node that was asked for the state of the cluster.
   *
   * @param state {@code ok} or {@code fail}, or empty if the node does not answer
   * @param silence why the node does not answer, or null if it does
   */
  public record Node(String address, String state, @Nullable String silence) {}

  /**
   * A server that has slots.
   *
   * @param parts numbers of the parts whose slots it has
   * @param replicas number of its replicas
   * @param facts the server's facts, or null if it does not answer
   * @param silence why the server does not answer, in one line, or null if it does
   */
  public record Master(
      String address,
      List<Integer> parts,
      int replicas,
      @Nullable RedisFacts facts,
      @Nullable String silence) {}
}
