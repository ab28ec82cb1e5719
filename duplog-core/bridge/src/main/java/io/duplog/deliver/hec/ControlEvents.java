package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates test events, to find out whether a collector that rejects some events accepts any event
 * at all. A test event is sent if there are no others to send. Each test event is sent once,
 * whatever the answer. Not thread-safe. Its owner's lock guards it.
 *
 * @see "docs/decisions/poison.md#control-event"
 */
final class ControlEvents {
  /** Text of every control event, the same for all bridges. */
  static final String TEXT =
      "duplog: control event, sent to test whether this collector accepts any event while it"
          + " rejects others; not a log message";

  private static final MessageBatch BATCH = MessageBatch.ofPlainBody(TEXT.getBytes(US_ASCII));

  /**
   * Time in nanoseconds without any unsuspected request after which a control event may be sent.
   */
  private static final long QUIET_NANOS = 15_000_000_000L;

  /** Minimum pause in nanoseconds between two control events. */
  private static final long MIN_PAUSE_NANOS = 2_000_000_000L;

  /** Minimum pause in nanoseconds after a control event that failed. */
  private static final long MIN_PAUSE_AFTER_FAILURE_NANOS = 60_000_000_000L;

  private final LongSupplier wallMillis;
  private @Nullable Completion openEvent;
  private long quietSinceNanos;
  private long notBeforeNanos;

  ControlEvents(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
  }

  /** Called when a request that is not {@linkplain RequestBatch#suspicion suspected} is sent. */
  void onSend(RequestBatch batch, long nowNanos) {
    quietSinceNanos = contains(batch) ? quietSinceNanos : nowNanos;
  }

  /**
   * Returns the time in nanoseconds until a control event is due.
   *
   * @param isPausing whether so many requests have failed that all others wait for a control event
   */
  long idleNanos(long nowNanos, boolean isPausing) {
    if (openEvent != null) {
      return Long.MAX_VALUE;
    }
    long quietNanos = isPausing ? 0 : quietSinceNanos + QUIET_NANOS - nowNanos;
    return Math.max(0, Math.max(quietNanos, notBeforeNanos - nowNanos));
  }

  /** Returns a new control event; {@link #onDone} must follow once it was answered. */
  RequestBatch take(long nowNanos) {
    notBeforeNanos = nowNanos + MIN_PAUSE_NANOS;
    BitSet one = BitSet.valueOf(new long[] {1});
    long millis = wallMillis.getAsLong();
    DeliveryRequest delivery =
        new DeliveryRequest(
            DeliveryRequest.Origin.of("", millis),
            BATCH,
            one,
            DeliveryRequest.Passage.KEPT,
            i -> "",
            new IgnoredOutcome());
    openEvent = new Completion(delivery, nowNanos, completion -> {});
    RequestBatch batch = new RequestBatch();
    batch.add(openEvent, 0);
    return batch;
  }

  /** Whether the batch is the control event that is being sent. */
  boolean contains(RequestBatch batch) {
    return openEvent != null && !batch.isEmpty() && batch.runs().get(0).completion() == openEvent;
  }

  void onFailed(long nowNanos) {
    notBeforeNanos = nowNanos + MIN_PAUSE_AFTER_FAILURE_NANOS;
  }

  /** Called when a request has ended. Gives up its control event, so that it is not resent. */
  void onDone(RequestBatch batch) {
    if (openEvent != null && contains(batch)) {
      openEvent.withdraw();
      openEvent = null;
    }
  }

  private record IgnoredOutcome() implements DeliveryRequest.Callback {
    @Override
    public void accepted() {}

    @Override
    public void withdrawn() {}

    @Override
    public void refused(int message, @Nullable String sink, String reason, Runnable kept) {}
  }
}
