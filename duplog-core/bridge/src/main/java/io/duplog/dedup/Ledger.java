package io.duplog.dedup;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the copies of every message by stream, and remembers which batches are counted, delivered
 * or pending, and which bridges live. All bridges of a deployment share one ledger; an object of
 * this type is one bridge's view of it. Each method is one atomic step of the shared state. Safe
 * for any thread.
 *
 * <p>A batch is counted once. If it has kept copies, it is <em>pending</em> from its judgement
 * until {@link #advance} reports it done. A bridge lives while it calls {@link #advance} often
 * enough to renew its lease. When the lease has lapsed, the next bridge that advances revokes what
 * that bridge had pending.
 *
 * <p>Everything belongs to an epoch. Data of another epoch is never read, because a memory that was
 * rolled back may hold the counts of one stream and not of the other, and would lose genuine
 * messages.
 */
public interface Ledger extends BridgeNotes, AutoCloseable {

  /**
   * Counts a batch, or returns the result of its earlier count.
   *
   * @throws LedgerUnavailableException if the store can't be asked
   */
  Judgement judge(Claim claim) throws LedgerUnavailableException;

  /**
   * Renews this bridge's lease, reports progress, revokes what dead bridges had pending, and reads
   * the horizon. Must be called before the first {@link #judge}, and by one thread at a time.
   *
   * @throws LedgerUnavailableException if the store can't be asked; the progress must be reported
   *     again
   */
  Horizon advance(Progress progress) throws LedgerUnavailableException;

  /**
   * Ends this bridge's lease. The next bridge that advances revokes what this bridge still had
   * pending.
   *
   * @throws LedgerUnavailableException if the store can't be asked; the lease lapses later
   */
  void leave() throws LedgerUnavailableException;

  /**
   * Returns access to the coverage counts that all bridges share, in the ledger's store.
   *
   * @param period length of a period; the same for all bridges
   */
  Tallies tallies(Duration period);

  /**
   * Returns access to texts that all bridges share; the default is for a ledger that no other
   * bridge shares.
   *
   * @param name what the texts are about, such as {@code senders}
   */
  default SharedTexts texts(String name) {
    return SharedTexts.ofOneBridge();
  }

  /**
   * Returns the bridge's own notes only; the default is for a ledger that no other bridge shares.
   */
  @Override
  default List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
    return own;
  }

  /** Whether the ledger currently sends calls to its store. May be called from any thread. */
  default boolean isAvailable() {
    return true;
  }

  /**
   * Returns what is wrong with the store, in one line for an operator; null if nothing is known.
   */
  default @Nullable String trouble() {
    return null;
  }

  /**
   * Returns why the store forgets, or may forget, what it must keep, in one line; null if no such
   * reason is known.
   */
  default @Nullable String hazard() {
    return null;
  }

  /** Returns the number of calls to the store that have failed since the ledger was opened. */
  default long failures() {
    return 0;
  }

  /** Closes the connections to the store, without ending this bridge's lease. */
  @Override
  void close();
}
