package io.duplog.receive;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The acknowledgements of one channel. Deliveries settle in any order, but a frame that
 * acknowledges several of them reaches only up to the first gap. Deliveries that have stood behind
 * a gap for an interval are acknowledged one by one. Otherwise a single delivery that can't be
 * settled, such as one with an event that Splunk fails, would let all others fill the prefetch.
 * Safe for any thread; the lock is the object itself.
 */
final class Acknowledgements {
  private static final Logger log = LoggerFactory.getLogger(Acknowledgements.class);

  /** Sends acknowledgement frames ({@code basic.ack}) to the broker. */
  @FunctionalInterface
  interface Frames {
    void acknowledge(long tag, boolean multiple) throws IOException;
  }

  private final AcknowledgePolicy policy;
  private final Frames frames;

  /** Tags of settled deliveries that follow an unsettled one and are not acknowledged yet. */
  private final Set<Long> beyondGap = new HashSet<>();

  /**
   * Tags behind a gap that were given back to the broker or acknowledged one by one. No later frame
   * may name them.
   */
  private final Set<Long> closedTags = new HashSet<>();

  /** Highest tag up to which every delivery is settled or was given back to the broker. */
  private long gapless;

  /** Value of {@code gapless} when an acknowledgement was last due. */
  private long gaplessBefore;

  /**
   * Highest settled tag up to {@code gapless}; the next frame acknowledges all tags up to this one.
   */
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

  /**
   * Called when a delivery was given back to the broker. Such a delivery leaves no gap and is never
   * acknowledged.
   */
  synchronized void returned(long tag) {
    if (!policy.isEach()) {
      closedTags.add(tag);
      closeGaps();
    }
  }

  private void closeGaps() {
    while (true) {
      if (beyondGap.remove(gapless + 1)) {
        settledTo = gapless + 1;
      } else if (!closedTags.remove(gapless + 1)) {
        return;
      }
      gapless++;
    }
  }

  /**
   * Acknowledges settled deliveries if the policy's interval has passed; to be called every few
   * milliseconds.
   */
  synchronized void tick(long nowNanos) {
    if (!policy.isEach() && nowNanos - acknowledgedAtNanos >= policy.interval().toNanos()) {
      boolean gapStands = gapless == gaplessBefore;
      acknowledgeGapless(nowNanos);
      if (gapStands) {
        acknowledgeBeyondGap();
      }
    }
  }

  /** Acknowledges all settled deliveries now, including those that follow an unsettled one. */
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
    closedTags.addAll(beyondGap);
    beyondGap.clear();
  }

  private void send(long tag, boolean multiple) {
    try {
      frames.acknowledge(tag, multiple);
    } catch (IOException | RuntimeException e) {
      // The channel is closed, as its owner will notice; the broker delivers again.
      log.debug("acknowledgement of {} not sent", tag, e);
    }
  }
}
