package io.duplog.deliver.hec;

import io.duplog.deliver.DeliveryRequest;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A delivery request that is being sent, with the number of its messages that are not safe yet.
 * Calls {@code accepted} or {@code withdrawn} of its callback exactly once. Safe for any thread.
 */
final class Completion {
  private final DeliveryRequest delivery;
  private final long sinceNanos;
  private final Consumer<Completion> whenOver;

  /** Number of messages neither accepted by Splunk nor kept as dead letters; guarded by this. */
  private int open;

  private volatile boolean over;

  /** Messages to be sent with the fallback index; replaced as a whole, never changed. */
  private volatile @Nullable BitSet rerouted;

  /** Messages that are sent again although Splunk may have them; replaced as a whole. */
  private volatile @Nullable Resent resent;

  /**
   * Messages that are sent again.
   *
   * @param reason why the last ones of them are
   */
  private record Resent(BitSet messages, String reason) {}

  /**
   * @param sinceNanos when the sink received the delivery request
   * @param whenOver called once, just before the callback is
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

  /**
   * Returns the index of the first message to deliver from the given index on; -1 if there is none.
   */
  int next(int from) {
    return delivery.chosen().nextSetBit(from);
  }

  /** Whether the callback was called, so that nothing needs to be sent any more. */
  boolean isOver() {
    return over;
  }

  boolean isRerouted(int message) {
    BitSet set = rerouted;
    return set != null && set.get(message);
  }

  /** Makes later requests send this message with the fallback index. */
  synchronized void reroute(int message) {
    BitSet set = rerouted == null ? new BitSet() : (BitSet) rerouted.clone();
    set.set(message);
    rerouted = set;
  }

  /** Returns why the message is sent again although Splunk may have it; null if it is not. */
  @Nullable String resent(int message) {
    Resent current = resent;
    return current != null && current.messages().get(message) ? current.reason() : null;
  }

  /** Makes later requests mark these messages with {@code resent}, because Splunk may have them. */
  synchronized void resend(BitSet messages, String reason) {
    BitSet all = resent == null ? new BitSet() : (BitSet) resent.messages().clone();
    all.or(messages);
    resent = new Resent(all, reason);
  }

  /**
   * Called when further messages are safe. After the last one, the delivery request is accepted.
   */
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

  /**
   * Called when Splunk will never accept this message. It counts as safe when it is kept elsewhere.
   */
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

  /**
   * Gives the delivery request up, unless it is over. Later outcomes of its messages are ignored.
   */
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
