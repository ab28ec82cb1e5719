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
 * One batch that this bridge holds, from its decoding to its end. The sink is given the copies to
 * deliver, and later the dropped ones if they are released, and calls back here.
 *
 * <p>A batch belongs to the thread that judges it until the sink is given it, and to the settling
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

  /** The phase, which the settling thread also reads while another thread judges; written last. */
  private volatile Phase phase = Phase.UNJUDGED;

  /**
   * The session whose ledger has counted the batch or was asked last; null before one was asked.
   */
  private @Nullable LedgerSession session;

  /** The epoch in which the batch was judged; null until then, and if it was passed through. */
  private @Nullable Epoch epoch;

  private long number;

  /** Indexes of the copies that are dropped and not released. */
  private BitSet dropped = new BitSet();

  /** Whether the ledger still has to be told that the kept copies are delivered. */
  private volatile boolean reportDue;

  private volatile long judgedNanos;
  private long givenNanos;
  private int timesParked;

  /** The passage of the copies that the sink was given last. */
  private DeliveryRequest.Passage passage = DeliveryRequest.Passage.KEPT;

  private boolean released;

  /** Number of copies that the sink was given last. */
  private int atSink;

  /** Number of copies that the sink has refused among those that it was given last. */
  private final AtomicInteger refused = new AtomicInteger();

  /** Number of copies that the sink has accepted or refused. */
  private int delivered;

  enum Phase {
    UNJUDGED,
    DELIVERING,
    WAITING,
    ENDED
  }

  /**
   * @param pipeline the pipeline that it passes through
   * @param counts the counters of its stream
   * @param countable whether a ledger may count it; false for a batch that names another stream,
   *     and for a redelivery without a batch id, which may have been counted under another id
   * @param publishedMillis when it was published, in milliseconds since the epoch
   * @param part the part of the ledger that counts it, which is the same for every copy of a
   *     message; 0 if there is only one
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

  /** Returns the configured name of the stream that it came on. */
  public String stream() {
    return delivery.stream();
  }

  /**
   * Returns when it was published to the queue that it came from, in milliseconds since the epoch.
   * For a replayed dead letter {@link #receivedMillis} is earlier, because the messages are old
   * although the stream is not behind.
   */
  public long publishedMillis() {
    return publishedMillis;
  }

  /**
   * Whether its channel is closed, so that the broker delivers the batch again. May be called from
   * any thread.
   */
  boolean isLost() {
    return delivery.isLost();
  }

  public MessageBatch batch() {
    return batch;
  }

  /** Returns the claim that a ledger is asked to judge. */
  public Claim claim() {
    return claim;
  }

  /** Returns the number of the ledger's part that counts it; 0 if there is only one part. */
  public int part() {
    return part;
  }

  /** Whether it has no verdicts, because it was passed through or is not judged yet. */
  public boolean bypassed() {
    return epoch == null;
  }

  /** Returns when the ingest node first published its messages, in milliseconds since the epoch. */
  public long receivedMillis() {
    return receivedMillis;
  }

  /** Returns how often judging it was put off. */
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

  /**
   * Returns the session whose ledger has counted it or was asked last; null while it is unjudged.
   */
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

  /** Whether the session's ledger may hold the batch as pending on account of this object. */
  boolean mayBePendingAt(LedgerSession asked) {
    return phase == Phase.UNJUDGED || (reportDue && session == asked);
  }

  /** Whether any ledger may hold the batch as pending on account of this object. */
  boolean mayBePending() {
    return phase == Phase.UNJUDGED || reportDue;
  }

  /** Returns when it was judged, or when dropped copies were released if that was later. */
  long judgedNanos() {
    return judgedNanos;
  }

  /** Returns when the sink was last given copies of the batch. */
  public long givenNanos() {
    return givenNanos;
  }

  /** Whether it was judged, or its dropped copies were released, longer ago than the limit. */
  boolean isOverdue(long nowNanos, long holdLimitNanos) {
    return phase != Phase.UNJUDGED && nowNanos - judgedNanos > holdLimitNanos;
  }

  /** Takes a ledger's verdicts; returns the copies to deliver now. */
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
   * Keeps every copy without a verdict; returns all of them.
   *
   * @param asked the session whose ledger was asked last
   * @param mayBeCounted whether that ledger may have counted the batch nevertheless
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

  /** Returns a request to the sink for these copies, whose callback is this object. */
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

  /** Marks dropped copies as to be delivered after all. */
  void release(BitSet copies, long nowNanos) {
    judgedNanos = nowNanos; // the sink has them from now on
    dropped.andNot(copies);
    atSink = copies.cardinality();
    released = true;
    phase = Phase.DELIVERING;
  }

  /** Ends it, and acknowledges its delivery as the policy says. */
  void settle() {
    phase = Phase.ENDED;
    int drops = dropped.cardinality();
    counts.add(End.DROPPED, drops);
    counts.add(End.REPEATED, batch.count() - delivered - drops);
    delivery.settle();
    pipeline.observer().settled(this);
  }

  /** Ends it without an acknowledgement, because the broker delivers it again. */
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
