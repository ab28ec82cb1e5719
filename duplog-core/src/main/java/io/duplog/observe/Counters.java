package io.duplog.observe;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the bridge has done since it started, in messages unless said otherwise. Safe for any
 * thread.
 *
 * <p>Every received message ends as delivered, dropped, refused, dead-lettered (whole bodies) or
 * lost to its channel, in which case it is received again.
 */
public final class Counters {
  public final LongAdder receivedBatches = new LongAdder();
  public final LongAdder received = new LongAdder();
  public final LongAdder delivered = new LongAdder();
  public final LongAdder dropped = new LongAdder();

  /** Delivered without having been compared, because the store was not available. */
  public final LongAdder bypassed = new LongAdder();

  /** Dropped at first and delivered after all, because nobody knew any more for what. */
  public final LongAdder released = new LongAdder();

  /** Delivered though they would have been dropped, because drops are only observed. */
  public final LongAdder observed = new LongAdder();

  /** Messages that the sink refused for good, which went to a dead-letter queue. */
  public final LongAdder refused = new LongAdder();

  /** Older than the window when they came, so that nothing could be left to match them with. */
  public final LongAdder late = new LongAdder();

  /** Bodies that went to a dead-letter queue. */
  public final LongAdder deadLettered = new LongAdder();

  /** Heartbeats of shims, which are no messages. */
  public final LongAdder heartbeats = new LongAdder();

  /** Bodies that call themselves heartbeats and are none; they are ignored. */
  public final LongAdder strangeHeartbeats = new LongAdder();

  /** One line for a log. */
  public String summary() {
    return "received %d messages in %d batches, delivered %d, dropped %d, bypassed %d, released %d, observed %d, refused %d, late %d, dead-lettered %d bodies"
        .formatted(
            received.sum(),
            receivedBatches.sum(),
            delivered.sum(),
            dropped.sum(),
            bypassed.sum(),
            released.sum(),
            observed.sum(),
            refused.sum(),
            late.sum(),
            deadLettered.sum());
  }
}
