package io.duplog.pipeline;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the ledgers which copies of a batch to keep. Any thread.
 *
 * <p>A batch has a ledger of its own part, where the store has several, and fallbacks that all
 * parts share. It is shown to the first of these that is available, and to the next only if that
 * one surely has not counted it. So each verdict that is obeyed comes from the one ledger that
 * knows the copy, and what is delivered is the sum of what each ledger by itself owes the sink:
 * never less than what any stream brought, since a sum of maxima is no smaller than the maximum of
 * sums. For the same reason a delivery is reported to one ledger only.
 */
final class Judge {
  private static final Logger log = LoggerFactory.getLogger(Judge.class);

  private final List<LedgerSession> parts;
  private final List<LedgerSession> fallbacks;
  private final Observer observer;
  private final LongSupplier nanoClock;

  /**
   * @param parts each part's, in the order of their numbers
   * @param fallbacks in the order in which they are asked while a part's ledger is not available
   */
  Judge(
      List<LedgerSession> parts,
      List<LedgerSession> fallbacks,
      Observer observer,
      LongSupplier nanoClock) {
    this.parts = parts;
    this.fallbacks = fallbacks;
    this.observer = observer;
    this.nanoClock = nanoClock;
  }

  /** The copies to deliver; null where the batch can't be judged now. */
  @Nullable BitSet ask(InFlightBatch batch) {
    LedgerSession part = parts.get(batch.part());
    if (!batch.countable()) {
      return passThrough(batch, part, false);
    }
    for (int place = -1; place < fallbacks.size(); place++) {
      LedgerSession session = place < 0 ? part : fallbacks.get(place);
      try {
        long askedNanos = nanoClock.getAsLong();
        Judgement judgement = session.judge(batch.claim());
        observer.judged(nanoClock.getAsLong() - askedNanos);
        if (judgement instanceof Judgement.Counted counted) {
          if (place < 0) {
            observer.counted(batch, counted);
          } else {
            observer.countedApart(batch, place);
          }
          return batch.counted(session, counted, nanoClock.getAsLong());
        }
        if (judgement instanceof Judgement.HeldElsewhere || !session.isAway()) {
          return null;
        }
        // The lease can't be renewed either, for whatever reason: nobody knows for how long.
      } catch (LedgerUnavailableException e) {
        if (e.mayHaveExecuted()) {
          return passThrough(batch, session, true);
        }
      } catch (RuntimeException e) {
        log.error("judging batch {} failed: it passes through", batch.claim().batchId(), e);
        return passThrough(batch, session, true);
      }
    }
    return passThrough(batch, part, false);
  }

  private BitSet passThrough(InFlightBatch batch, LedgerSession asked, boolean mayBeCounted) {
    return batch.passThrough(asked, mayBeCounted, nanoClock.getAsLong());
  }
}
