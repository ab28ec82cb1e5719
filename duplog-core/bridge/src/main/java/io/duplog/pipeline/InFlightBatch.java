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
import io.duplog.wire.StreamBroker;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One batch in this bridge, from its decoding until it is settled or forgotten. The sink gets
 * requests to deliver the kept copies, and later the dropped ones if they are released, and calls
 * this object back.
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

  /**
   * Phase of the batch; written after the other fields, because the settling thread may read it
   * while another thread judges.
   */
  private volatile Phase phase = Phase.UNJUDGED;

  /**
   * Session of the ledger that counted the batch or was asked last; null while the batch is
   * unjudged.
   */
  private @Nullable LedgerSession session;

  /** Ledger epoch in which the batch got its verdicts; null while it has none. */
  private @Nullable Epoch epoch;

  private long number;

  /** Indexes of the copies that were dropped, without those released for delivery since. */
  private BitSet droppedCopies = new BitSet();

  /** Whether the delivery of the kept copies still has to be reported to the ledger. */
  private volatile boolean reportDue;

  private volatile long judgedNanos;
  private long givenNanos;
  private int timesParked;

  /** Reason why the copies of the last request to the sink are delivered. */
  private DeliveryRequest.Passage passage = DeliveryRequest.Passage.KEPT;

  private boolean released;

  /** Number of copies in the request that the sink is working on; 0 if there is none. */
  private int atSink;

  /** Number of copies in the current request that the sink has refused for good. */
  private final AtomicInteger refusedCopies = new AtomicInteger();

  /** Number of copies that the sink has accepted or refused, over all requests. */
  private int deliveredCopies;

  enum Phase {
    UNJUDGED,
    DELIVERING,
    WAITING,
    ENDED
  }

  /**
   * @param pipeline the pipeline that processes the batch
   * @param counts the counters of the batch's stream
   * @param countable whether a ledger may count the batch; false for a batch that names another
   *     stream, and for a redelivery without a batch id, which may have been counted under another
   *     id
   * @param publishedMillis when the batch was published, in milliseconds since the epoch
   * @param part the part of the ledger that counts the batch, which is the same for every copy of a
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

  /** Returns the configured name of the stream that the batch came on. */
  public String stream() {
    return delivery.stream();
  }

  /**
   * Returns when the batch was published to its queue, in milliseconds since the epoch. For a
   * replayed dead letter {@link #receivedMillis} is earlier, because the messages are old although
   * the stream does not lag.
   */
  public long publishedMillis() {
    return publishedMillis;
  }

  /**
   * Whether the delivery's channel is closed; the broker then redelivers the batch. May be called
   * from any thread.
   */
  boolean isLost() {
    return delivery.isLost();
  }

  /** Returns the broker that delivered the batch; null if it doesn't identify itself. */
  @Nullable StreamBroker broker() {
    return delivery.broker();
  }

  public MessageBatch batch() {
    return batch;
  }

  /** Returns what a ledger needs to judge the batch: its id, its stream and the digests. */
  public Claim claim() {
    return claim;
  }

  /** Returns the number of the ledger's part for this batch; 0 if the ledger has only one part. */
  public int part() {
    return part;
  }

  /** Whether the batch has no verdicts, because it is not judged yet or no ledger gave any. */
  public boolean bypassed() {
    return epoch == null;
  }

  /** Returns when the messages were first published, in milliseconds since the epoch. */
  public long receivedMillis() {
    return receivedMillis;
  }

  /** Returns how often judging the batch was postponed. */
  int timesParked() {
    return timesParked;
  }

  void parked() {
    timesParked++;
  }

  /**
   * Whether a ledger may count the batch, which names its queue's stream and is no redelivery of
   * unknown identity.
   */
  public boolean countable() {
    return countable;
  }

  Phase phase() {
    return phase;
  }

  /**
   * Returns the session of the ledger that counted the batch or was asked last; null while the
   * batch is unjudged.
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
    return droppedCopies;
  }

  boolean reportDue() {
    return reportDue;
  }

  /**
   * Whether the session's ledger may still count the batch as pending, that is, as not delivered
   * yet.
   */
  boolean mayBePendingAt(LedgerSession asked) {
    return phase == Phase.UNJUDGED || (reportDue && session == asked);
  }

  /** Whether any ledger may still count the batch as pending, that is, as not delivered yet. */
  boolean mayBePending() {
    return phase == Phase.UNJUDGED || reportDue;
  }

  /**
   * Returns the monotonic time in nanoseconds of the judgement, or of the last release of dropped
   * copies if there was one.
   */
  long judgedNanos() {
    return judgedNanos;
  }

  /**
   * Returns the monotonic time in nanoseconds at which the sink last got a request for this batch.
   */
  public long givenNanos() {
    return givenNanos;
  }

  /**
   * Whether the limit has passed since the sink was last given copies of this batch, or, if there
   * were none, since it was judged.
   */
  boolean isOverdue(long nowNanos, long holdLimitNanos) {
    return phase != Phase.UNJUDGED && nowNanos - judgedNanos > holdLimitNanos;
  }

  /** Stores a ledger's verdicts; returns the indexes of the copies to deliver now. */
  BitSet counted(LedgerSession by, Judgement.Counted counted, long nowNanos) {
    session = by;
    epoch = counted.epoch();
    number = counted.number();
    judgedNanos = nowNanos;
    droppedCopies = new BitSet(batch.count());
    droppedCopies.set(0, batch.count());
    droppedCopies.andNot(counted.kept());
    reportDue = !counted.delivered() && !counted.kept().isEmpty();
    atSink = counted.delivered() ? 0 : counted.kept().cardinality();
    phase = Phase.DELIVERING;
    return counted.delivered() ? new BitSet() : counted.kept();
  }

  /**
   * Marks every copy for delivery without a verdict; returns the indexes of all copies.
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

  /** Returns a request to the sink to deliver these copies, with this object as callback. */
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
    int refusedNow = refusedCopies.getAndSet(0);
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
    refusedCopies.incrementAndGet();
    pipeline.refused(this, message, reason, kept);
  }

  void delivered() {
    deliveredCopies += atSink;
    atSink = 0;
    phase = Phase.WAITING;
  }

  void reported() {
    reportDue = false;
  }

  /** Marks the given dropped copies for delivery after all. */
  void release(BitSet copies, long nowNanos) {
    judgedNanos = nowNanos; // the sink has them from now on
    droppedCopies.andNot(copies);
    atSink = copies.cardinality();
    released = true;
    phase = Phase.DELIVERING;
  }

  /** Marks the batch as ended, counts its dropped copies, and has its delivery acknowledged. */
  void settle() {
    phase = Phase.ENDED;
    int drops = droppedCopies.cardinality();
    counts.add(End.DROPPED, drops);
    counts.add(End.REPEATED, batch.count() - deliveredCopies - drops);
    delivery.settle();
    pipeline.observer().settled(this);
  }

  /** Marks the batch as ended without an acknowledgement; the broker redelivers it. */
  void forget() {
    phase = Phase.ENDED;
    counts.add(End.GIVEN_BACK, batch.count() - deliveredCopies);
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
        + droppedCopies
        + (reportDue ? " to report" : "")
        + (isLost() ? " lost" : "");
  }
}
