package io.duplog.dedup;

import java.time.Duration;
import java.util.List;

/**
 * Counts the copies that each stream has brought of every message, and decides which copies to keep
 * or drop. Remembers which batches are counted, delivered or pending, and which bridges live. All
 * bridges of a deployment share one ledger; each bridge has an object of this type as its view.
 * Each method is one atomic step of the shared state. Thread-safe.
 *
 * <p>A batch is counted once. If it has kept copies, it is <em>pending</em> from its judgement
 * until {@link #advance} reports it done. A bridge lives while it calls {@link #advance} often
 * enough to renew its lease. After the lease has lapsed, the next bridge that advances revokes the
 * pending batches of that bridge.
 *
 * <p>All data belongs to an epoch, and data of another epoch is never read. A memory that was
 * rolled back may contain the counts of only one stream. Reading them would lose genuine messages.
 */
public interface Ledger extends BridgeNotes, AutoCloseable {

  /**
   * Counts a batch, or returns the result of its earlier count.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  Judgement judge(Claim claim) throws LedgerUnavailableException;

  /**
   * Renews this bridge's lease, reports progress, revokes the pending batches of dead bridges, and
   * reads the horizon. Must be called before the first {@link #judge}, and by one thread at a time.
   *
   * @throws LedgerUnavailableException if the store is unavailable. The progress must then be
   *     reported again.
   */
  Horizon advance(Progress progress) throws LedgerUnavailableException;

  /**
   * Ends this bridge's lease. The next bridge that advances revokes this bridge's pending batches.
   *
   * @throws LedgerUnavailableException if the store is unavailable. The lease then lapses later.
   */
  void leave() throws LedgerUnavailableException;

  /**
   * Returns access to the coverage counts that all bridges share, in the ledger's store.
   *
   * @param period length of a period, which is the same for all bridges
   */
  Tallies tallies(Duration period);

  /**
   * Returns access to texts that all bridges share. The default implementation is for a ledger of a
   * single bridge.
   *
   * @param name what the texts are about, such as {@code senders}
   */
  default SharedTexts texts(String name) {
    return SharedTexts.ofOneBridge();
  }

  /**
   * Exchanges notes. The default implementation is for a ledger of a single bridge, and returns
   * only this bridge's own notes.
   */
  @Override
  default List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
    return own;
  }

  /** Whether the ledger's store is currently called. Thread-safe. */
  default boolean isAvailable() {
    return true;
  }

  /** Returns the number of calls to the store that have failed since the ledger was opened. */
  default long failures() {
    return 0;
  }

  /** Closes the connections to the store, without ending this bridge's lease. */
  @Override
  void close();
}
