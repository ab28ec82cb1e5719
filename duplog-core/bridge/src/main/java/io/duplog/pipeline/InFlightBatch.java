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
import org.jspecify.annotations.Nullable;

/**
 * One batch on its way through this bridge, from its decoding until it is acknowledged or
 * forgotten. Requests the delivery of the kept copies from the sink, and later of the dropped ones
 * if they are released. The sink calls this object back.
 *
 * <p>Not thread-safe. A batch belongs to the thread that judges it until the sink gets it, and to
 * the settling thread afterwards.
 */
public final class InFlightBatch implements DeliveryRequest.Callback {
  private final Pipeline pipeline;
  private final Delivery delivery;
  private final StreamCounters counts;
  private final MessageBatch batch;
  private final Claim claim;
  private final boolean isCountable;
  private final int part;
  private final long publishedMillis;
  private final long receivedMillis;

  /**
   * Phase of the batch. Written after the other fields, because the settling thread may read it
   * while another thread judges.
   */
  private volatile Phase phase = Phase.UNJUDGED;

  /**
   * Session of the ledger that counted the batch or was last asked, or null while the batch is
   * unjudged.
   */
  private @Nullable LedgerSession session;

  /** Ledger epoch in which the batch got its verdicts, or null while it has none. */
  private @Nullable Epoch epoch;

  private long judgementNumber;

  /** Indexes of the dropped copies, except for those released since. */
  private BitSet droppedCopies = new BitSet();

  /** Whether the delivery of the kept copies still has to be reported to the ledger. */
  private volatile boolean isReportDue;

  private volatile long judgedNanos;
  private long requestNanos;
  private int postponements;

  /** Reason why the copies of the last request to the sink are delivered. */
  private DeliveryRequest.Passage passage = DeliveryRequest.Passage.KEPT;

  private boolean isReleased;

  /** Number of copies in the sink's current request, or 0 if there is none. */
  private int requestedCopies;

  /**
   * Indexes of the copies in the current request that a sink permanently rejected, or null if there
   * are none. Guarded by {@code this}, because several sinks may reject a copy.
   */
  private @Nullable BitSet refusedCopies;

  /**
   * Number of copies in the current request that the sinks' rules dropped. Used by the thread that
   * reports the outcome.
   */
  private int filteredCopies;

  /** Number of copies that the sink has accepted, rejected or filtered, over all requests. */
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
   * @param isCountable whether a ledger may count the batch. False if the batch names another
   *     stream. Also false if only one sink gets it, because the ledger's counts are for all sinks.
   *     A redelivery without a batch id may have been counted under another id, so this is false
   *     for it, too.
   * @param publishedMillis when the batch was published, in milliseconds since the epoch
   * @param part the part of the ledger that counts the batch, which is the same for every copy of a
   *     message, or 0 if there is only one
   */
  InFlightBatch(
      Pipeline pipeline,
      Delivery delivery,
      StreamCounters counts,
      MessageBatch batch,
      Claim claim,
      boolean isCountable,
      long publishedMillis,
      int part) {
    this.pipeline = pipeline;
    this.delivery = delivery;
    this.counts = counts;
    this.batch = batch;
    this.claim = claim;
    this.isCountable = isCountable;
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
   * Whether the delivery's channel is closed. The broker then redelivers the batch. Thread-safe.
   */
  boolean isLost() {
    return delivery.isLost();
  }

  /** Returns the broker that delivered the batch, or null if the broker doesn't identify itself. */
  @Nullable StreamBroker broker() {
    return delivery.broker();
  }

  public MessageBatch batch() {
    return batch;
  }

  /** Returns the batch's id, stream and digests, with which a ledger judges it. */
  public Claim claim() {
    return claim;
  }

  /**
   * Returns the number of the ledger's part for this batch, or 0 if the ledger has only one part.
   */
  public int part() {
    return part;
  }

  /** Whether the batch has no verdicts, because it is unjudged or no ledger gave any. */
  public boolean bypassed() {
    return epoch == null;
  }

  /** Returns when the messages were first published, in milliseconds since the epoch. */
  public long receivedMillis() {
    return receivedMillis;
  }

  /** Returns how often the judgement was postponed. */
  int postponements() {
    return postponements;
  }

  void postponed() {
    postponements++;
  }

  /**
   * Whether a ledger may count the batch: it names its queue's stream, is for all sinks, and is not
   * a redelivery without an id.
   */
  public boolean countable() {
    return isCountable;
  }

  Phase phase() {
    return phase;
  }

  /**
   * Returns the session of the ledger that counted the batch or was last asked, or null while the
   * batch is unjudged.
   */
  @Nullable LedgerSession session() {
    return session;
  }

  @Nullable Epoch epoch() {
    return epoch;
  }

  long number() {
    return judgementNumber;
  }

  BitSet dropped() {
    return droppedCopies;
  }

  boolean isReportDue() {
    return isReportDue;
  }

  /**
   * Whether the session's ledger may still consider the batch pending, that is, not yet delivered.
   */
  boolean mayBePendingAt(LedgerSession asked) {
    return phase == Phase.UNJUDGED || (isReportDue && session == asked);
  }

  /** Whether any ledger may still consider the batch pending, that is, not yet delivered. */
  boolean mayBePending() {
    return phase == Phase.UNJUDGED || isReportDue;
  }

  /**
   * Returns the monotonic time in nanoseconds of the judgement, or of the last release of dropped
   * copies if there was one.
   */
  long judgedNanos() {
    return judgedNanos;
  }

  /** Returns the monotonic time in nanoseconds of the last request to the sink for this batch. */
  public long requestNanos() {
    return requestNanos;
  }

  /**
   * Whether the limit has passed since the last request to the sink for this batch or, if there was
   * none, since its judgement.
   */
  boolean isOverdue(long nowNanos, long holdLimitNanos) {
    return phase != Phase.UNJUDGED && nowNanos - judgedNanos > holdLimitNanos;
  }

  /**
   * Stores a ledger's verdicts.
   *
   * @return the indexes of the copies to deliver now
   */
  BitSet counted(LedgerSession by, Judgement.Counted counted, long nowNanos) {
    session = by;
    epoch = counted.epoch();
    judgementNumber = counted.number();
    judgedNanos = nowNanos;
    droppedCopies = new BitSet(batch.count());
    droppedCopies.set(0, batch.count());
    droppedCopies.andNot(counted.kept());
    isReportDue = !counted.delivered() && !counted.kept().isEmpty();
    requestedCopies = counted.delivered() ? 0 : counted.kept().cardinality();
    phase = Phase.DELIVERING;
    return counted.delivered() ? new BitSet() : counted.kept();
  }

  /**
   * Marks every copy for delivery without a verdict.
   *
   * @param asked the session whose ledger was last asked
   * @param mayBeCounted whether that ledger may have counted the batch nevertheless
   * @return the indexes of all copies
   */
  BitSet passThrough(LedgerSession asked, boolean mayBeCounted, long nowNanos) {
    session = asked;
    judgedNanos = nowNanos;
    isReportDue = mayBeCounted;
    requestedCopies = batch.count();
    phase = Phase.DELIVERING;
    BitSet all = new BitSet(batch.count());
    all.set(0, batch.count());
    return all;
  }

  /** Creates a request to the sink to deliver these copies, with this object as callback. */
  DeliveryRequest request(BitSet copies, boolean deliverDropped, long nowNanos) {
    requestNanos = nowNanos;
    passage = passage(deliverDropped);
    DeliveryRequest.Origin origin =
        new DeliveryRequest.Origin(
            stream(), receivedMillis, delivery.redelivered(), delivery.onlySink());
    return new DeliveryRequest(origin, batch, copies, passage, claim.digests()::hex, this);
  }

  private DeliveryRequest.Passage passage(boolean deliverDropped) {
    if (bypassed()) {
      return DeliveryRequest.Passage.BYPASSED;
    }
    if (!isReleased) {
      return DeliveryRequest.Passage.KEPT;
    }
    return deliverDropped ? DeliveryRequest.Passage.OBSERVED : DeliveryRequest.Passage.RELEASED;
  }

  @Override
  public void filtered(BitSet messages) {
    filteredCopies = messages.cardinality();
  }

  @Override
  public void accepted() {
    int refusedNow = takeRefused();
    int filteredNow = filteredCopies;
    filteredCopies = 0;
    counts.add(End.REFUSED, refusedNow);
    counts.add(End.FILTERED, filteredNow);
    End end =
        switch (passage) {
          case KEPT -> End.KEPT;
          case BYPASSED -> End.BYPASSED;
          case RELEASED -> End.RELEASED;
          case OBSERVED -> End.OBSERVED;
        };
    counts.add(end, requestedCopies - refusedNow - filteredNow);
    pipeline.accepted(this);
  }

  @Override
  public void withdrawn() {
    pipeline.withdrawn(this);
  }

  @Override
  public void refused(int message, @Nullable String sink, String reason, Runnable kept) {
    addRefused(message);
    pipeline.refused(this, message, sink, reason, kept);
  }

  private synchronized void addRefused(int message) {
    if (refusedCopies == null) {
      refusedCopies = new BitSet();
    }
    if (!refusedCopies.get(message)) {
      refusedCopies.set(message);
      pipeline.observer().refused(this, message);
    }
  }

  private synchronized int takeRefused() {
    int refused = refusedCopies == null ? 0 : refusedCopies.cardinality();
    refusedCopies = null;
    return refused;
  }

  void delivered() {
    deliveredCopies += requestedCopies;
    requestedCopies = 0;
    phase = Phase.WAITING;
  }

  void reported() {
    isReportDue = false;
  }

  /** Marks the given dropped copies for delivery after all. */
  void release(BitSet copies, long nowNanos) {
    judgedNanos = nowNanos; // the sink gets them now
    droppedCopies.andNot(copies);
    requestedCopies = copies.cardinality();
    isReleased = true;
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

  /** Marks the batch as ended without an acknowledgement. The broker redelivers it. */
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
        + judgementNumber
        + (droppedCopies.isEmpty() ? "" : " dropped " + droppedCopies)
        + (isReportDue ? " to report" : "")
        + (isLost() ? " lost" : "");
  }
}
