package io.duplog.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What has to hold whatever happens, and what may happen. */
final class Soundness {
  /**
   * Every fault that the design allows; a pending record is never evicted. For one bridge to be cut
   * off from Redis is nothing new where there is no other ledger: Redis is away, or the bridge
   * hangs.
   */
  private static final Set<Fault> FAULTS =
      EnumSet.complementOf(EnumSet.of(Fault.PENDING_RECORD_EVICTED, Fault.REDIS_CUT_OFF));

  private Soundness() {}

  /** The faults that a history is explored with. */
  static Stream<Fault> faultsOf(History history) {
    return FAULTS.stream().filter(fault -> tellsMore(fault, history));
  }

  private static boolean tellsMore(Fault fault, History history) {
    if (fault == Fault.FAILED_OVER) {
      // Two servers, which four connections leave one by one: some three hundred times the states.
      return history.equals(History.AB);
    }
    // A single digest has its hash to itself.
    return fault != Fault.DIGEST_HASH_EVICTED || history.messages().size() > 1;
  }

  /**
   * All states visited, and nothing lost, stuck, or duplicated without a cause that
   * docs/guarantees.md lists.
   */
  static void assertSound(History history, Map<Fault, Integer> faults) {
    assertSound(new Explorer(history, faults, Set.of()));
  }

  static void assertSound(Explorer explorer) {
    Explorer.Result result = explorer.explore("LOSS");

    assertThat(result.findings()).isEmpty();
    assertThat(result.complete()).isTrue();
    assertThat(result.ends()).isPositive();
  }
}
