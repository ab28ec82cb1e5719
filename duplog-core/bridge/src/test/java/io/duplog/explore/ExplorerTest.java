package io.duplog.explore;

import static java.util.function.Function.identity;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.dedup.memory.ExplorableStore.BrokenClause;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that bridges lose no message in any order of events with up to one fault, and that broken
 * rules are found.
 *
 * @see TwoFaultsTest
 */
@Tag("slow")
class ExplorerTest {
  /**
   * Faults that the design allows; a pending record is never evicted. A bridge that alone can't
   * reach Redis shows nothing new without another ledger, because that is like an unavailable
   * Redis, or a bridge that hangs.
   */
  static final Set<Fault> FAULTS =
      EnumSet.complementOf(EnumSet.of(Fault.PENDING_RECORD_EVICTED, Fault.REDIS_CUT_OFF));

  /**
   * Asserts that all states were visited, and that nothing is lost, stuck, or duplicated without a
   * cause that docs/guarantees.md lists. A lost host costs only the messages that no other host
   * had.
   */
  static void assertSound(Setting setting, History history, List<Fault> faults) {
    Explorer.Result result = new Explorer(setting, history, faults, Set.of()).explore("LOSS");

    assertThat(result.findings()).isEmpty();
    assertThat(result.complete()).isTrue();
    assertThat(result.ends()).isPositive();
    boolean mayBurn =
        faults.contains(Fault.HOST_LOST)
            && (setting == Setting.OBSERVING || history.isFullestOnOneHost());
    assertThat(result.burned() > 0).isEqualTo(mayBurn);
  }

  static boolean tellsMore(Fault fault, Setting setting, History history) {
    return switch (fault) {
      // With two servers, which four connections leave one by one, there are some three hundred
      // times the states.
      case FAILED_OVER -> history == History.AB && setting != Setting.MISNAMED;
      // The hash of a single digest holds nothing else, so DIGEST_EVICTED does the same.
      case DIGEST_HASH_EVICTED -> history.messages.size() > 1;
      default -> true;
    };
  }

  /** A bridge's text doesn't say which of the two it has taken, so the broker's must not either. */
  @Test
  void stateOfBroker_withARepeatedBatch_isTheSameForEitherPublication() {
    List<String> texts = new ArrayList<>();
    for (int acknowledged = 0; acknowledged < 2; acknowledged++) {
      FakeBroker broker = new FakeBroker(0, 0);
      for (int copy = 0; copy < 2; copy++) {
        broker.publish(0, copy);
        broker.deliverTo("br0");
      }
      broker.channel("br0").settled(new FakeBroker.Publication(0, acknowledged).tag());
      texts.add(broker.text(List.of("br0")));
    }

    assertThat(texts.get(0)).isEqualTo(texts.get(1));
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"LATE", "PARTED"})
  void history_withoutFault_isDeliveredExactlyOnce(History history) {
    assertSound(Setting.ENFORCING, history, List.of());
  }

  static Stream<Arguments> eachFault() {
    return Stream.of(
            eachFault(Setting.ENFORCING, History.AB, History.ABB, History.MIXED, History.THREE),
            eachFault(Setting.OBSERVING, History.AB, History.MIXED),
            eachFault(Setting.FILTERING, History.AB, History.MIXED),
            eachFault(Setting.MISNAMED, History.AB, History.ABB))
        .flatMap(identity());
  }

  private static Stream<Arguments> eachFault(Setting setting, History... histories) {
    return Stream.of(histories)
        .flatMap(
            history ->
                FAULTS.stream()
                    .filter(fault -> tellsMore(fault, setting, history))
                    .map(fault -> Arguments.of(setting, history, fault)));
  }

  @ParameterizedTest
  @MethodSource("eachFault")
  void history_withOneFault_losesNothing(Setting setting, History history, Fault fault) {
    assertSound(setting, history, List.of(fault));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # a failover before a host is lost
          ENFORCING, AB, FAILED_OVER HOST_LOST
          # what one host alone has burns with it, whatever else happens
          ENFORCING, LATE, HOST_LOST
          ENFORCING, LATE, HOST_LOST BATCH_REPEATED
          ENFORCING, LATE, HOST_LOST REDIS_FLUSHED
          ENFORCING, THREE_UNEVEN, HOST_LOST
          # two revocations, which a bridge reads one by one
          ENFORCING, SPLIT, HOST_LOST
          ENFORCING, SPLIT, BRIDGE_DIES
          # a revocation is remembered for batches that are delivered late
          ENFORCING, LATE, HOST_LOST WINDOW_PASSES
          ENFORCING, LATE, HOST_LOST WINDOW_PASSES CHANNEL_LOST
          # bridges that deliver what they would drop; of which one counts nothing
          OBSERVING, AB,
          OBSERVING, MIXED,
          MISNAMED, AB,
          MISNAMED, ABB,
          # a batch of which a rule drops all copies is settled, and its duplicates are dropped
          FILTERING, AB,
          FILTERING, MIXED,
          FILTERING, SPLIT, HOST_LOST
          # a bridge that gives back what only a newer one can read, until it is upgraded
          OLD_BRIDGE, AB,
          OLD_BRIDGE, ABB,
          OLD_BRIDGE, MIXED,
          OLD_BRIDGE, AB, BRIDGE_DIES
          OLD_BRIDGE, AB, HOST_LOST
          OLD_BRIDGE, AB, CHANNEL_LOST
          OLD_BRIDGE, AB, REDIS_FLUSHED
          OLD_BRIDGE, AB, JUDGEMENT_ANSWER_LOST
          # with two required sinks, one of which may have accepted when something happens
          TWO_SINKS, AB,
          TWO_SINKS, ABB,
          TWO_SINKS, AB, BRIDGE_DIES
          TWO_SINKS, AB, BRIDGE_HANGS
          TWO_SINKS, AB, SINK_AWAY
          TWO_SINKS, AB, HOST_LOST
          TWO_SINKS, AB, CHANNEL_LOST
          TWO_SINKS, AB, REDIS_FLUSHED
          # with several ledgers: for when Redis is away, or one for each part of the messages
          LOCAL, AB,
          LOCAL, MIXED, REDIS_AWAY
          LOCAL, AB, REDIS_CUT_OFF
          LOCAL, AB, REDIS_AWAY HOST_LOST
          LOCAL, AB, REDIS_AWAY JUDGEMENT_ANSWER_LOST
          SPARE, AB,
          SPARE, AB, REDIS_CUT_OFF
          SPARE, MIXED, REDIS_AWAY
          PARTS, PARTED,
          PARTS, PARTED, HOST_LOST
          PARTS, PARTED, REDIS_CUT_OFF
          PARTS, PARTED, REDIS_AWAY
          PARTS, PARTED, REDIS_FLUSHED
          # two deployments that share a prefix, of which one counts at a time
          SHARED_PREFIX, AB,
          SHARED_PREFIX, AB, BRIDGE_DIES
          SHARED_PREFIX, AB, BRIDGE_HANGS
          SHARED_PREFIX, AB, REDIS_FLUSHED
          SHARED_PREFIX, AB, WINDOW_PASSES
          SHARED_PREFIX, AB, CHANNEL_LOST
          """)
  void history_ofItsOwnKind_losesNothing(
      Setting setting, History history, @Nullable String faults) {
    assertSound(setting, history, faults(faults));
  }

  private static List<Fault> faults(@Nullable String names) {
    return names == null ? List.of() : Stream.of(names.split(" ")).map(Fault::valueOf).toList();
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          PENDING_IS_IGNORED,            AB,  HOST_LOST,                     LOSS
          REVOKED_DIGESTS_STAY,          AB,  HOST_LOST,                     LOSS
          REVOCATION_IS_NOT_LOGGED,      AB,  HOST_LOST,                     LOSS
          REVOCATION_IS_FORGOTTEN_EARLY, AB,  HOST_LOST CHANNEL_LOST,        LOSS
          REVOCATIONS_ARE_CUT,           SPLIT, HOST_LOST,                   LOSS
          PENDING_TWIN_IS_DELIVERED,     ABB, CHANNEL_LOST BRIDGE_DIES,      LOSS
          REDELIVERED_GETS_NEW_NUMBER,   AB,  BRIDGE_DIES HOST_LOST,         LOSS
          SNAPSHOT_KEEPS_EPOCH,          ABB, REDIS_RESTORED,                LOSS
          REPLICA_KEEPS_EPOCH,           AB,  FAILED_OVER HOST_LOST,         LOSS
          LAPSED_BRIDGE_IS_JUDGED,       AB,  JUDGEMENT_DELAYED BRIDGE_DIES, STALL
          CLOCK_IS_TRUSTED,              AB,  CLOCK_BACK BRIDGE_DIES,        STALL
          CLOCK_IS_TRUSTED,              AB,  CLOCK_FORWARD,                 DUPLICATE
          UNHELD_STAYS_PENDING,          AB,  JUDGEMENT_DELAYED,             STALL
          # two deployments that share a prefix
          BROKERS_ARE_NOT_COMPARED,      AB,  ,                              LOSS
          # no clause, but a pending record that is evicted
          ,                              AB,  PENDING_RECORD_EVICTED HOST_LOST, LOSS
          # without any fault; for two streams the prototype is right
          PROTOTYPE_DECREMENTS,          AB,    ,
          PROTOTYPE_DECREMENTS,          ABB,   ,
          PROTOTYPE_DECREMENTS,          AAB,   ,
          PROTOTYPE_DECREMENTS,          MIXED, ,
          PROTOTYPE_DECREMENTS,          THREE_UNEVEN, , LOSS
          # keys of their own lose where one of them is evicted
          SEPARATE_KEYS,                 ABB, ,
          SEPARATE_KEYS,                 THREE_UNEVEN, ,
          SEPARATE_KEYS,                 ABB, DIGEST_EVICTED, LOSS
          """)
  void rule_withOneClauseLeftOut_isFoundOut(
      @Nullable BrokenClause clause,
      History history,
      @Nullable String faults,
      @Nullable String finding) {
    Set<BrokenClause> broken = clause == null ? Set.of() : Set.of(clause);
    Setting setting =
        clause == BrokenClause.BROKERS_ARE_NOT_COMPARED ? Setting.SHARED_PREFIX : Setting.ENFORCING;
    Explorer.Result result =
        new Explorer(setting, history, faults(faults), broken)
            .explore(finding == null ? "" : finding);

    assertThat(result.findings().keySet()).isEqualTo(finding == null ? Set.of() : Set.of(finding));
    assertThat(result.complete()).isEqualTo(finding == null);
  }

  /**
   * If nobody waits for the second sink, that sink misses messages that its bridge held when it
   * died.
   */
  @ParameterizedTest
  @CsvSource({"BRIDGE_DIES", "SINK_AWAY", "HOST_LOST"})
  void firstSinkThatDecides_isFoundOut(Fault fault) {
    Explorer.Result result =
        new Explorer(Setting.FIRST_SINK_DECIDES, History.AB, List.of(fault), Set.of())
            .explore("LOSS");

    assertThat(result.findings()).containsOnlyKeys("LOSS");
  }
}
