package io.duplog.doctor;

import static java.util.stream.Collectors.joining;

import io.duplog.dedup.redis.RedisClusterFacts;
import java.util.List;

/** Judges whether a Redis Cluster would survive the loss of one of its masters. */
final class ClusterRule {
  /**
   * Minimum number of masters for a safe failover. With fewer, the loss of one leaves no majority.
   */
  private static final int MIN_MASTERS = 3;

  private ClusterRule() {}

  static void judge(RedisClusterFacts cluster, String lossEffect, Findings findings) {
    int findingsBefore = findings.list().size();
    cluster.nodes().forEach(node -> judge(node, lossEffect, findings));
    if (!cluster.homeless().isEmpty()) {
      findings.problem(
          "no server has the slots of " + parts(cluster.homeless()),
          "for the messages of these parts, " + lossEffect,
          "run redis-cli --cluster fix");
    }
    if (cluster.masters().size() < MIN_MASTERS) {
      findings.warning(
          "only %d masters have slots".formatted(cluster.masters().size()),
          "a failover needs a majority of the masters; with two, that means both",
          "run three masters on three hosts");
    }
    for (RedisClusterFacts.Master master : cluster.masters()) {
      if (master.silence() != null) {
        findings.problem(
            master.silence(),
            "for the messages of " + parts(master.parts()) + ", " + lossEffect,
            "check whether it runs, and whether the bridges' hosts reach the address that the cluster"
                + " names (cluster-announce-ip, cluster-announce-hostname)");
      } else if (master.replicas() == 0 && !master.parts().isEmpty()) {
        findings.warning(
            "%s has no replica".formatted(master.address()),
            "no server takes over its slots while it is lost: for the messages of "
                + parts(master.parts())
                + ", "
                + lossEffect,
            "add a replica on another host: docs/scaling.md");
      }
    }
    if (findings.list().size() == findingsBefore) {
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

  private static void judge(RedisClusterFacts.Node node, String lossEffect, Findings findings) {
    if (node.silence() != null) {
      findings.problem(
          "node %s does not report where the slots are (%s)"
              .formatted(node.address(), node.silence()),
          "a starting bridge has one node fewer to learn the others from",
          "check whether it runs with cluster-enabled, and check dedup.redis: cluster.addresses, user,"
              + " password, tls");
    } else if (!node.state().equals("ok")) {
      findings.problem(
          "node %s reports that the cluster is down (cluster_state:%s)"
              .formatted(node.address(), node.state()),
          "it serves no slots, or not all: " + lossEffect,
          "run redis-cli --cluster check; set cluster-require-full-coverage no, so that the loss of one"
              + " slot doesn't stop the others");
    }
  }

  private static String parts(List<Integer> parts) {
    return parts.isEmpty()
        ? "no part"
        : (parts.size() == 1 ? "part " : "parts ")
            + parts.stream().map(String::valueOf).collect(joining(", "));
  }
}
