package io.duplog.dedup;

import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A ledger whose judgements are timed. What could not be judged is not. */
public final class TimedLedger implements Ledger {
  private final Ledger ledger;
  private final LongConsumer judged;

  /**
   * @param judged takes the nanoseconds of each judgement; any thread
   */
  public TimedLedger(Ledger ledger, LongConsumer judged) {
    this.ledger = ledger;
    this.judged = judged;
  }

  @Override
  public Judgement judge(Claim claim) throws LedgerUnavailableException {
    long began = System.nanoTime();
    Judgement judgement = ledger.judge(claim);
    judged.accept(System.nanoTime() - began);
    return judgement;
  }

  @Override
  public Horizon advance(Progress progress) throws LedgerUnavailableException {
    return ledger.advance(progress);
  }

  @Override
  public void leave() throws LedgerUnavailableException {
    ledger.leave();
  }

  @Override
  public Tallies tallies(Tallies.Bounds bounds) {
    return ledger.tallies(bounds);
  }

  @Override
  public List<Note> exchange(List<Note> own) throws LedgerUnavailableException {
    return ledger.exchange(own);
  }

  @Override
  public boolean isAvailable() {
    return ledger.isAvailable();
  }

  @Override
  public @Nullable String trouble() {
    return ledger.trouble();
  }

  @Override
  public long failures() {
    return ledger.failures();
  }

  @Override
  public void close() {
    ledger.close();
  }
}
