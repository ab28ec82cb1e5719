package io.duplog.pipeline;

import io.duplog.dedup.Digest;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Revocation;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a delivered batch may be acknowledged, must wait, or must deliver its dropped
 * copies after all. Stateless.
 *
 * @see "docs/decisions/settle.md#settle-rule"
 */
final class SettleRule {

  /** Decision whether a batch may be settled, has to wait, or must release dropped copies. */
  sealed interface Decision {
    /** The batch needs nothing more and may be acknowledged. */
    record Settle() implements Decision {}

    /**
     * The batch must wait: some of its copies were dropped because of a batch that may still be
     * pending.
     */
    record Wait() implements Decision {}

    /** Some dropped copies must be delivered before the rule is applied again. */
    record Release(BitSet copies) implements Decision {}
  }

  private SettleRule() {}

  /**
   * @param horizon the horizon, read after the batch was judged, or null if the ledger is
   *     unavailable
   * @param revocations all known revocations
   */
  static Decision decide(
      InFlightBatch batch, @Nullable Horizon horizon, Collection<Revocation> revocations) {
    BitSet dropped = batch.dropped();
    if (dropped.isEmpty()) {
      return new Decision.Settle();
    }
    if (horizon == null || !horizon.epoch().equals(batch.epoch())) {
      // The corresponding kept copies may never be delivered.
      return new Decision.Release((BitSet) dropped.clone());
    }
    BitSet released = releasedBy(revocations, batch);
    if (!released.isEmpty()) {
      return new Decision.Release(released);
    }
    boolean isOpen = horizon.moreRevocations() || horizon.lowestPending() < batch.number();
    return isOpen ? new Decision.Wait() : new Decision.Settle();
  }

  /**
   * Decides for a bridge that only observes drops. Dropped copies are delivered too, so that the
   * batch does not depend on other deliveries.
   */
  static Decision deliverDropped(InFlightBatch batch) {
    BitSet dropped = batch.dropped();
    return dropped.isEmpty()
        ? new Decision.Settle()
        : new Decision.Release((BitSet) dropped.clone());
  }

  private static BitSet releasedBy(Collection<Revocation> revocations, InFlightBatch batch) {
    BitSet released = new BitSet();
    List<Revocation> covering =
        revocations.stream().filter(each -> each.covers(batch.number())).toList();
    if (covering.isEmpty()) {
      return released;
    }
    BitSet dropped = batch.dropped();
    Digests digests = batch.claim().digests();
    Set<Digest> wanted = new HashSet<>();
    dropped.stream().forEach(i -> wanted.add(digests.get(i)));
    Set<Digest> found = new HashSet<>();
    for (Revocation revocation : covering) {
      for (int i = 0; i < revocation.digests().count(); i++) {
        Digest digest = revocation.digests().get(i);
        if (wanted.contains(digest)) {
          found.add(digest);
        }
      }
    }
    dropped.stream().filter(i -> found.contains(digests.get(i))).forEach(released::set);
    return released;
  }
}
