package io.duplog.dedup.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster says of itself.
 *
 * @param parts how many the ledger has
 * @param nodes those that the configuration names
 * @param masters those that have slots, as the first node that answers knows them
 * @param homeless parts whose slot no server has
 */
public record RedisClusterFacts(
    int parts, List<Node> nodes, List<Master> masters, List<Integer> homeless) {

  /**
   * A node that was asked how the cluster is.
   *
   * @param state {@code ok} or {@code fail}; empty where it does not answer
   * @param silence why it does not; null where it does
   */
  public record Node(String address, String state, @Nullable String silence) {}

  /**
   * A server that has slots.
   *
   * @param parts whose slots it has
   * @param facts null where it does not answer
   * @param silence why it does not, in one line; null where it does
   */
  public record Master(
      String address,
      List<Integer> parts,
      int replicas,
      @Nullable RedisFacts facts,
      @Nullable String silence) {}

  public RedisClusterFacts {
    nodes = List.copyOf(nodes);
    masters = List.copyOf(masters);
    homeless = List.copyOf(homeless);
  }
}
