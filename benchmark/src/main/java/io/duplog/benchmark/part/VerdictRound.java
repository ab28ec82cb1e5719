package io.duplog.benchmark.part;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Digester;
import io.duplog.dedup.Digests;
import io.duplog.dedup.Identity;
import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import io.duplog.dedup.Progress;
import java.util.List;

/**
 * The life of a batch that two healthy streams bring: the first one's copies are kept, the other's
 * dropped, and the delivery of the kept ones is reported. The digests are then forgotten, so that
 * every round finds the ledger as the one before it did.
 */
final class VerdictRound {
  /** Judged in a round: both streams'. */
  static final int COPIES = 2 * SampleBatch.MESSAGES;

  private static final int BYTES = 110; // a digest is as long for any message

  private final Ledger ledger;
  private final Digests digests;
  private long rounds;

  VerdictRound(Ledger ledger) throws LedgerUnavailableException {
    this.ledger = ledger;
    this.digests = new Digester(Identity.SENDER_AND_MESSAGE).digest(SampleBatch.decoded(BYTES));
    ledger.advance(new Progress(List.of(), List.of(), 0, false));
  }

  /**
   * @throws IllegalStateException where the ledger does not judge as it has to: a wrong answer may
   *     well be a fast one
   */
  void run() throws LedgerUnavailableException {
    String id = "a-" + rounds;
    Judgement.Counted first = judge(id, 0);
    Judgement.Counted second = judge("b-" + rounds, 1);
    if (first.kept().cardinality() != digests.count() || !second.kept().isEmpty()) {
      throw new IllegalStateException("wrong verdicts in round " + rounds);
    }
    Progress.Done done = new Progress.Done(id, first.epoch(), first.number());
    ledger.advance(new Progress(List.of(done), List.of(), 0, false));
    rounds++;
  }

  private Judgement.Counted judge(String id, int stream) throws LedgerUnavailableException {
    Judgement judgement = ledger.judge(new Claim(id, stream, digests));
    if (judgement instanceof Judgement.Counted counted) {
      return counted;
    }
    throw new IllegalStateException("batch " + id + " was not judged: " + judgement);
  }
}
