package io.duplog.deliver.kafka;

import io.duplog.deliver.DeliveryRequest;
import java.util.BitSet;

/**
 * A delivery request that Kafka has not acknowledged completely. Thread-safe: the sender, the
 * producer's thread and whoever withdraws it use it.
 */
final class PendingRequest {
  private final DeliveryRequest delivery;
  private final BitSet open;
  private final BitSet unsent;
  private final BitSet triedBefore = new BitSet();

  /** Whether the request is in the sender's queue, or the sender is at it. */
  private boolean isQueued = true;

  private boolean hasEnded;

  PendingRequest(DeliveryRequest delivery) {
    this.delivery = delivery;
    this.open = (BitSet) delivery.chosen().clone();
    this.unsent = (BitSet) delivery.chosen().clone();
  }

  DeliveryRequest delivery() {
    return delivery;
  }

  /** Takes the next message to send, or returns -1 if there is none now. */
  synchronized int next() {
    int message = unsent.nextSetBit(0);
    if (message < 0) {
      isQueued = false;
    } else {
      unsent.clear(message);
    }
    return message;
  }

  /** Whether the message was sent before, so that Kafka may have it. */
  synchronized boolean isResent(int message) {
    return triedBefore.get(message);
  }

  /**
   * Called when a message failed, to be sent again.
   *
   * @return whether the caller must put the request into the sender's queue
   */
  synchronized boolean failed(int message) {
    triedBefore.set(message);
    if (hasEnded) {
      return false;
    }
    unsent.set(message);
    boolean wasQueued = isQueued;
    isQueued = true;
    return !wasQueued;
  }

  /**
   * Called when a message failed, to be tried apart from others.
   *
   * @return false if the request has ended
   */
  synchronized boolean suspected(int message) {
    triedBefore.set(message);
    return !hasEnded;
  }

  synchronized boolean hasEnded() {
    return hasEnded;
  }

  /**
   * Called when a message was acknowledged or stored elsewhere.
   *
   * @return whether it was the last one, so that the request is accepted
   */
  synchronized boolean done(int message) {
    open.clear(message);
    if (hasEnded || !open.isEmpty()) {
      return false;
    }
    hasEnded = true;
    return true;
  }

  /** Reports a message that Kafka will never take, unless the request has ended. */
  synchronized void refuse(int message, String reason, Runnable kept) {
    if (!hasEnded) {
      delivery.callback().refused(message, null, reason, kept);
    }
  }

  /**
   * Gives the request up.
   *
   * @return whether it had not ended before
   */
  synchronized boolean giveUp() {
    boolean hadEnded = hasEnded;
    hasEnded = true;
    unsent.clear();
    return !hadEnded;
  }
}
