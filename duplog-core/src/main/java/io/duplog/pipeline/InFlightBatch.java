package io.duplog.pipeline;

import io.duplog.dedup.Claim;
import io.duplog.dedup.Epoch;
import io.duplog.dedup.Judgement;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.observe.End;
import io.duplog.observe.StreamCounters;
import io.duplog.receive.Delivery;
import io.duplog.wire.Envelope;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One batch that this bridge holds, from its decoding to its end. The sink is given copies of it
 * once, and again where dropped ones are released, and calls back here.
 *
 * <p>Belongs to the thread that judges it until it is handed to the sink, and to the settling
 * thread from then on.
 */
public final class InFlightBatch implements DeliveryRequest.Callback {
  private final Pipeline pipeline;
  private final Delivery delivery;
  private final StreamCounters counts;
  private final MessageBatch batch;
  private final Claim claim;
  private final boolean countable;
  private final int part;
  private final long publishedMillis;
  private final long receivedMillis;

  /** Also read by the settling thread while another judges; written last. */
  private volatile Phase phase = Phase.UNJUDGED;

  /** Whose ledger has counted it, or was the last to be asked; null until then. */
  private @Nullable LedgerSession session;

  /** The epoch that it was judged in; null where it was passed through. */
  private @Nullable Epoch epoch;

  private long number;

  /** Copies that are dropped and not released. */
  private BitSet dropped = new BitSet();

  /** Whether the ledger has to be told of the delivery. */
  private volatile boolean reportDue;

  private volatile long judgedNanos;
  private long givenNanos;
  private int timesParked;

  /** How the copies come to be delivered that the sink was given last. */
  private DeliveryRequest.Passage passage = DeliveryRequest.Passage.KEPT;

  private boolean released;

  /** Copies that the sink was given last. */
  private int atSink;

  /** Of these, how many it has refused. */
  private final AtomicInteger refused = new AtomicInteger();

  /** Copies that the sink has done with. */
  private int delivered;

  enum Phase {
    UNJUDGED,
    DELIVERING,
    WAITING,
    ENDED
  }

  /**
   * @param pipeline that it passes through
   * @param counts of its stream
   * @param countable whether the ledger may count it: not so for a delivery without a batch id that
   *     is a redelivery, which may have been counted under another name
   * @param publishedMillis when it was published, in milliseconds since the epoch
   * @param part whose ledger counts it, where there are several: the same for every copy of a
   *     message; 0 where there is one
   */
  InFlightBatch(
      Pipeline pipeline,
      Delivery delivery,
      StreamCounters counts,
      MessageBatch batch,
      Claim claim,
      boolean countable,
      long publishedMillis,
      int part) {
    this.pipeline = pipeline;
    this.delivery = delivery;
    this.counts = counts;
    this.batch = batch;
    this.claim = claim;
    this.countable = countable;
    this.publishedMillis = publishedMillis;
    this.receivedMillis = delivery.header(Envelope.RECEIVED_HEADER, publishedMillis);
    this.part = part;
  }

  /** The configured name of the stream that it came on. */
  public String stream() {
    return delivery.stream();
  }

  /**
   * When it was published to the queue that it came from, in milliseconds since the epoch. For a
   * dead letter that was replayed {@link #receivedMillis} is earlier: it is old, though the stream
   * is not behind.
   */
  public long publishedMillis() {
    return publishedMillis;
  }

  /** Whether the channel is gone, so that the broker will deliver the batch again. Any thread. */
  boolean isLost() {
    return delivery.isLost();
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

  /** How often it could not be judged so far. */
  int timesParked() {
    return timesParked;
  }

  void parked() {
    timesParked++;
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

  @Nullable Epoch epoch() {
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

  /** When it was judged, or dropped copies were released. */
  long judgedNanos() {
    return judgedNanos;
  }

  /** When the sink was given the copies that it was given last. */
  public long givenNanos() {
    return givenNanos;
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

  /** What the sink is given: these copies, which call back here. */
  DeliveryRequest request(BitSet copies, boolean deliverDropped, long nowNanos) {
    givenNanos = nowNanos;
    passage = passage(deliverDropped);
    return new DeliveryRequest(
        stream(), batch, copies, passage, receivedMillis, claim.digests()::hex, this);
  }

  private DeliveryRequest.Passage passage(boolean deliverDropped) {
    if (bypassed()) {
      return DeliveryRequest.Passage.BYPASSED;
    }
    if (!released) {
      return DeliveryRequest.Passage.KEPT;
    }
    return deliverDropped ? DeliveryRequest.Passage.OBSERVED : DeliveryRequest.Passage.RELEASED;
  }

  @Override
  public void accepted() {
    int refusedNow = refused.getAndSet(0);
    counts.add(End.REFUSED, refusedNow);
    End end =
        switch (passage) {
          case KEPT -> End.KEPT;
          case BYPASSED -> End.BYPASSED;
          case RELEASED -> End.RELEASED;
          case OBSERVED -> End.OBSERVED;
        };
    counts.add(end, atSink - refusedNow);
    pipeline.accepted(this);
  }

  @Override
  public void withdrawn() {
    pipeline.withdrawn(this);
  }

  @Override
  public void refused(int message, String reason, Runnable kept) {
    refused.incrementAndGet();
    pipeline.refused(this, message, reason, kept);
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

  /** Acknowledges its delivery, by the policy. */
  void settle() {
    phase = Phase.ENDED;
    int drops = dropped.cardinality();
    counts.add(End.DROPPED, drops);
    counts.add(End.REPEATED, batch.count() - delivered - drops);
    delivery.settle();
    pipeline.observer().settled(this);
  }

  /** It comes again. */
  void forget() {
    phase = Phase.ENDED;
    counts.add(End.GIVEN_BACK, batch.count() - delivered);
    delivery.forget();
    pipeline.observer().forgotten(this);
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
        + (isLost() ? " lost" : "");
  }
}
