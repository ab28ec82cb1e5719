package io.duplog.pipeline;

import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds all ledgers that a bridge may ask: those in Redis, and the fallbacks while Redis is
 * unavailable. Each copy is counted in only one of them: the ledger of its part, or else the first
 * available fallback.
 *
 * @param parts the ledgers that all bridges share, one for each part. The first ledger is the only
 *     one with the bridges' notes.
 * @param fallbacks the ledgers that are asked while the ones before them are unavailable, in this
 *     order
 */
public record Ledgers(List<Ledger> parts, List<Fallback> fallbacks) {
  private static final Logger log = LoggerFactory.getLogger(Ledgers.class);

  /**
   * A ledger that is asked while others are unavailable.
   *
   * @param name the ledger's name in metrics and in the bridge's health: {@code spare} or {@code
   *     local}
   * @param where where the ledger's memory is, for an operator
   * @param ledger the ledger, which does not know the other ledgers' counts
   * @param copies number of copies that the ledger has counted
   */
  public record Fallback(String name, String where, Ledger ledger, LongAdder copies) {

    public Fallback(String name, String where, Ledger ledger) {
      this(name, where, ledger, new LongAdder());
    }
  }

  /** Returns the ledger of the first part, which may be the only one. */
  public Ledger first() {
    return parts.get(0);
  }

  /** Whether the ledgers of all parts are available. */
  public boolean areAvailable() {
    return parts.stream().allMatch(Ledger::isAvailable);
  }

  /** Returns the number of failed calls to the parts' ledgers since they were opened. */
  public long failures() {
    return parts.stream().mapToLong(Ledger::failures).sum();
  }

  /** Returns the fallbacks' ledgers, in the order in which they are asked. */
  public List<Ledger> behind() {
    return fallbacks.stream().map(Fallback::ledger).toList();
  }

  private List<Ledger> all() {
    List<Ledger> all = new ArrayList<>(parts);
    all.addAll(behind());
    return all;
  }

  /** Ends this bridge's lease in each ledger. */
  public void leave() {
    for (Ledger ledger : all()) {
      try {
        ledger.leave();
      } catch (LedgerUnavailableException e) {
        log.debug("the lease will lapse by itself", e);
      }
    }
  }

  public void close() {
    all().forEach(Ledger::close);
  }
}
