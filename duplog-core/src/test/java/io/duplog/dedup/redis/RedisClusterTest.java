package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.dedup.LedgerUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which server is asked, which is not, and what is known of a call that failed. */
class RedisClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final FakeNode one = new FakeNode();
  private final FakeNode two = new FakeNode();

  @AfterEach
  void stop() {
    one.close();
    two.close();
  }

  private static RedisCluster cluster(FakeNode... nodes) {
    RedisClusterSettings cluster =
        new RedisClusterSettings(Stream.of(nodes).map(FakeNode::address).toList(), 2);
    return new RedisCluster(
        new RedisSettings(cluster, RedisSettings.Login.NONE, 0, "duplog", PATIENCE, 3), cluster);
  }

  private static String get(RedisServers part) throws LedgerUnavailableException {
    return part.ask(redis -> redis.get("key"));
  }

  private static AbstractThrowableAssert<?, ?> assertUnavailable(
      RedisServers part, boolean mayHaveExecuted) {
    return assertThatThrownBy(() -> get(part))
        .isInstanceOfSatisfying(
            LedgerUnavailableException.class,
            e -> assertThat(e.mayHaveExecuted()).isEqualTo(mayHaveExecuted));
  }

  @Test
  void slot_isAskedForWhereANodeSaysThatItIs() throws Exception {
    one.saysThatAllIsAt(two, 1);
    two.answers("two");

    try (RedisServers part = cluster(one).part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("two");
      assertThat(one.asked).hasValue(0);
    }
  }

  @Test
  void slot_thatHasMoved_isAskedForAtItsNewServer_byTheSameCall() throws Exception {
    one.saysThatAllIsAt(one, 1);
    one.answers("-MOVED 1 127.0.0.1:" + two.port());
    two.answers("two");

    try (RedisServers part = cluster(one).part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("two");
    }
  }

  /** What is on its way is counted by nobody. */
  @Test
  void slot_thatIsMoving_isNotAskedForAtItsTarget_andNothingWasExecuted() {
    one.saysThatAllIsAt(one, 1);
    one.answers("-ASK 1 127.0.0.1:" + two.port());

    try (RedisServers part = cluster(one, two).part("duplog:{0.0}")) {
      assertUnavailable(part, false)
          .hasMessage(
              "Redis %s unavailable (slot 1 is on its way to %s)"
                  .formatted(one.address(), two.address()));
      assertThat(two.asked).hasValue(0);
    }
  }

  @Test
  void cluster_thatIsDown_hasExecutedNothing() {
    one.saysThatAllIsAt(one, 1);
    one.answers("-CLUSTERDOWN The cluster is down");

    try (RedisServers part = cluster(one).part("duplog:{0.0}")) {
      assertUnavailable(part, false);
    }
  }

  @Test
  void server_thatHangs_keepsNoOtherPartWaiting_untilItAnswersAgain() throws Exception {
    one.saysThatAllIsAt(two, 1);
    RedisCluster cluster = cluster(one);
    AtomicInteger told = new AtomicInteger();

    try (RedisServers first = cluster.part("duplog:{0.0}");
        RedisServers second = cluster.part("duplog:{1.0}");
        RedisServers third = cluster.part("duplog:{2.0}")) {
      assertThat(get(first)).isEqualTo("value");
      third.onMove(told::incrementAndGet);
      int before = two.asked.get();
      two.answers(FakeServer.SILENCE);
      for (RedisServers part : List.of(first, second)) {
        assertUnavailable(part, true);
      }
      assertUnavailable(third, false);
      assertThat(two.asked).hasValue(before + 2);

      two.answers("again");
      await().until(() -> told.get() > 0);
      assertThat(get(third)).isEqualTo("again");
    }
  }

  @Test
  void node_thatHasNotHeardOfAFailover_isNotBelieved() throws Exception {
    one.saysThatAllIsAt(one, 1);
    two.saysThatAllIsAt(one, 1);
    two.answers("two");

    try (RedisServers part = cluster(one, two).part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("value");
      AtomicInteger told = new AtomicInteger();
      part.onMove(told::incrementAndGet);
      two.saysThatAllIsAt(two, 2);
      one.answers("-CLUSTERDOWN it has seen that it is alone");
      one.isCutOff();
      await().until(() -> told.get() == 1);
      assertThat(get(part)).isEqualTo("two");
    }
  }

  @Test
  void node_thatWasEmptied_isPassedOver_alsoWhenItIsTheFirst() throws Exception {
    one.knowsOfNobody(7);
    two.saysThatAllIsAt(two, 3);
    two.answers("two");

    try (RedisServers part = cluster(one, two).part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("two");
    }
  }

  @Test
  void node_thatIsEmptied_andTheOnlyOneToAnswer_changesNothing() throws Exception {
    one.saysThatAllIsAt(two, 1);
    two.answers("two");
    RedisCluster cluster = cluster(one);

    try (RedisServers part = cluster.part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("two");
      one.knowsOfNobody(2);
      int rounds = one.questions.get();
      await().until(() -> one.questions.get() > rounds + 4);
      assertThat(get(part)).isEqualTo("two");
    }
  }

  @Test
  void nobodySays_isOneLine_andNothingWasExecuted() {
    one.close();
    two.close();

    try (RedisServers part = cluster(one, two).part("duplog:{0.0}")) {
      assertUnavailable(part, false)
          .hasMessageStartingWith("Redis unavailable (none of the nodes of the cluster of ");
    }
  }
}
