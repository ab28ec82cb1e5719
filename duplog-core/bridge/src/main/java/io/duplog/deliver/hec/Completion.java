package io.duplog.deliver.hec;

import io.duplog.deliver.DeliveryRequest;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which messages of a delivery request are safe in Splunk, and reports when all of them are.
 * Calls {@code accepted} or {@code withdrawn} of its callback exactly once. Thread-safe.
 */
final class Completion {
  private final DeliveryRequest delivery;
  private final long receivedNanos;
  private final Consumer<Completion> doneListener;

  /** Number of messages neither accepted by Splunk nor stored as dead letters; guarded by this. */
  private int openMessages;

  private volatile boolean isDone;

  /** The counter of each encoded message; used by the thread that sends the message. */
  private final @Nullable LongAdder[] eventCounters;

  /** Messages to send with the fallback index; replaced by a new set, never changed in place. */
  private volatile @Nullable BitSet reroutedMessages;

  /** Messages to resend although Splunk may have them; replaced, never changed in place. */
  private volatile @Nullable ResentMessages resentMessages;

  /**
   * Messages that are resent.
   *
   * @param reason why the messages added last are resent
   */
  private record ResentMessages(BitSet messages, String reason) {}

  /**
   * @param receivedNanos when the sink received the delivery request
   * @param doneListener called once, just before the callback is
   */
  Completion(DeliveryRequest delivery, long receivedNanos, Consumer<Completion> doneListener) {
    this.delivery = delivery;
    this.receivedNanos = receivedNanos;
    this.doneListener = doneListener;
    this.openMessages = delivery.chosen().cardinality();
    this.eventCounters = new LongAdder[delivery.batch().count()];
  }

  DeliveryRequest delivery() {
    return delivery;
  }

  long receivedNanos() {
    return receivedNanos;
  }

  /**
   * Returns the index of the first message to deliver at or after the given index, or -1 if there
   * is none.
   */
  int nextMessage(int from) {
    return delivery.chosen().nextSetBit(from);
  }

  /** Whether the delivery request was accepted or withdrawn, so that nothing has to be sent. */
  boolean isDone() {
    return isDone;
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

  /** Returns why a message is resent although Splunk may have it, or null if it is not resent. */
  @Nullable String resentReason(int message) {
    ResentMessages current = resentMessages;
    return current != null && current.messages().get(message) ? current.reason() : null;
  }

  /**
   * Marks these messages with the field {@code resent} from now on, because Splunk may have them.
   */
  synchronized void markResent(BitSet messages, String reason) {
    BitSet all = resentMessages == null ? new BitSet() : (BitSet) resentMessages.messages().clone();
    all.or(messages);
    resentMessages = new ResentMessages(all, reason);
  }

  /** Called when a message was encoded, with the counter of its sourcetype and host. */
  void onEncoded(int message, LongAdder counter) {
    eventCounters[message] = counter;
  }

  /** Called when Splunk has accepted an encoded message. */
  void onAccepted(int message) {
    LongAdder counter = eventCounters[message];
    if (counter != null) {
      counter.increment();
    }
  }

  /**
   * Called when further messages are safe. After the last one, the delivery request is accepted.
   */
  void onSettled(int count) {
    synchronized (this) {
      if (isDone) {
        return;
      }
      openMessages -= count;
      if (openMessages > 0) {
        return;
      }
      isDone = true;
    }
    doneListener.accept(this);
    delivery.callback().accepted();
  }

  /**
   * Called when Splunk will never accept this message. The message counts as safe once it is stored
   * elsewhere.
   */
  void onRefused(int message, String reason) {
    if (!isDone) {
      AtomicBoolean isStored = new AtomicBoolean();
      delivery
          .callback()
          .refused(
              message,
              null,
              reason,
              () -> {
                if (!isStored.getAndSet(true)) {
                  onSettled(1);
                }
              });
    }
  }

  /**
   * Gives up the delivery request, unless it is done. Later outcomes of its messages are ignored.
   */
  void withdraw() {
    synchronized (this) {
      if (isDone) {
        return;
      }
      isDone = true;
    }
    doneListener.accept(this);
    delivery.callback().withdrawn();
  }
}
