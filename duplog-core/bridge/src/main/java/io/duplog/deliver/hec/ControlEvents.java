package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Events of the bridge's own, which show whether a collector accepts any event if it refuses some
 * and there are no others to send. Each is sent once, whatever the answer. Guarded by its owner.
 *
 * @see "docs/decisions/poison.md#control-event"
 */
final class ControlEvents {
  /** Text of every control event, the same for all bridges. */
  static final String TEXT =
      "duplog: control event, sent to learn whether this collector takes any while it refuses"
          + " others; not a log message";

  private static final MessageBatch BATCH = MessageBatch.ofPlainBody(TEXT.getBytes(US_ASCII));

  /**
   * Time in nanoseconds without any unsuspected request after which a control event may be sent.
   */
  private static final long QUIET_NANOS = 15_000_000_000L;

  /** Shortest pause in nanoseconds between two control events. */
  private static final long PAUSE_NANOS = 2_000_000_000L;

  /** Shortest pause in nanoseconds after a control event that failed. */
  private static final long REFUSED_PAUSE_NANOS = 60_000_000_000L;

  private final LongSupplier wallMillis;
  private @Nullable Completion underWay;
  private long quietSinceNanos;
  private long notBeforeNanos;

  ControlEvents(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
  }

  /** Called when a request that is not {@linkplain RequestBatch#suspicion suspected} is sent. */
  void sends(RequestBatch batch, long nowNanos) {
    quietSinceNanos = contains(batch) ? quietSinceNanos : nowNanos;
  }

  /**
   * Returns for how many nanoseconds no control event is due.
   *
   * @param inDoubt whether so many requests have failed that all others wait for a control event
   */
  long idleNanos(long nowNanos, boolean inDoubt) {
    if (underWay != null) {
      return Long.MAX_VALUE;
    }
    long quiet = inDoubt ? 0 : quietSinceNanos + QUIET_NANOS - nowNanos;
    return Math.max(0, Math.max(quiet, notBeforeNanos - nowNanos));
  }

  /** Returns a new control event; the caller must call {@link #over} once it was answered. */
  RequestBatch take(long nowNanos) {
    notBeforeNanos = nowNanos + PAUSE_NANOS;
    BitSet one = BitSet.valueOf(new long[] {1});
    long millis = wallMillis.getAsLong();
    DeliveryRequest delivery =
        new DeliveryRequest(
            "", BATCH, one, DeliveryRequest.Passage.KEPT, millis, i -> "", new Unawaited());
    underWay = new Completion(delivery, nowNanos, over -> {});
    RequestBatch batch = new RequestBatch();
    batch.add(underWay, 0);
    return batch;
  }

  /** Whether the batch is the control event that is being sent. */
  boolean contains(RequestBatch batch) {
    return underWay != null && !batch.isEmpty() && batch.runs().get(0).completion() == underWay;
  }

  void failed(long nowNanos) {
    notBeforeNanos = nowNanos + REFUSED_PAUSE_NANOS;
  }

  /**
   * Called when a request is over. A control event is then given up, so that it is not sent again.
   */
  void over(RequestBatch batch) {
    if (underWay != null && contains(batch)) {
      underWay.withdraw();
      underWay = null;
    }
  }

  private record Unawaited() implements DeliveryRequest.Callback {
    @Override
    public void accepted() {}

    @Override
    public void withdrawn() {}

    @Override
    public void refused(int message, String reason, Runnable kept) {}
  }
}
