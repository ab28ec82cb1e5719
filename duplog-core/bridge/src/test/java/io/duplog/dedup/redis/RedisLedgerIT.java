package io.duplog.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.duplog.dedup.BridgeNotes;
import io.duplog.dedup.Claim;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerContract;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.redis.RedisStreams.Removal;
import io.duplog.parts.Redis;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that the ledger in a real Redis behaves like every ledger, also after a restart, a failover
 * or evicted keys.
 */
class RedisLedgerIT extends LedgerContract {
  private static final String LENGTHS =
      "local l = {} for _, v in ipairs(redis.call('HVALS', KEYS[1])) do l[#l + 1] = #v end"
          + " return l";

  @RegisterExtension static final FlushedRedis redis = new FlushedRedis();

  RedisLedgerIT() {
    super(redis::of);
  }

  /** Opens a ledger that has no lease yet. */
  private Ledger open(String bridge) {
    return open(store, bridge, List.of("a", "b"), LASTING);
  }

  @Test
  void bridgesUser_mayDoWhatScriptsDo_andNothingElse() {
    String[] asBridge = {"--user", Redis.USER, "--pass", Redis.PASSWORD};

    assertThat(redis.cli(with(asBridge, "set", "duplog:probe:x", "1"))).isEqualTo("OK");
    assertThat(redis.cli(with(asBridge, "set", "other", "1"))).startsWith("NOPERM");
    assertThat(redis.cli(with(asBridge, "eval", "return redis.call('GET', 'other')", "0")))
        .containsPattern("can't access|No permissions to access");
    for (String command : List.of("flushall", "keys *", "config get *", "acl list", "shutdown")) {
      assertThat(redis.cli(with(asBridge, command.split(" ", -1))))
          .as(command)
          .startsWith("NOPERM");
    }
    assertThat(redis.cli("--user", "default", "--pass", "any", "ping")).contains("NOAUTH");
  }

  /**
   * The process is the same, but its data are those of the server that took its place for a while.
   */
  @Test
  void server_thatWasDemotedForAWhile_hasAnotherEpoch_thoughNobodyAskedTheOther() throws Exception {
    Ledger one = open("one");
    try (Redis other = Redis.started()) {
      other.follow(redis.server());
      Epoch before = one.advance(NOTHING).epoch();
      other.promote();
      redis.server().follow(other);
      redis.server().promote();

      assertThat(one.advance(NOTHING).epoch()).isNotEqualTo(before);
    }
  }

  @Test
  void digests_thatRedisEvicts_orThatSomebodyDeletes_areMissed_inWordsOfTheirOwn()
      throws Exception {
    redis.cli("config", "resetstat");
    RedisLedger one = (RedisLedger) bridge("one");
    judge(one, claim(0, "abc"));
    one.advance(NOTHING);
    assertThat(one.findHazard()).isNull();

    store.forgetDigests();
    one.advance(NOTHING);
    assertThat(one.findHazard())
        .contains("another client deleted them", "delivered twice. No message is lost");

    redis.cli("del", "duplog:forgotten");
    judge(one, claim(0, "def"));
    redis.cli("config", "set", "maxmemory", "1");
    assertThat(redis.cli("set", "duplog:more", "1")).contains("OOM");
    redis.cli("config", "set", "maxmemory", "0");
    assertThat(store.remembered()).isZero();
    one.advance(NOTHING);
    assertThat(one.findHazard()).contains("Redis evicted digests before their window ended");
  }

  private static String[] with(String[] user, String... command) {
    return Stream.concat(Stream.of(user), Stream.of(command)).toArray(String[]::new);
  }

  @Test
  void board_tellsEveryBridgeWhatAnyOfThemSawLast() throws Exception {
    Ledger one = open("one");
    Ledger two = open("two");
    one.exchange(List.of(new BridgeNotes.Note("a heartbeat", "1\nä = b", 5000)));
    two.exchange(List.of(new BridgeNotes.Note("a heartbeat", "older", 60_000)));
    two.exchange(List.of(new BridgeNotes.Note("b message", "", 0)));

    List<BridgeNotes.Note> all = one.exchange(List.of());

    assertThat(all)
        .extracting(BridgeNotes.Note::subject, BridgeNotes.Note::text)
        .containsExactlyInAnyOrder(tuple("a heartbeat", "1\nä = b"), tuple("b message", ""));
    assertThat(all)
        .filteredOn(note -> note.subject().equals("a heartbeat"))
        .allSatisfy(note -> assertThat(note.ageMillis()).isBetween(5000L, 60_000L));
    two.exchange(List.of(new BridgeNotes.Note("a heartbeat", "newer", 0)));
    assertThat(one.exchange(List.of())).extracting(BridgeNotes.Note::text).contains("newer");
  }

  @Test
  void settingsOfABridgeThatIsGone_areForgottenAfterAnHour_andASightIsNot() throws Exception {
    Ledger one = open("one");
    for (String subject : List.of("settings of gone", "status of gone", "a heartbeat")) {
      redis.cli("hset", "duplog:board", subject, "1 long ago");
    }
    one.exchange(List.of(new BridgeNotes.Note("settings of one", "a=1", 0)));
    assertThat(one.exchange(List.of()))
        .extracting(BridgeNotes.Note::subject)
        .containsExactlyInAnyOrder("settings of one", "a heartbeat");
  }

  @Test
  void board_withASightOfTheFuture_isNotStuckThere() throws Exception {
    Ledger ledger = open("one");
    redis.cli("hset", "duplog:board", "a", "99999999999999 future");
    redis.cli("hset", "duplog:board", "b", "nonsense");

    assertThat(ledger.exchange(List.of(new BridgeNotes.Note("a", "present", 0))))
        .extracting(BridgeNotes.Note::text)
        .containsExactly("present");
  }

  @Test
  void restart_withOldSnapshot_beginsANewEpoch_andReadsNothingOfIt() throws Exception {
    Ledger ledger = open("one");
    Epoch before = ledger.advance(NOTHING).epoch();
    judge(ledger, claim(0, "a"));
    redis.cli("save");
    redis.server().kill();
    redis.server().start();

    Ledger again = open("one");
    assertThat(again.advance(NOTHING).epoch()).isNotEqualTo(before);
    assertThat(verdicts(again, 1, "a")).isEqualTo("K");
  }

  @Test
  void otherWindow_whileBridgesLive_isRefused() throws Exception {
    Ledger one = open("one");
    Ledger other = open(stores.apply(WINDOW.plusSeconds(1)), "other", List.of("a", "b"), LASTING);
    one.advance(NOTHING);

    assertThatThrownBy(() -> other.advance(NOTHING))
        .isInstanceOf(LedgerUnavailableException.class)
        .hasMessage(
            "dedup.window is 5000 ms here, but 4000 ms on the other bridges. Give this bridge the same configuration");

    one.leave();
    assertThat(other.advance(NOTHING).ownPending()).isEmpty();
  }

  /** A bridge that was started before identities were agreed on names none. */
  @ParameterizedTest
  @CsvSource({
    "SENDER_AND_MESSAGE, MESSAGE, message, sender-and-message",
    "MESSAGE, SENDER_AND_MESSAGE, sender-and-message, message",
  })
  void otherIdentity_whileBridgesLive_isRefused(
      Identity theirs, Identity own, String here, String there) throws Exception {
    Ledger one = open(redis.of(WINDOW, theirs), "one", List.of("a", "b"), LASTING);
    Ledger alike = open(redis.of(WINDOW, theirs), "alike", List.of("a", "b"), LASTING);
    Ledger other = open(redis.of(WINDOW, own), "other", List.of("a", "b"), LASTING);
    Epoch epoch = one.advance(NOTHING).epoch();

    assertThat(alike.advance(NOTHING).epoch()).isEqualTo(epoch);
    assertThatThrownBy(() -> other.advance(NOTHING))
        .isInstanceOf(LedgerUnavailableException.class)
        .hasMessage(
            "dedup.identity is %s here, but %s on the other bridges. Give this bridge the same configuration"
                .formatted(here, there));

    one.leave();
    alike.leave();
    assertThat(other.advance(NOTHING).epoch()).isNotEqualTo(epoch);
  }

  @Test
  void agreementOfABridgeOfBefore_isTakenAsTheyStand() throws Exception {
    Ledger one = open("one");
    one.advance(NOTHING);

    assertThat(redis.cli("get", "duplog:streams").strip())
        .isEqualTo("a,b (window 4000 ms, layout 6)");
  }

  @Test
  void removals_areToldApart() throws Exception {
    try (RedisStreams streams = new RedisStreams(redis.store(), WINDOW)) {
      assertThat(streams.agreed()).isNull();
      assertThat(streams.remove("c")).isEqualTo(Removal.UNKNOWN);

      bridge("one", List.of("a", "b", "c"), LASTING);
      assertThat(streams.agreed()).hasToString("a,b,c");
      assertThat(streams.remove("d")).isEqualTo(Removal.UNKNOWN);
      assertThat(streams.remove("b")).isEqualTo(Removal.REMOVED);
      assertThat(streams.remove("b")).isEqualTo(Removal.GONE);
      assertThat(streams.remove("a")).isEqualTo(Removal.TOO_FEW);
      assertThat(streams.agreed().toString()).matches("a,b!\\d+,c");
    }
  }

  @Test
  void entryOfAPair_takesThreeBytesAtMost() throws Exception {
    Ledger ledger = open(stores.apply(Duration.ofHours(1)), "one", List.of("a", "b"), LASTING);
    ledger.advance(NOTHING);
    verdicts(ledger, 0, "abb");
    verdicts(ledger, 1, "c");

    assertThat(redis.cli("--scan", "--pattern", "duplog:d*").lines())
        .flatExtracting(
            hash -> redis.cli("--raw", "eval", LENGTHS, "1", hash).strip().lines().toList())
        .as("of a, b and c, and the space that makes a hash table of it")
        .containsExactlyInAnyOrder("2", "2", "3", "1024");
  }

  @Test
  void everythingWithoutTtl_isSmallAndFixed() throws Exception {
    Ledger ledger = bridge("one");
    verdicts(ledger, 0, "abc");

    List<String> keys = redis.cli("--scan").lines().toList();
    assertThat(keys)
        .isNotEmpty()
        .allSatisfy(
            key -> {
              boolean expires = !redis.cli("pttl", key).strip().equals("-1");
              boolean perMessageOrBatch = key.startsWith("duplog:d") || key.startsWith("duplog:b");
              assertThat(expires).as(key).isEqualTo(perMessageOrBatch);
            });
  }

  /** A machine that is too slow for one ping loses a connection, and the next one is looked at. */
  @Test
  void idleConnection_isKeptAlive_whereRedisClosesThoseThatSayNothing() throws Exception {
    redis.cli("config", "set", "timeout", "10");
    Ledger one = open("one");
    await()
        .ignoreExceptions() // the first call on a connection that was closed
        .until(
            () -> {
              List<String> connections =
                  redis.cli("client", "list").lines().filter(RedisLedgerIT::isBridges).toList();
              if (connections.isEmpty()) {
                one.advance(NOTHING);
              }
              return connections.stream().anyMatch(each -> age(each) >= 25);
            });
    redis.cli("config", "set", "timeout", "0");
  }

  private static boolean isBridges(String connection) {
    return connection.contains(" user=" + Redis.USER + " ");
  }

  /** Returns for how many seconds a connection has existed. */
  private static int age(String connection) {
    return Integer.parseInt(connection.replaceAll(".* age=(\\d+) .*", "$1"));
  }

  /** Redis compares strings by its environment's language; what is stored must not depend on it. */
  @Test
  void revocation_whereSmallLettersComeFirst_forgetsWhatWasKeptAndNothingElse() throws Exception {
    try (Redis other = Redis.startedWithSmallLettersFirst();
        Ledger ledger =
            RedisLedger.ofParts(
                    FlushedRedis.store(other),
                    "one",
                    List.of("a", "b"),
                    LASTING,
                    Identity.MESSAGE,
                    LASTING)
                .get(0)) {
      assertThat(other.cli("eval", "return tostring('d' < 'K')", "0")).isEqualTo("true");
      ledger.advance(NOTHING);
      verdicts(ledger, 0, "a");
      Claim mixed = claim(1, "ab");
      assertThat(judge(ledger, mixed).kept()).hasToString("{1}");

      Horizon horizon = ledger.advance(revoking(mixed.batchId()));

      assertThat(horizon.revocations())
          .extracting(each -> each.digests().get(0))
          .containsExactly(mixed.digests().get(1));
      assertThat(verdicts(ledger, 0, "b")).as("what nobody has delivered").isEqualTo("K");
    }
  }
}
