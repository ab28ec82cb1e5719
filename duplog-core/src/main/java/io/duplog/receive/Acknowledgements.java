package io.duplog.receive;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The acknowledgements of one channel. Deliveries settle in any order; a frame that covers several
 * reaches only as far as there is no gap. What stands behind a gap for an interval is acknowledged
 * one by one: else a single delivery that can't be settled, such as that of an event which Splunk
 * fails, would have all others fill the prefetch. Safe for any thread; the lock is the object
 * itself.
 */
final class Acknowledgements {
  private static final Logger log = LoggerFactory.getLogger(Acknowledgements.class);

  /** Sends an acknowledgement to the broker. */
  @FunctionalInterface
  interface Frames {
    void acknowledge(long tag, boolean multiple) throws IOException;
  }

  private final AcknowledgePolicy policy;
  private final Frames frames;

  /** Settled deliveries behind a gap. */
  private final Set<Long> beyondGap = new HashSet<>();

  /**
   * Deliveries behind a gap that the broker has back, or was told of one by one: a later frame must
   * not name them.
   */
  private final Set<Long> closed = new HashSet<>();

  /** Every delivery up to this tag is settled, or returned. */
  private long gapless;

  /** The same when the last frame was due. */
  private long gaplessBefore;

  /** The last of them that is settled. */
  private long settledTo;

  private long acknowledgedTo;
  private long acknowledgedAtNanos;

  Acknowledgements(AcknowledgePolicy policy, Frames frames, long nowNanos) {
    this.policy = policy;
    this.frames = frames;
    this.acknowledgedAtNanos = nowNanos;
  }

  synchronized void settled(long tag, long nowNanos) {
    if (policy.isEach()) {
      send(tag, false);
      return;
    }
    beyondGap.add(tag);
    closeGaps();
    if (settledTo - acknowledgedTo >= policy.count()) {
      acknowledgeGapless(nowNanos);
    }
  }

  /** A delivery was given back to the broker: it is not to be acknowledged, and leaves no gap. */
  synchronized void returned(long tag) {
    if (!policy.isEach()) {
      closed.add(tag);
      closeGaps();
    }
  }

  private void closeGaps() {
    while (true) {
      if (beyondGap.remove(gapless + 1)) {
        settledTo = gapless + 1;
      } else if (!closed.remove(gapless + 1)) {
        return;
      }
      gapless++;
    }
  }

  /** To be called every few milliseconds: acknowledges what has waited for the interval. */
  synchronized void tick(long nowNanos) {
    if (!policy.isEach() && nowNanos - acknowledgedAtNanos >= policy.interval().toNanos()) {
      boolean gapStands = gapless == gaplessBefore;
      acknowledgeGapless(nowNanos);
      if (gapStands) {
        acknowledgeBeyondGap();
      }
    }
  }

  /** Acknowledges what is settled, at once. */
  synchronized void acknowledge(long nowNanos) {
    acknowledgeGapless(nowNanos);
    acknowledgeBeyondGap();
  }

  private void acknowledgeGapless(long nowNanos) {
    acknowledgedAtNanos = nowNanos;
    gaplessBefore = gapless;
    if (settledTo > acknowledgedTo) {
      acknowledgedTo = settledTo;
      send(settledTo, true);
    }
  }

  private void acknowledgeBeyondGap() {
    beyondGap.forEach(tag -> send(tag, false));
    closed.addAll(beyondGap);
    beyondGap.clear();
  }

  private void send(long tag, boolean multiple) {
    try {
      frames.acknowledge(tag, multiple);
    } catch (IOException | RuntimeException e) {
      // The channel is gone, which its owner learns by itself; the broker delivers again.
      log.debug("acknowledgement of {} not sent", tag, e);
    }
  }
}
