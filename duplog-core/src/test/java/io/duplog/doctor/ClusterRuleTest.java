package io.duplog.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.redis.RedisClusterFacts;
import io.duplog.dedup.redis.RedisClusterFacts.Master;
import io.duplog.dedup.redis.RedisClusterFacts.Node;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterRuleTest {
  private static final Node ONE = new Node("r1:6379", "ok", null);
  private static final Master FIRST = master("r1:6379", List.of(0), 1);
  private static final Master SECOND = master("r2:6379", List.of(1), 1);
  private static final Master THIRD = master("r3:6379", List.of(), 0);

  private static Master master(String address, List<Integer> parts, int replicas) {
    return new Master(address, parts, replicas, null, null);
  }

  private static List<String> found(List<Node> nodes, List<Master> masters, Integer... homeless) {
    Findings findings = new Findings("Redis");
    ClusterRule.judge(
        new RedisClusterFacts(2, nodes, masters, List.of(homeless)), "they pass", findings);
    return findings.list().stream().map(each -> each.severity() + " " + each.what()).toList();
  }

  @Test
  void cluster_thatIsWell_isOneLine_withThePartsOfEachMaster() {
    assertThat(found(List.of(ONE), List.of(FIRST, SECOND, THIRD)))
        .containsExactly(
            "OK 3 masters have the 2 parts: r1:6379 has part 0, r2:6379 has part 1, r3:6379 has no"
                + " part");
  }

  @Test
  void node_thatIsSilent_orSaysThatTheClusterIsDown_isAProblem() {
    List<Node> nodes =
        List.of(new Node("r2:6379", "", "Connection refused"), new Node("r3:6379", "fail", null));

    assertThat(found(nodes, List.of(FIRST, SECOND, THIRD)))
        .containsExactly(
            "PROBLEM node r2:6379 does not say where the slots are (Connection refused)",
            "PROBLEM node r3:6379 says that the cluster is down (cluster_state:fail)");
  }

  @Test
  void part_thatWouldBeLostWithItsServer_orIsLost_isTold() {
    List<Master> masters =
        List.of(
            master("r1:6379", List.of(0), 0),
            new Master("r2:6379", List.of(1), 1, null, "Redis r2:6379 unavailable (no route)"));

    assertThat(found(List.of(ONE), masters, 1))
        .containsExactly(
            "PROBLEM no server has the slots of part 1",
            "WARNING 2 masters have slots",
            "WARNING r1:6379 has no replica",
            "PROBLEM Redis r2:6379 unavailable (no route)");
  }
}
