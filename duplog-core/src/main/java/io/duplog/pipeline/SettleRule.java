package io.duplog.pipeline;

import io.duplog.dedup.Horizon;
import io.duplog.dedup.Revocation;
import java.util.BitSet;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Decides what may happen to a batch whose kept copies are delivered. Stateless.
 *
 * @see "docs/decisions/settle-rule.md"
 */
final class SettleRule {

  /** Decision whether a batch may be settled, has to wait, or must release dropped copies. */
  sealed interface Decision {
    /** The batch needs nothing more and may be acknowledged. */
    record Settle() implements Decision {}

    /**
     * The batch has to wait, because copies of it were dropped for a batch that may still be
     * pending.
     */
    record Wait() implements Decision {}

    /** Some dropped copies have to be delivered, before the rule is applied to the batch again. */
    record Release(BitSet copies) implements Decision {}
  }

  private SettleRule() {}

  /**
   * @param horizon the horizon, read after the batch was judged; null if the ledger is unavailable
   * @param revocations all revocations that are still remembered
   */
  static Decision decide(
      InFlightBatch batch, @Nullable Horizon horizon, Collection<Revocation> revocations) {
    BitSet dropped = batch.dropped();
    if (dropped.isEmpty()) {
      return new Decision.Settle();
    }
    if (horizon == null || !horizon.epoch().equals(batch.epoch())) {
      // It is unknown whether the copies that these were dropped for will be delivered.
      return new Decision.Release((BitSet) dropped.clone());
    }
    BitSet released = releasedBy(revocations, batch);
    if (!released.isEmpty()) {
      return new Decision.Release(released);
    }
    return horizon.lowestPending() < batch.number() ? new Decision.Wait() : new Decision.Settle();
  }

  /**
   * Decides for a bridge that only observes drops: dropped copies are delivered as well, so that
   * the batch does not depend on what others deliver.
   */
  static Decision deliverDropped(InFlightBatch batch) {
    BitSet dropped = batch.dropped();
    return dropped.isEmpty()
        ? new Decision.Settle()
        : new Decision.Release((BitSet) dropped.clone());
  }

  private static BitSet releasedBy(Collection<Revocation> revocations, InFlightBatch batch) {
    BitSet released = new BitSet();
    for (Revocation revocation : revocations) {
      if (revocation.covers(batch.number())) {
        BitSet dropped = batch.dropped();
        for (int i = dropped.nextSetBit(0); i >= 0; i = dropped.nextSetBit(i + 1)) {
          if (revocation.digests().contains(batch.claim().digests().get(i))) {
            released.set(i);
          }
        }
      }
    }
    return released;
  }
}
