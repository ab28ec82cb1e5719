package io.duplog.deliver.hec;

import io.duplog.deliver.DeliveryRequest;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
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

  /** Number of messages neither accepted by Splunk nor stored as dead letters; guarded by this. */
  private int openMessages;

  private volatile boolean over;

  /** The counter for each message that was encoded; used by the thread that sends the message. */
  private final @Nullable LongAdder[] counters;

  /** Messages to be sent with the fallback index; replaced by a new set, never changed in place. */
  private volatile @Nullable BitSet reroutedMessages;

  /** Messages to be sent again although Splunk may have them; replaced, never changed in place. */
  private volatile @Nullable Resent resent;

  /**
   * Messages that are sent again.
   *
   * @param reason why the messages added last are sent again
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
    this.openMessages = delivery.chosen().cardinality();
    this.counters = new LongAdder[delivery.batch().count()];
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

  /** Whether the delivery request was accepted or withdrawn, so that nothing has to be sent. */
  boolean isOver() {
    return over;
  }

  boolean isRerouted(int message) {
    BitSet set = reroutedMessages;
    return set != null && set.get(message);
  }

  /** Marks this message to be sent with the fallback index from now on. */
  synchronized void reroute(int message) {
    BitSet set = reroutedMessages == null ? new BitSet() : (BitSet) reroutedMessages.clone();
    set.set(message);
    reroutedMessages = set;
  }

  /**
   * Returns the reason why a message is sent again although Splunk may have it; null if it is not.
   */
  @Nullable String resent(int message) {
    Resent current = resent;
    return current != null && current.messages().get(message) ? current.reason() : null;
  }

  /**
   * Marks these messages with the field {@code resent} from now on, because Splunk may have them.
   */
  synchronized void resend(BitSet messages, String reason) {
    BitSet all = resent == null ? new BitSet() : (BitSet) resent.messages().clone();
    all.or(messages);
    resent = new Resent(all, reason);
  }

  /** Called when a message was encoded, with the counter of its sourcetype and host. */
  void encoded(int message, LongAdder counter) {
    counters[message] = counter;
  }

  /** Called when Splunk has accepted a message that was encoded. */
  void accepted(int message) {
    LongAdder counter = counters[message];
    if (counter != null) {
      counter.increment();
    }
  }

  /**
   * Called when further messages are safe. After the last one, the delivery request is accepted.
   */
  void settled(int count) {
    synchronized (this) {
      if (over) {
        return;
      }
      openMessages -= count;
      if (openMessages > 0) {
        return;
      }
      over = true;
    }
    whenOver.accept(this);
    delivery.callback().accepted();
  }

  /**
   * Called when Splunk will never accept this message. The message counts as safe once it is stored
   * elsewhere.
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
