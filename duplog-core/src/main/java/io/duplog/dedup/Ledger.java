package io.duplog.dedup;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the copies of every message by stream, remembers which batches are counted, delivered or
 * pending, and which bridges live. All bridges of a deployment share one ledger; this is one
 * bridge's view of it. Each method is one atomic step of the shared state. Safe for any thread.
 *
 * <p>A batch is counted once. It is <em>pending</em> from its judgement until {@link #advance}
 * reports it done, if it has kept copies. A bridge lives while it calls {@link #advance} often
 * enough to renew its lease; when the lease has lapsed, whoever calls next revokes what it had
 * pending.
 *
 * <p>Everything belongs to an epoch. Data of another epoch is never read, since a memory that was
 * rolled back may hold one stream's counts and not the other's, and would lose genuine messages.
 */
public interface Ledger extends Board, AutoCloseable {

  /**
   * Counts a batch, or finds what it was counted as.
   *
   * @throws LedgerUnavailableException where the store can't be asked
   */
  Judgement judge(Claim claim) throws LedgerUnavailableException;

  /**
   * Renews this bridge's lease, reports progress, revokes what dead bridges had pending, and reads
   * the horizon. To be called before the first {@link #judge}, and from one thread at a time.
   *
   * @throws LedgerUnavailableException where the store can't be asked; the progress has to be
   *     reported again
   */
  Horizon advance(Progress progress) throws LedgerUnavailableException;

  /**
   * Ends this bridge's lease. What it still had pending is revoked by the next bridge that calls.
   *
   * @throws LedgerUnavailableException where the store can't be asked; the lease then lapses
   */
  void leave() throws LedgerUnavailableException;

  /** What bridges count beside the ledger, in the same store. */
  Tallies tallies(Tallies.Bounds bounds);

  /** By itself a bridge has nobody to tell. */
  @Override
  default List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
    return own;
  }

  /** Whether the store is asked at all at the moment. Any thread; cheap, as are the next three. */
  default boolean isAvailable() {
    return true;
  }

  /** What is wrong with the store, in a line for an operator; null where nothing is known. */
  default @Nullable String trouble() {
    return null;
  }

  /** Why the store may forget what it must keep, in one line; null if no such reason is known. */
  default @Nullable String hazard() {
    return null;
  }

  /** How many calls the store has failed since the ledger was opened. */
  default long failures() {
    return 0;
  }

  /** Releases connections. Does not end the lease. */
  @Override
  void close();
}
