package io.duplog.pipeline;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers of a bridge. Each copy is counted in one of them: in that of its part, or else in the
 * first fallback that is available.
 *
 * @param parts those that all bridges share, one for each part; the board is in the first and
 *     nowhere else
 * @param fallbacks which are asked while those before them are not available, in this order
 */
public record Ledgers(List<Ledger> parts, List<Fallback> fallbacks) {
  private static final Logger log = LoggerFactory.getLogger(Ledgers.class);

  /**
   * A ledger that is asked while others are not available.
   *
   * @param name in metrics, and of the bridge's part: {@code spare}, {@code local}
   * @param where it is, for an operator
   * @param ledger which knows nothing of what others have counted
   */
  public record Fallback(String name, String where, Ledger ledger) {}

  /** The only part, or the first. */
  public Ledger first() {
    return parts.get(0);
  }

  /** Whether every part is asked. */
  public boolean areAvailable() {
    return parts.stream().allMatch(Ledger::isAvailable);
  }

  /** How many calls the parts have failed. */
  public long failures() {
    return parts.stream().mapToLong(Ledger::failures).sum();
  }

  /** The fallbacks' ledgers, in the order in which they are asked. */
  public List<Ledger> behind() {
    return fallbacks.stream().map(Fallback::ledger).toList();
  }

  private List<Ledger> all() {
    List<Ledger> all = new ArrayList<>(parts);
    all.addAll(behind());
    return all;
  }

  /** Ends this bridge's leases. */
  public void leave() {
    for (Ledger ledger : all()) {
      try {
        ledger.leave();
      } catch (LedgerUnavailableException e) {
        log.debug("the lease lapses by itself", e);
      }
    }
  }

  public void close() {
    all().forEach(Ledger::close);
  }
}
