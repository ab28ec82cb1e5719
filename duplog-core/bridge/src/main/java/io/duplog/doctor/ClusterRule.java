package io.duplog.doctor;

import static java.util.stream.Collectors.joining;

import io.duplog.dedup.redis.RedisClusterFacts;
import java.util.List;

/** Checks whether a Redis Cluster would survive the loss of one of its masters. */
final class ClusterRule {
  /** Fewest masters for a safe failover; with fewer, the loss of one leaves no majority. */
  private static final int FEWEST = 3;

  private ClusterRule() {}

  static void judge(RedisClusterFacts cluster, String without, Findings findings) {
    int before = findings.list().size();
    cluster.nodes().forEach(node -> judge(node, without, findings));
    if (!cluster.homeless().isEmpty()) {
      findings.problem(
          "no server has the slots of " + parts(cluster.homeless()),
          "of these parts' messages, " + without,
          "redis-cli --cluster fix");
    }
    if (cluster.masters().size() < FEWEST) {
      findings.warning(
          "%d masters have slots".formatted(cluster.masters().size()),
          "a replica takes over when a majority of the masters says so: of two, both",
          "three masters on three hosts");
    }
    for (RedisClusterFacts.Master master : cluster.masters()) {
      if (master.silence() != null) {
        findings.problem(
            master.silence(),
            "of the messages of " + parts(master.parts()) + ", " + without,
            "see whether it runs, and whether the bridges' hosts reach the address that the cluster"
                + " names (cluster-announce-ip, cluster-announce-hostname)");
      } else if (master.replicas() == 0 && !master.parts().isEmpty()) {
        findings.warning(
            "%s has no replica".formatted(master.address()),
            "nothing takes over its slots while it is lost: of the messages of "
                + parts(master.parts())
                + ", "
                + without,
            "a replica on another host: docs/scaling.md");
      }
    }
    if (findings.list().size() == before) {
      findings.ok(
          "%d masters have the %d parts: %s"
              .formatted(
                  cluster.masters().size(),
                  cluster.parts(),
                  cluster.masters().stream()
                      .map(master -> master.address() + " has " + parts(master.parts()))
                      .collect(joining(", "))));
    }
  }

  private static void judge(RedisClusterFacts.Node node, String without, Findings findings) {
    if (node.silence() != null) {
      findings.problem(
          "node %s does not say where the slots are (%s)".formatted(node.address(), node.silence()),
          "one node less that a bridge learns the others from when it begins",
          "see whether it runs with cluster-enabled, and dedup.redis: cluster.addresses, user,"
              + " password, tls");
    } else if (!node.state().equals("ok")) {
      findings.problem(
          "node %s says that the cluster is down (cluster_state:%s)"
              .formatted(node.address(), node.state()),
          "it serves no slot, or not all: " + without,
          "redis-cli --cluster check; and cluster-require-full-coverage no, so that one lost slot"
              + " stops no other");
    }
  }

  private static String parts(List<Integer> parts) {
    return parts.isEmpty()
        ? "no part"
        : (parts.size() == 1 ? "part " : "parts ")
            + parts.stream().map(String::valueOf).collect(joining(", "));
  }
}
