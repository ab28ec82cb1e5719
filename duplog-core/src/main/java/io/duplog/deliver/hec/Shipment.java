package io.duplog.deliver.hec;

import io.duplog.deliver.Parcel;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A parcel on its way, and how many of its messages are not yet settled. Tells the parcel's outcome
 * exactly once. Safe for any thread.
 */
final class Shipment {
  private final Parcel parcel;
  private final long sinceNanos;
  private final Consumer<Shipment> whenOver;

  /** Messages neither accepted nor kept elsewhere; guarded by this. */
  private int open;

  private volatile boolean over;

  /** Messages to be sent with the fallback index; replaced as a whole, never changed. */
  private volatile @Nullable BitSet rerouted;

  /**
   * @param sinceNanos when it came
   * @param whenOver told, once, that its outcome is about to be told
   */
  Shipment(Parcel parcel, long sinceNanos, Consumer<Shipment> whenOver) {
    this.parcel = parcel;
    this.sinceNanos = sinceNanos;
    this.whenOver = whenOver;
    this.open = parcel.chosen().cardinality();
  }

  Parcel parcel() {
    return parcel;
  }

  long sinceNanos() {
    return sinceNanos;
  }

  /** The first message to deliver from this index on; -1 where there is none. */
  int next(int from) {
    return parcel.chosen().nextSetBit(from);
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

  /** So many further messages are safe. The last of them accepts the parcel. */
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
    parcel.outcome().accepted();
  }

  /** Splunk will never take this message; it is settled when it is kept elsewhere. */
  void refused(int message, String reason) {
    if (!over) {
      AtomicBoolean kept = new AtomicBoolean();
      parcel
          .outcome()
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
    parcel.outcome().withdrawn();
  }
}
