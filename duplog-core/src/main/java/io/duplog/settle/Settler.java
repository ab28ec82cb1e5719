package io.duplog.settle;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.Ledger;
import io.duplog.dedup.LedgerUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every batch that this bridge holds from its judgement to its settlement.
 *
 * <p>A batch has a ledger of its own part, where the store has several, and fallbacks that all
 * parts share. It is shown to the first of these that is available, and to the next only if that
 * one surely has not counted it. So each verdict that is obeyed comes from the one ledger that
 * knows the copy, and what is delivered is the sum of what each ledger by itself owes the sink:
 * never less than what any stream brought, since a sum of maxima is no smaller than the maximum of
 * sums. For the same reason a delivery is reported to one ledger only.
 *
 * <p>{@link #judge} and {@link #delivered} may be called by any thread. Everything else happens in
 * {@link #runOnce}, which one thread calls in a loop and a test step by step.
 */
public final class Settler {

  /** What surrounds the settler. Each method may be called by any thread. */
  public interface Surroundings {
    /**
     * Copies of a batch are to be delivered. Afterwards {@link Settler#delivered} is called, once.
     */
    void deliver(Holding holding, BitSet copies);

    /** Its part's ledger has counted a batch: now, or earlier where it tells of no sightings. */
    default void counted(Holding holding, Judgement.Counted counted) {}

    /**
     * A ledger that is asked while others are not available has counted a batch, which these know
     * nothing of.
     *
     * @param fallback its place among the fallbacks, from 0
     */
    default void countedApart(Holding holding, int fallback) {}

    /** The batch can't be judged now. {@link Settler#judge} is called again after a pause. */
    void judgeLater(Holding holding);
  }

  private static final Logger log = LoggerFactory.getLogger(Settler.class);

  /** Each part's, in the order of their numbers. */
  private final List<Account> parts;

  /** In the order in which their ledgers are asked while a part's is not available. */
  private final List<Account> fallbacks;

  private final Surroundings surroundings;
  private final long holdLimitNanos;
  private final long releaseAfterNanos;
  private final boolean observing;
  private final LongSupplier nanoClock;

  /** Batches that were shown to a ledger and have not ended. */
  private final Set<Holding> judged = ConcurrentHashMap.newKeySet();

  private final Queue<Holding> deliveries = new ConcurrentLinkedQueue<>();
  private final Queue<Holding> withdrawals = new ConcurrentLinkedQueue<>();

  // The rest belongs to the settling thread.

  private final Set<Holding> waiting = new LinkedHashSet<>();

  /**
   * One ledger for all batches, and what is asked while it is away.
   *
   * @param ledgers in the order in which they are asked, at least one
   */
  public Settler(
      List<Ledger> ledgers,
      Surroundings surroundings,
      Duration lease,
      Duration holdLimit,
      Duration releaseAfter,
      boolean observing,
      LongSupplier nanoClock) {
    this(
        ledgers.subList(0, 1),
        ledgers.subList(1, ledgers.size()),
        surroundings,
        lease,
        holdLimit,
        releaseAfter,
        observing,
        nanoClock);
  }

  /**
   * @param parts a ledger for each part, at least one
   * @param fallbacks in the order in which they are asked while a part's ledger is not available
   * @param lease how long a ledger takes this bridge for alive without hearing from it
   * @param holdLimit after this long without delivery, a batch's claim on what others dropped for
   *     it is given up, so that they can deliver it
   * @param releaseAfter how long a ledger may be unavailable before dropped copies, whose fate only
   *     it knows, are delivered after all
   * @param observing whether dropped copies are delivered too, once the kept ones of their batch
   *     are
   * @param nanoClock {@code System::nanoTime}, or a test's
   */
  public Settler(
      List<Ledger> parts,
      List<Ledger> fallbacks,
      Surroundings surroundings,
      Duration lease,
      Duration holdLimit,
      Duration releaseAfter,
      boolean observing,
      LongSupplier nanoClock) {
    this.surroundings = surroundings;
    this.holdLimitNanos = holdLimit.toNanos();
    this.releaseAfterNanos = releaseAfter.toNanos();
    this.observing = observing;
    this.nanoClock = nanoClock;
    this.parts = accounts(parts, lease);
    this.fallbacks = accounts(fallbacks, lease);
  }

  private List<Account> accounts(List<Ledger> ledgers, Duration lease) {
    long now = nanoClock.getAsLong();
    return ledgers.stream()
        .map(ledger -> new Account(ledger, lease.toNanos(), holdLimitNanos, now))
        .toList();
  }

  /** Asks about a batch and sends on what is kept. Any thread. */
  public void judge(Holding holding) {
    if (holding.origin().isLost()) {
      holding.forget();
      return;
    }
    judged.add(holding);
    BitSet copies =
        holding.countable() ? ask(holding) : passThrough(holding, partOf(holding), false);
    if (copies == null) {
      judged.remove(holding);
      holding.parked();
      surroundings.judgeLater(holding);
      return;
    }
    if (copies.isEmpty()) {
      delivered(holding);
    } else {
      surroundings.deliver(holding, copies);
    }
  }

  /** The copies to deliver; null where the batch can't be judged now. */
  private @Nullable BitSet ask(Holding holding) {
    for (int place = -1; place < fallbacks.size(); place++) {
      Account account = place < 0 ? partOf(holding) : fallbacks.get(place);
      try {
        Judgement judgement = account.judge(holding.claim());
        if (judgement instanceof Judgement.Counted counted) {
          tell(place, holding, counted);
          return holding.counted(account, counted, nanoClock.getAsLong());
        }
        if (judgement instanceof Judgement.HeldElsewhere || !account.isAway()) {
          return null;
        }
        // The lease can't be renewed either, for whatever reason: nobody knows for how long.
      } catch (LedgerUnavailableException e) {
        if (e.mayHaveExecuted()) {
          return passThrough(holding, account, true);
        }
      } catch (RuntimeException e) {
        log.error("judging batch {} failed: it passes through", holding.claim().batchId(), e);
        return passThrough(holding, account, true);
      }
    }
    return passThrough(holding, partOf(holding), false);
  }

  private Account partOf(Holding holding) {
    return parts.get(holding.part());
  }

  /**
   * @param fallback its place among them; -1 for the part's own ledger
   */
  private void tell(int fallback, Holding holding, Judgement.Counted counted) {
    if (fallback < 0) {
      surroundings.counted(holding, counted);
    } else {
      surroundings.countedApart(holding, fallback);
    }
  }

  private BitSet passThrough(Holding holding, Account asked, boolean mayBeCounted) {
    return holding.passThrough(asked, mayBeCounted, nanoClock.getAsLong());
  }

  /** The sink has accepted the copies of a batch that it was given last. Any thread. */
  public void delivered(Holding holding) {
    deliveries.add(holding);
  }

  /**
   * The sink has given up the copies of a batch that it was given last, and the batch's channel is
   * closed, or will be soon: so it comes again, to any bridge. Any thread.
   */
  public void withdrawn(Holding holding) {
    withdrawals.add(holding);
  }

  /** Whether the sink has had a batch for longer than the hold limit. Any thread. */
  public boolean isOverdue() {
    long now = nanoClock.getAsLong();
    return judged.stream()
        .anyMatch(
            holding ->
                holding.phase() == Holding.Phase.DELIVERING
                    && holding.isOverdue(now, holdLimitNanos));
  }

  /** How many batches are judged and not ended. Any thread. */
  public int held() {
    return judged.size();
  }

  /**
   * Reports what was delivered, renews the lease, and settles what may be settled.
   *
   * @return whether batches wait for others, so that it is worth asking again soon
   */
  public boolean runOnce() {
    for (Holding next = deliveries.poll(); next != null; next = deliveries.poll()) {
      next.delivered();
      waiting.add(next);
      if (next.reportDue()) {
        next.reported();
        accountOf(next).owe(next);
      }
    }
    for (Holding next = withdrawals.poll(); next != null; next = withdrawals.poll()) {
      // Without a holder its record is found pending, and revoked, when the lease is renewed next.
      judged.remove(next);
      next.forget();
    }
    long now = nanoClock.getAsLong();
    parts.forEach(part -> advance(part, now));
    fallbacks.forEach(fallback -> advance(fallback, now));
    settle(now);
    return !waiting.isEmpty();
  }

  private void advance(Account account, long now) {
    if (account.isDue(now) || waiting.stream().anyMatch(next -> next.account() == account)) {
      account.advance(judged, now);
    }
  }

  private static Account accountOf(Holding holding) {
    return Objects.requireNonNull(holding.account(), "a batch that was judged");
  }

  private void settle(long now) {
    List<Runnable> releases = new ArrayList<>();
    Iterator<Holding> each = waiting.iterator();
    while (each.hasNext()) {
      Holding holding = each.next();
      if (holding.origin().isLost()) {
        each.remove();
        judged.remove(holding);
        holding.forget();
        continue;
      }
      Account account = accountOf(holding);
      if (account.isBrieflyAway(releaseAfterNanos, now)
          && !observing
          && !holding.dropped().isEmpty()) {
        continue; // a pause of the ledger's is no reason for duplicates yet
      }
      SettleRule.Decision decision =
          observing ? SettleRule.observe(holding) : account.decide(holding);
      if (decision instanceof SettleRule.Decision.Settle) {
        each.remove();
        judged.remove(holding);
        holding.settle();
      } else if (decision instanceof SettleRule.Decision.Release release) {
        each.remove();
        holding.release(release.copies(), now);
        releases.add(() -> surroundings.deliver(holding, release.copies()));
      }
    }
    releases.forEach(Runnable::run);
  }

  /** The state of everything, for the explorer: equal text, equal future. */
  String fingerprint() {
    List<String> texts = new ArrayList<>();
    judged.forEach(
        holding ->
            texts.add(holding + (holding.mayBePending() ? " since " + holding.judgedNanos() : "")));
    texts.sort(null);
    List<String> waits = new ArrayList<>();
    waiting.forEach(holding -> waits.add(holding.toString()));
    waits.sort(null);
    return texts
        + ""
        + waits
        + deliveries
        + withdrawals
        + parts.stream().map(Account::fingerprint).toList()
        + fallbacks.stream().map(Account::fingerprint).toList();
  }
}
