package io.duplog.pipeline;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.wire.StreamBroker;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the ledger which copies of a batch to keep, or a fallback while the ledger is unavailable.
 * Thread-safe.
 *
 * <p>The ledger of the batch's part is asked first, then the fallbacks, which all parts share. The
 * first available ledger gets the batch. The next one gets it only if the previous one has surely
 * not counted it. Each verdict therefore comes from the only ledger that counts the copy. The
 * number of delivered copies is the sum of the copies that each ledger by itself requires. This sum
 * is never less than any stream brought, because a sum of maxima is no smaller than the maximum of
 * sums. A delivery is reported to one ledger only, for the same reason.
 *
 * @param parts the session of each part, in the order of their numbers
 * @param fallbacks the fallbacks' sessions, in the order in which they are asked while a part's
 *     ledger is unavailable
 */
record Judge(
    List<LedgerSession> parts,
    List<LedgerSession> fallbacks,
    ReadBrokers brokers,
    Observer observer,
    LongSupplier nanoClock) {
  private static final Logger log = LoggerFactory.getLogger(Judge.class);

  /** Returns the indexes of the copies to deliver, or null if the batch can't be judged now. */
  @Nullable BitSet ask(InFlightBatch batch) {
    LedgerSession part = parts.get(batch.part());
    StreamBroker broker = batch.broker();
    if (!batch.countable() || (broker != null && !broker.isIdentified())) {
      return passThrough(batch, part, false);
    }
    for (int fallback = -1; fallback < fallbacks.size(); fallback++) {
      LedgerSession session = fallback < 0 ? part : fallbacks.get(fallback);
      try {
        long askedNanos = nanoClock.getAsLong();
        Judgement judgement = session.judge(batch.claim(), broker);
        observer.judged(nanoClock.getAsLong() - askedNanos);
        if (judgement instanceof Judgement.Counted counted) {
          if (fallback < 0) {
            observer.counted(batch, counted);
          } else {
            observer.countedApart(batch, fallback);
          }
          return batch.counted(session, counted, nanoClock.getAsLong());
        }
        if (judgement instanceof Judgement.LeaseLapsed && brokers.isFormer(broker)) {
          return passThrough(batch, part, false);
        }
        if (judgement instanceof Judgement.HeldElsewhere || !session.isUnavailable()) {
          return null;
        }
        // The lease has lapsed and can't be renewed now, so the next ledger is asked.
      } catch (LedgerUnavailableException e) {
        if (e.mayHaveExecuted()) {
          return passThrough(batch, session, true);
        }
      } catch (RuntimeException e) {
        log.error(
            "Judging batch {} failed. It passes through undeduplicated.",
            batch.claim().batchId(),
            e);
        return passThrough(batch, session, true);
      }
    }
    return passThrough(batch, part, false);
  }

  private BitSet passThrough(InFlightBatch batch, LedgerSession asked, boolean mayBeCounted) {
    return batch.passThrough(asked, mayBeCounted, nanoClock.getAsLong());
  }
}
