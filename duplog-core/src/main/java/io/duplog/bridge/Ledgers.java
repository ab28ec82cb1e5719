package io.duplog.bridge;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledgers of a bridge. Each copy is counted in one of them: in the first that is available.
 *
 * @param first the one that all bridges share; tallies and the board are there and nowhere else
 * @param fallbacks which are asked while those before them are not available, in this order
 */
record Ledgers(Ledger first, List<Fallback> fallbacks) {
  private static final Logger log = LoggerFactory.getLogger(Ledgers.class);

  /**
   * A ledger that is asked while others are not available.
   *
   * @param name in metrics, and of the bridge's part: {@code spare}, {@code local}
   * @param where it is, for an operator
   * @param ledger which knows nothing of what others have counted
   */
  record Fallback(String name, String where, Ledger ledger) {}

  /** In the order in which they are asked. */
  List<Ledger> all() {
    List<Ledger> all = new ArrayList<>();
    all.add(first);
    fallbacks.forEach(fallback -> all.add(fallback.ledger()));
    return all;
  }

  /** The same, with each ledger in something's hands. */
  Ledgers wrapped(UnaryOperator<Ledger> wrapper) {
    return new Ledgers(
        wrapper.apply(first),
        fallbacks.stream()
            .map(each -> new Fallback(each.name(), each.where(), wrapper.apply(each.ledger())))
            .toList());
  }

  /** Ends this bridge's leases. */
  void leave() {
    for (Ledger ledger : all()) {
      try {
        ledger.leave();
      } catch (LedgerUnavailableException e) {
        log.debug("the lease lapses by itself", e);
      }
    }
  }

  void close() {
    all().forEach(Ledger::close);
  }
}
