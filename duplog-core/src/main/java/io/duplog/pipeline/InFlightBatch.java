package io.duplog.pipeline;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Judgement;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One batch that this bridge holds, from its delivery to its settlement.
 *
 * <p>Belongs to the thread that judges it until it is handed to the outlet, and to the settling
 * thread from {@link Settler#delivered} on.
 */
public final class InFlightBatch {
  private final MessageBatch batch;
  private final Claim claim;
  private final Origin origin;
  private final boolean countable;
  private final int part;
  private final long receivedMillis;

  /** Also read by the settling thread while another judges; written last. */
  private volatile Phase phase = Phase.UNJUDGED;

  /** Whose ledger has counted it, or was the last to be asked; null until then. */
  private @Nullable LedgerSession session;

  /** The epoch that it was judged in; null where it was passed through. */
  private @Nullable String epoch;

  private long number;

  /** Copies that are dropped and not released. */
  private BitSet dropped = new BitSet();

  /** Whether the ledger has to be told of the delivery. */
  private volatile boolean reportDue;

  private volatile long judgedNanos;
  private int timesParked;
  private boolean released;

  /** Copies that the sink was given last. */
  private int atSink;

  /** Copies that the sink has done with. */
  private int delivered;

  enum Phase {
    UNJUDGED,
    DELIVERING,
    WAITING,
    ENDED
  }

  /**
   * @param countable whether the ledger may count it: not so for a delivery without a batch id that
   *     is a redelivery, which may have been counted under another name
   * @param receivedMillis when the ingest node published it, in milliseconds since the epoch
   */
  public InFlightBatch(
      MessageBatch batch, Claim claim, Origin origin, boolean countable, long receivedMillis) {
    this(batch, claim, origin, countable, receivedMillis, 0);
  }

  /**
   * @param part whose ledger counts it, where there are several: the same for every copy of a
   *     message
   */
  public InFlightBatch(
      MessageBatch batch,
      Claim claim,
      Origin origin,
      boolean countable,
      long receivedMillis,
      int part) {
    this.part = part;
    this.batch = batch;
    this.claim = claim;
    this.origin = origin;
    this.countable = countable;
    this.receivedMillis = receivedMillis;
  }

  /** The messages. */
  public MessageBatch batch() {
    return batch;
  }

  /** What the ledger is shown. */
  public Claim claim() {
    return claim;
  }

  /** Whose ledger counts it, where there are several; 0 where there is one. */
  public int part() {
    return part;
  }

  /** Whether its copies were kept unseen. */
  public boolean bypassed() {
    return epoch == null;
  }

  /** When the ingest node published it, in milliseconds since the epoch. */
  public long receivedMillis() {
    return receivedMillis;
  }

  /** Whether copies that were dropped are delivered after all. */
  public boolean released() {
    return released;
  }

  /** How often it could not be judged so far. */
  public int timesParked() {
    return timesParked;
  }

  void parked() {
    timesParked++;
  }

  Origin origin() {
    return origin;
  }

  boolean countable() {
    return countable;
  }

  Phase phase() {
    return phase;
  }

  /** Whose ledger has counted it, or was the last to be asked. Null while it is unjudged. */
  @Nullable LedgerSession session() {
    return session;
  }

  @Nullable String epoch() {
    return epoch;
  }

  long number() {
    return number;
  }

  BitSet dropped() {
    return dropped;
  }

  boolean reportDue() {
    return reportDue;
  }

  /** Whether a ledger may have it as pending for this one. */
  boolean mayBePendingAt(LedgerSession asked) {
    return phase == Phase.UNJUDGED || (reportDue && session == asked);
  }

  /** Whether any ledger may. */
  boolean mayBePending() {
    return phase == Phase.UNJUDGED || reportDue;
  }

  long judgedNanos() {
    return judgedNanos;
  }

  /** Whether the sink has had it for longer than this. */
  boolean isOverdue(long nowNanos, long holdLimitNanos) {
    return phase != Phase.UNJUDGED && nowNanos - judgedNanos > holdLimitNanos;
  }

  /** Takes a ledger's answer; returns the copies to deliver now. */
  BitSet counted(LedgerSession by, Judgement.Counted counted, long nowNanos) {
    session = by;
    epoch = counted.epoch();
    number = counted.number();
    judgedNanos = nowNanos;
    dropped = new BitSet(batch.count());
    dropped.set(0, batch.count());
    dropped.andNot(counted.kept());
    reportDue = !counted.delivered() && !counted.kept().isEmpty();
    atSink = counted.delivered() ? 0 : counted.kept().cardinality();
    phase = Phase.DELIVERING;
    return counted.delivered() ? new BitSet() : counted.kept();
  }

  /**
   * Keeps every copy unseen; returns them.
   *
   * @param asked whose ledger was asked last
   * @param mayBeCounted whether that ledger may know the batch all the same
   */
  BitSet passThrough(LedgerSession asked, boolean mayBeCounted, long nowNanos) {
    session = asked;
    judgedNanos = nowNanos;
    reportDue = mayBeCounted;
    atSink = batch.count();
    phase = Phase.DELIVERING;
    BitSet all = new BitSet(batch.count());
    all.set(0, batch.count());
    return all;
  }

  void delivered() {
    delivered += atSink;
    atSink = 0;
    phase = Phase.WAITING;
  }

  void reported() {
    reportDue = false;
  }

  /** Dropped copies are to be delivered after all. */
  void release(BitSet copies, long nowNanos) {
    judgedNanos = nowNanos; // the sink has them from now on
    dropped.andNot(copies);
    atSink = copies.cardinality();
    released = true;
    phase = Phase.DELIVERING;
  }

  /** The broker has it from now on. */
  void settle() {
    phase = Phase.ENDED;
    int drops = dropped.cardinality();
    origin.settle(drops, batch.count() - delivered - drops);
  }

  /** It comes again. */
  void forget() {
    phase = Phase.ENDED;
    origin.forget(batch.count() - delivered);
  }

  @Override
  public String toString() {
    return claim.batchId()
        + "@"
        + claim.stream()
        + " "
        + phase
        + " "
        + epoch
        + " #"
        + number
        + " dropped "
        + dropped
        + (reportDue ? " to report" : "")
        + (origin.isLost() ? " lost" : "");
  }
}
