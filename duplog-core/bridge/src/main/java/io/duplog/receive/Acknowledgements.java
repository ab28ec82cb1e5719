package io.duplog.receive;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends AMQP acknowledgements for one channel, several deliveries at once where possible.
 *
 * <p>Deliveries settle in any order, but a frame that acknowledges several of them reaches only up
 * to the first gap. Deliveries after a gap that has lasted for an interval are acknowledged one by
 * one. Otherwise one delivery that can't be settled, such as one with an event that Splunk rejects,
 * would let all others fill the prefetch.
 *
 * <p>Thread-safe. The lock is the object itself.
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
  private final Set<Long> settledTagsAfterGap = new HashSet<>();

  /**
   * Tags after a gap that were returned to the broker or acknowledged one by one. No later frame
   * may name them.
   */
  private final Set<Long> closedTagsAfterGap = new HashSet<>();

  /** Highest tag up to which every delivery is settled or was returned to the broker. */
  private long gaplessTag;

  /** Value of {@code gaplessTag} when an acknowledgement was last due. */
  private long lastGaplessTag;

  /**
   * Highest settled tag up to {@code gaplessTag}. The next frame acknowledges all tags up to this
   * one.
   */
  private long highestSettledTag;

  private long highestAcknowledgedTag;
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
    settledTagsAfterGap.add(tag);
    closeGaps();
    if (highestSettledTag - highestAcknowledgedTag >= policy.count()) {
      acknowledgeGapless(nowNanos);
    }
  }

  /**
   * Called when a delivery was returned to the broker. Such a delivery leaves no gap and is never
   * acknowledged.
   */
  synchronized void returned(long tag) {
    if (!policy.isEach()) {
      closedTagsAfterGap.add(tag);
      closeGaps();
    }
  }

  private void closeGaps() {
    while (true) {
      if (settledTagsAfterGap.remove(gaplessTag + 1)) {
        highestSettledTag = gaplessTag + 1;
      } else if (!closedTagsAfterGap.remove(gaplessTag + 1)) {
        return;
      }
      gaplessTag++;
    }
  }

  /**
   * Acknowledges settled deliveries if the policy's interval has passed. Must be called every few
   * milliseconds.
   */
  synchronized void tick(long nowNanos) {
    if (!policy.isEach() && nowNanos - acknowledgedAtNanos >= policy.interval().toNanos()) {
      boolean gapRemains = gaplessTag == lastGaplessTag;
      acknowledgeGapless(nowNanos);
      if (gapRemains) {
        acknowledgeAfterGap();
      }
    }
  }

  /** Acknowledges all settled deliveries now, including those that follow an unsettled one. */
  synchronized void acknowledge(long nowNanos) {
    acknowledgeGapless(nowNanos);
    acknowledgeAfterGap();
  }

  private void acknowledgeGapless(long nowNanos) {
    acknowledgedAtNanos = nowNanos;
    lastGaplessTag = gaplessTag;
    if (highestSettledTag > highestAcknowledgedTag) {
      highestAcknowledgedTag = highestSettledTag;
      send(highestSettledTag, true);
    }
  }

  private void acknowledgeAfterGap() {
    settledTagsAfterGap.forEach(tag -> send(tag, false));
    closedTagsAfterGap.addAll(settledTagsAfterGap);
    settledTagsAfterGap.clear();
  }

  private void send(long tag, boolean multiple) {
    try {
      frames.acknowledge(tag, multiple);
    } catch (IOException | RuntimeException e) {
      // The channel is closed, as its owner will notice. The broker will redeliver.
      log.debug("acknowledgement of {} not sent", tag, e);
    }
  }
}
