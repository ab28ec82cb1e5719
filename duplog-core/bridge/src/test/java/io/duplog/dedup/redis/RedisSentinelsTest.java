package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.duplog.dedup.LedgerUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Tests which sentinel a bridge believes if sentinels disagree, and that it notices a failover.
 * Nothing is sent to the masters.
 */
class RedisSentinelsTest {
  private static final int JUDGES = 8;
  private static final String NOT_KNOWN = "-ERR No such master with that name";
  private static final String MASTER = "SENTINEL MASTER DUPLOG";
  private static final String WHERE = "SENTINEL GET-MASTER-ADDR-BY-NAME";

  private final @AutoClose FakeServer one = saying("10.0.0.1", 1);
  private final @AutoClose FakeServer two = saying("10.0.0.1", 1);

  private static FakeServer saying(String host, int epoch) {
    FakeServer sentinel = new FakeServer();
    sentinel.answers("SENTINEL", NOT_KNOWN);
    say(sentinel, host, epoch);
    return sentinel;
  }

  /** Sets a sentinel's answers, the address first, so that none is older than its epoch. */
  private static void say(FakeServer sentinel, String host, int epoch) {
    sentinel.answers(WHERE + " DUPLOG", List.of(host, "6379"));
    sentinel.answers(MASTER, List.of("config-epoch", Integer.toString(epoch)));
  }

  private static RedisSlot sentinels(String master, FakeServer... those) {
    List<String> addresses = Stream.of(those).map(each -> each.address().toString()).toList();
    String section = "sentinel: {addresses: %s, master: %s}".formatted(addresses, master);
    RedisConfig config = FlushedRedis.store(section).config();
    Duration patience = Duration.ofSeconds(8);
    return new RedisLocator(config, new RedisServer.Login(null, null, null, 0, patience, 4))
        .part("duplog");
  }

  @Test
  void sentinels_thatDisagree_theLatestFailoverCounts() throws Exception {
    say(two, "10.0.0.2", 2);

    for (RedisSlot servers :
        List.of(sentinels("duplog", one, two), sentinels("duplog", two, one))) {
      try (servers) {
        assertThat(servers.current()).hasToString("10.0.0.2:6379");
      }
    }
  }

  @Test
  void sentinel_thatMissedTheLatestFailover_isNotBelieved_whileTheOthersAreAway() throws Exception {
    say(two, "10.0.0.2", 2);

    try (RedisSlot servers = sentinels("duplog", two, one)) {
      assertThat(servers.current()).hasToString("10.0.0.2:6379");
      two.answers(MASTER, NOT_KNOWN);
      int before = one.asked(WHERE);
      await().until(() -> one.asked(WHERE) > before + 2); // the last but one is a whole round's
      assertThat(servers.current()).hasToString("10.0.0.2:6379");

      say(one, "10.0.0.3", 3);
      await().until(() -> servers.current().toString().equals("10.0.0.3:6379"));
    }
  }

  @Test
  void sentinels_thatWereSetUpAnew_areBelieved() throws Exception {
    say(two, "10.0.0.2", 2);

    try (RedisSlot servers = sentinels("duplog", one, two)) {
      assertThat(servers.current()).hasToString("10.0.0.2:6379");
      say(two, "10.0.0.1", 1);
      await().until(() -> servers.current().toString().equals("10.0.0.1:6379"));
    }
  }

  /**
   * Otherwise bridges that lost sight of another sentinel for a moment would stay at two masters.
   */
  @Test
  void sentinels_ofOneEpochThatDisagree_theFirstConfiguredCounts_alsoAfterItWasAway()
      throws Exception {
    say(one, "10.0.0.1", 1);
    say(two, "10.0.0.2", 1);

    try (RedisSlot servers = sentinels("duplog", one, two)) {
      assertThat(servers.current()).hasToString("10.0.0.1:6379");
      one.answers(MASTER, NOT_KNOWN);
      await().until(() -> servers.current().toString().equals("10.0.0.2:6379"));
      say(one, "10.0.0.1", 1);
      await().until(() -> servers.current().toString().equals("10.0.0.1:6379"));
    }
  }

  @Test
  void sentinel_thatIsAway_doesNotMatter() throws Exception {
    one.close();

    try (RedisSlot servers = sentinels("duplog", one, two)) {
      assertThat(servers.current()).hasToString("10.0.0.1:6379");
    }
  }

  @Test
  void failover_isNoticed_andTold() throws Exception {
    try (RedisSlot servers = sentinels("duplog", one, two)) {
      AtomicInteger told = new AtomicInteger();
      servers.onMove(told::incrementAndGet);
      assertThat(servers.current()).hasToString("10.0.0.1:6379");

      say(one, "10.0.0.2", 2);
      await().until(() -> servers.current().toString().equals("10.0.0.2:6379"));
      await().until(() -> told.get() == 1);
    }
  }

  @Test
  void sentinel_thatIsBack_isAskedAgain() throws Exception {
    try (RedisSlot servers = sentinels("duplog", one)) {
      assertThat(servers.current()).hasToString("10.0.0.1:6379");
      one.dropConnections();
      say(one, "10.0.0.3", 2);
      await().until(() -> servers.current().toString().equals("10.0.0.3:6379"));
    }
  }

  /** In a broken network everything times out, but nobody waits for more than one round. */
  @Test
  void firstCalls_whileSentinelsAreSilent_areAnsweredByOneRound() throws Exception {
    one.answers(MASTER, FakeServer.SILENCE);
    AtomicInteger failed = new AtomicInteger();
    try (RedisSlot servers = sentinels("duplog", one)) {
      List<Thread> judges =
          Stream.generate(() -> new Thread(() -> askInVain(servers, failed)))
              .limit(JUDGES)
              .toList();
      judges.forEach(Thread::start);
      await().until(() -> one.connected() == 1);
      await().until(() -> judges.stream().filter(RedisSentinelsTest::waits).count() == JUDGES - 1);

      one.dropConnections();

      await().until(() -> failed.get() == JUDGES);
      // The thread that asks every half second may have begun; each of the others has not.
      assertThat(one.connected()).isLessThan(JUDGES);
    }
  }

  private static void askInVain(RedisSlot servers, AtomicInteger failed) {
    try {
      servers.current();
    } catch (LedgerUnavailableException e) {
      failed.incrementAndGet();
    }
  }

  private static boolean waits(Thread thread) {
    return thread.getState() == Thread.State.BLOCKED;
  }

  @Test
  void nobodySays_isOneLine_andNothingWasExecuted() {
    try (RedisSlot servers = sentinels("other", one, two)) {
      assertThatThrownBy(servers::current)
          .isInstanceOfSatisfying(
              LedgerUnavailableException.class, e -> assertThat(e.mayHaveExecuted()).isFalse())
          .hasMessage(
              "Redis unavailable (none of the sentinels [%s, %s] knows where the Redis master 'other' is)"
                  .formatted(one.address(), two.address()));
    }
  }
}
