package io.duplog.explore;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Horizon;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import io.duplog.dedup.Tallies;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Connects a bridge to Redis in a test that tries every order of events, and makes calls fail in
 * every possible way.
 */
final class FaultyLedger implements Ledger {
  enum Next {
    WORKS,
    ANSWER_LOST,
    DELAYED
  }

  /** Server that this bridge judges at. */
  Ledger judging;

  /** Server that this bridge settles at. */
  Ledger advancing;

  private final BooleanSupplier reachable;
  private final Consumer<Claim> delayed;
  Next next = Next.WORKS;

  /**
   * @param delayed gets each judgement that is to be executed later
   */
  FaultyLedger(Ledger target, BooleanSupplier reachable, Consumer<Claim> delayed) {
    this.judging = target;
    this.advancing = target;
    this.reachable = reachable;
    this.delayed = delayed;
  }

  @Override
  public Judgement judge(Claim claim) throws LedgerUnavailableException {
    Next now = begin();
    if (now == Next.DELAYED) {
      delayed.accept(claim);
      throw lost();
    }
    Judgement judgement = judging.judge(claim);
    if (now == Next.ANSWER_LOST) {
      throw lost();
    }
    return judgement;
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    Next now = begin();
    Horizon horizon = advancing.advance(progress);
    if (now == Next.ANSWER_LOST) {
      throw lost();
    }
    return horizon;
  }

  private Next begin() throws LedgerUnavailableException {
    Next now = next;
    next = Next.WORKS;
    if (!reachable.getAsBoolean()) {
      throw new LedgerUnavailableException("refused", null, false);
    }
    return now;
  }

  private static LedgerUnavailableException lost() {
    return new LedgerUnavailableException("timed out", null, true);
  }

  @Override
  public void leave() throws LedgerUnavailableException {
    advancing.leave();
  }

  @Override
  public Tallies tallies(Duration period) {
    return advancing.tallies(period);
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return judging + " " + advancing;
  }
}
