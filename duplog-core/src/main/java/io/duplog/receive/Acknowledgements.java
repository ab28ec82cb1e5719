package io.duplog.receive;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The acknowledgements of one channel. Deliveries settle in any order; a frame that covers several
 * reaches only as far as there is no gap. Safe for any thread; the lock is the object itself.
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

  /** Every delivery up to this tag is settled. */
  private long settledTo;

  private long acknowledgedTo;
  private long acknowledgedAtNanos;

  Acknowledgements(AcknowledgePolicy policy, Frames frames, long nowNanos) {
    this.policy = policy;
    this.frames = frames;
    this.acknowledgedAtNanos = nowNanos;
  }

  synchronized void settled(long tag, long nowNanos) {
    if (policy instanceof AcknowledgePolicy.Each) {
      send(tag, false);
      return;
    }
    beyondGap.add(tag);
    while (beyondGap.remove(settledTo + 1)) {
      settledTo++;
    }
    if (policy instanceof AcknowledgePolicy.Count count
        && settledTo - acknowledgedTo >= count.count()) {
      acknowledge(nowNanos);
    }
  }

  /** To be called every few milliseconds: acknowledges what has waited for the interval. */
  synchronized void tick(long nowNanos) {
    long interval;
    if (policy instanceof AcknowledgePolicy.Count count) {
      interval = count.interval().toNanos();
    } else if (policy instanceof AcknowledgePolicy.Interval every) {
      interval = every.interval().toNanos();
    } else {
      return;
    }
    if (nowNanos - acknowledgedAtNanos >= interval) {
      acknowledge(nowNanos);
    }
  }

  /** Acknowledges what is settled, at once. */
  synchronized void acknowledge(long nowNanos) {
    acknowledgedAtNanos = nowNanos;
    if (settledTo > acknowledgedTo) {
      acknowledgedTo = settledTo;
      send(settledTo, true);
    }
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
