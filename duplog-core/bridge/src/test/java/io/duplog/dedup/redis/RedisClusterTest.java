package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.dedup.LedgerUnavailableException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a bridge finds the right server of a Redis Cluster, even while slots move or servers
 * fail.
 */
class RedisClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final String INFO = "CLUSTER INFO";
  private static final String GET = "GET KEY";

  private final @AutoClose FakeServer one = new FakeServer();
  private final @AutoClose FakeServer two = new FakeServer();

  @BeforeEach
  void start() {
    one.answers(GET, "one");
    two.answers(GET, "two");
  }

  private static RedisLocator cluster(FakeServer... nodes) {
    List<String> addresses = Stream.of(nodes).map(each -> each.address().toString()).toList();
    RedisConfig config = FlushedRedis.store("cluster: {addresses: " + addresses + "}").config();
    return new RedisLocator(config, new RedisServer.Login(null, null, null, 0, PATIENCE, 3));
  }

  /** Sets what a node says of the cluster from now on, since that epoch, and who has all slots. */
  private static void says(FakeServer node, String state, int epoch, FakeServer... masters) {
    node.answers(INFO, "cluster_state:%s\r\ncluster_current_epoch:%d\r\n".formatted(state, epoch));
    node.answers(
        "CLUSTER SLOTS",
        Stream.of(masters)
            .map(master -> List.of(0, 16383, List.of("127.0.0.1", master.address().getPort())))
            .toList());
  }

  private static String get(RedisAccess part) throws LedgerUnavailableException {
    return part.ask(redis -> redis.get("key"));
  }

  private static AbstractThrowableAssert<?, ?> assertUnavailable(
      RedisAccess part, boolean mayHaveExecuted) {
    return assertThatThrownBy(() -> get(part))
        .isInstanceOfSatisfying(
            LedgerUnavailableException.class,
            e -> assertThat(e.mayHaveExecuted()).isEqualTo(mayHaveExecuted));
  }

  @Test
  void slot_thatHasMoved_isAskedForAtItsNewServer_byTheSameCall() throws Exception {
    says(one, "ok", 1, one);
    one.answers(GET, "-MOVED 1 " + two.address());

    try (RedisAccess part = cluster(one).part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("two");
    }
  }

  /** A digest that is being moved is counted by nobody. */
  @Test
  void slot_thatIsMoving_isNotAskedForAtItsTarget_andNothingWasExecuted() {
    says(one, "ok", 1, one);
    one.answers(GET, "-ASK 1 " + two.address());

    try (RedisAccess part = cluster(one, two).part("duplog:{0.0}")) {
      assertUnavailable(part, false)
          .hasMessage(
              "Redis %s unavailable (slot 1 is moving to %s)"
                  .formatted(one.address(), two.address()));
      assertThat(two.asked(GET)).isZero();
    }
  }

  @Test
  void cluster_thatIsDown_hasExecutedNothing() {
    says(one, "ok", 1, one);
    one.answers(GET, "-CLUSTERDOWN The cluster is down");

    try (RedisAccess part = cluster(one).part("duplog:{0.0}")) {
      assertUnavailable(part, false);
    }
  }

  @Test
  void server_thatHangs_keepsNoOtherPartWaiting_untilItAnswersAgain() throws Exception {
    says(one, "ok", 1, two);
    RedisLocator cluster = cluster(one);
    AtomicInteger told = new AtomicInteger();

    try (RedisAccess first = cluster.part("duplog:{0.0}");
        RedisAccess second = cluster.part("duplog:{1.0}");
        RedisAccess third = cluster.part("duplog:{2.0}")) {
      assertThat(get(first)).isEqualTo("two");
      third.onMove(told::incrementAndGet);
      int before = two.asked(GET);
      two.answers(GET, FakeServer.SILENCE);
      two.answers("PING", FakeServer.SILENCE);
      for (RedisAccess part : List.of(first, second)) {
        assertUnavailable(part, true);
      }
      assertUnavailable(third, false)
          .hasMessageMatching(
              "Redis .* unavailable \\(.*[Tt]imed out.*; not called until it has answered a ping\\)")
          .hasRootCauseInstanceOf(SocketTimeoutException.class);
      assertThat(two.asked(GET)).isEqualTo(before + 2);

      two.answers(GET, "again");
      two.answers("PING", "+PONG");
      await().until(() -> told.get() > 0);
      assertThat(get(third)).isEqualTo("again");
    }
  }

  @Test
  void node_thatHasNotHeardOfAFailover_isNotBelieved() throws Exception {
    says(one, "ok", 1, one);
    says(two, "ok", 1, one);

    try (RedisAccess part = cluster(one, two).part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("one");
      AtomicInteger told = new AtomicInteger();
      part.onMove(told::incrementAndGet);
      says(two, "ok", 2, two);
      one.answers(GET, "-CLUSTERDOWN it has seen that it is alone");
      one.answers(INFO, "cluster_state:no\r\ncluster_current_epoch:1\r\n");
      await().until(() -> told.get() == 1);
      assertThat(get(part)).isEqualTo("two");
    }
  }

  /** A bridge that is cut off with such a node stays where the others had sent it. */
  @Test
  void node_thatIsCutOff_andKnowsLess_isNotBelieved_whileTheOthersAreAway() throws Exception {
    says(one, "ok", 1, one);
    says(two, "ok", 2, two);

    try (RedisSlot part = cluster(two, one).part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("two");
      says(one, "fail", 1, one);
      two.answers(INFO, "-LOADING it answers no question about the cluster");
      int before = one.asked(INFO);
      await().until(() -> one.asked(INFO) > before + 2); // the last but one is a whole round's
      assertThat(part.current()).hasToString(two.address().toString());

      says(one, "fail", 3, one);
      await().until(() -> part.current().toString().equals(one.address().toString()));
    }
  }

  @Test
  void node_thatWasEmptied_isPassedOver_alsoWhenItIsTheFirst() throws Exception {
    says(one, "fail", 7);
    says(two, "ok", 3, two);

    try (RedisAccess part = cluster(one, two).part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("two");
    }
  }

  @Test
  void slot_isAskedForWhereANodeSaysThatItIs_andStillWhenThatNodeIsEmptied() throws Exception {
    says(one, "ok", 1, two);
    RedisLocator cluster = cluster(one);

    try (RedisAccess part = cluster.part("duplog:{0.0}")) {
      assertThat(get(part)).isEqualTo("two");
      assertThat(one.asked(GET)).isZero();
      says(one, "fail", 2);
      int rounds = one.asked(INFO);
      await().until(() -> one.asked(INFO) > rounds + 4);
      assertThat(get(part)).isEqualTo("two");
    }
  }

  @Test
  void nobodySays_isOneLine_andNothingWasExecuted() throws Exception {
    one.close();
    two.close();

    try (RedisAccess part = cluster(one, two).part("duplog:{0.0}")) {
      assertUnavailable(part, false)
          .hasMessageStartingWith("Redis unavailable (none of the nodes of the cluster of ");
    }
  }

  private static List<String> prefixes(int parts) {
    RedisConfig config = FlushedRedis.store("cluster: {addresses: [redis-1]}").config();
    return new RedisStore(config, parts, 1).prefixes();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 16, 64})
  void parts_lieInEqualSharesOfTheSlots_withAllTheirKeys(int parts) {
    List<String> prefixes = prefixes(parts);
    assertThat(prefixes).hasSize(parts);
    for (int i = 0; i < parts; i++) {
      int slot = RedisSlot.slotOf(prefixes.get(i) + ":lineage");

      assertThat((long) slot * parts / RedisStore.SLOTS).isEqualTo(i);
      assertThat(RedisSlot.slotOf(prefixes.get(i))).isEqualTo(slot);
    }
  }

  /** Bridges of different versions must find the same keys. */
  @Test
  void prefixes_areTheSameForEver() {
    assertThat(prefixes(4))
        .containsExactly("duplog:{0.1}", "duplog:{1.3}", "duplog:{2.1}", "duplog:{3.3}");
  }
}
