package io.duplog.observe;

import java.util.concurrent.atomic.LongAdder;

/**
 * What became of the copies that came on one stream since the bridge started; in copies, unless
 * said otherwise. A body that can't be decoded counts as one. Safe for any thread.
 *
 * <p>Every received copy ends in exactly one of these ways: kept, bypassed, released or observed
 * (all four delivered), dropped, repeated, refused, dead-lettered or given back. What has not ended
 * is in flight.
 */
public final class StreamCounters {
  private final String stream;

  public final LongAdder receivedBatches = new LongAdder();
  public final LongAdder received = new LongAdder();

  /** Delivered, having been compared with the other streams. */
  public final LongAdder kept = new LongAdder();

  /**
   * Delivered without having been compared, because no ledger answered, or it may not be counted.
   */
  public final LongAdder bypassed = new LongAdder();

  /** Dropped at first and delivered after all, because nobody knew any more for what. */
  public final LongAdder released = new LongAdder();

  /** Delivered though they would have been dropped, because drops are only observed. */
  public final LongAdder observed = new LongAdder();

  /** Another stream's copy was delivered in their place, and they are acknowledged. */
  public final LongAdder dropped = new LongAdder();

  /** Not delivered because they were already, when their batch came before. */
  public final LongAdder repeated = new LongAdder();

  /** The sink refused them for good; they are in a dead-letter queue. */
  public final LongAdder refused = new LongAdder();

  /** Bodies that could not be used and went to a dead-letter queue. */
  public final LongAdder deadLettered = new LongAdder();

  /**
   * Their channel was lost before they were delivered; they are received again, here or elsewhere.
   */
  public final LongAdder givenBack = new LongAdder();

  /** Of those received: older than the window, so that nothing could be left to match them with. */
  public final LongAdder late = new LongAdder();

  /** Of those received: in batches that say that they are of another stream. */
  public final LongAdder misnamed = new LongAdder();

  /** Heartbeats of the shim, which are no messages. */
  public final LongAdder heartbeats = new LongAdder();

  /** Bodies that call themselves heartbeats and are none; they are ignored. */
  public final LongAdder strangeHeartbeats = new LongAdder();

  StreamCounters(String stream) {
    this.stream = stream;
  }

  /** The configured name. */
  public String stream() {
    return stream;
  }

  public long delivered() {
    return kept.sum() + bypassed.sum() + released.sum() + observed.sum();
  }

  /**
   * What was received and has not ended: exact while nothing moves, and about right otherwise.
   * Never negative.
   */
  public long inFlight() {
    // The ends are read first, so that what ends meanwhile does not seem never to have come.
    long ended =
        delivered()
            + dropped.sum()
            + repeated.sum()
            + refused.sum()
            + deadLettered.sum()
            + givenBack.sum();
    return Math.max(0, received.sum() - ended);
  }
}
