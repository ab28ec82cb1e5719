package io.duplog.deliver.hec;

import io.duplog.deliver.DeliveryRequest;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A delivery request on its way, and how many of its messages are not yet settled. Tells its
 * callback exactly once. Safe for any thread.
 */
final class Completion {
  private final DeliveryRequest delivery;
  private final long sinceNanos;
  private final Consumer<Completion> whenOver;

  /** Messages neither accepted nor kept elsewhere; guarded by this. */
  private int open;

  private volatile boolean over;

  /** Messages to be sent with the fallback index; replaced as a whole, never changed. */
  private volatile @Nullable BitSet rerouted;

  /** Messages that are sent again although Splunk may have them, and why the last ones are. */
  private volatile @Nullable Resent resent;

  private record Resent(BitSet messages, String reason) {}

  /**
   * @param sinceNanos when it came
   * @param whenOver told, once, that its outcome is about to be told
   */
  Completion(DeliveryRequest delivery, long sinceNanos, Consumer<Completion> whenOver) {
    this.delivery = delivery;
    this.sinceNanos = sinceNanos;
    this.whenOver = whenOver;
    this.open = delivery.chosen().cardinality();
  }

  DeliveryRequest delivery() {
    return delivery;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** The first message to deliver from this index on; -1 where there is none. */
  int next(int from) {
    return delivery.chosen().nextSetBit(from);
  }

  /** Its outcome was told: nothing of it needs to be sent any more. */
  boolean isOver() {
    return over;
  }

  boolean isRerouted(int message) {
    BitSet set = rerouted;
    return set != null && set.get(message);
  }

  /** From now on this message is sent with the fallback index. */
  synchronized void reroute(int message) {
    BitSet set = rerouted == null ? new BitSet() : (BitSet) rerouted.clone();
    set.set(message);
    rerouted = set;
  }

  /** Why the message is sent again although Splunk may have it; null where that isn't so. */
  @Nullable String resent(int message) {
    Resent current = resent;
    return current != null && current.messages().get(message) ? current.reason() : null;
  }

  /** From now on these messages say with {@code resent} that they may be in Splunk already. */
  synchronized void resend(BitSet messages, String reason) {
    BitSet all = resent == null ? new BitSet() : (BitSet) resent.messages().clone();
    all.or(messages);
    resent = new Resent(all, reason);
  }

  /** So many further messages are safe. The last of them accepts the delivery request. */
  void settled(int count) {
    synchronized (this) {
      if (over) {
        return;
      }
      open -= count;
      if (open > 0) {
        return;
      }
      over = true;
    }
    whenOver.accept(this);
    delivery.callback().accepted();
  }

  /** Splunk will never take this message; it is settled when it is kept elsewhere. */
  void refused(int message, String reason) {
    if (!over) {
      AtomicBoolean kept = new AtomicBoolean();
      delivery
          .callback()
          .refused(
              message,
              reason,
              () -> {
                if (!kept.getAndSet(true)) {
                  settled(1);
                }
              });
    }
  }

  /** Gives it up, unless it is over. What becomes of its messages is nobody's concern then. */
  void withdraw() {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
    }
    whenOver.accept(this);
    delivery.callback().withdrawn();
  }
}
