package io.duplog.deliver.hec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.DeliveryRequest;
import io.duplog.wire.MessageBatch;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Events of the bridge's own, beside which a refused one can be seen to be at fault where nothing
 * else is there to be sent. Nobody waits for them: each is sent once, whatever the answer. Guarded
 * by its owner.
 */
final class ControlEvents {
  /** Their whole text, whatever the bridge. */
  static final String TEXT =
      "duplog: control event, sent to learn whether this collector takes any while it refuses"
          + " others; not a log message";

  private static final MessageBatch BATCH = MessageBatch.ofPlainBody(TEXT.getBytes(US_ASCII));

  /** Without other requests for so long, one is sent. */
  private static final long QUIET_NANOS = 15_000_000_000L;

  /** Between two that are accepted. */
  private static final long PAUSE_NANOS = 2_000_000_000L;

  /** After one that is not. */
  private static final long REFUSED_PAUSE_NANOS = 60_000_000_000L;

  private final LongSupplier wallMillis;
  private @Nullable Completion underWay;
  private long quietSinceNanos;
  private long notBeforeNanos;

  ControlEvents(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
  }

  /** A request that nothing is held against leaves. */
  void sends(RequestBatch batch, long nowNanos) {
    quietSinceNanos = contains(batch) ? quietSinceNanos : nowNanos;
  }

  /**
   * How long none is due.
   *
   * @param inDoubt whether so much has failed that all waits for one
   */
  long idleNanos(long nowNanos, boolean inDoubt) {
    if (underWay != null) {
      return Long.MAX_VALUE;
    }
    long quiet = inDoubt ? 0 : quietSinceNanos + QUIET_NANOS - nowNanos;
    return Math.max(0, Math.max(quiet, notBeforeNanos - nowNanos));
  }

  /** The next one, where one is due; {@link #over} has to follow. */
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

  /** Whether it is the one that is under way. */
  boolean contains(RequestBatch batch) {
    return underWay != null && !batch.isEmpty() && batch.runs().get(0).completion() == underWay;
  }

  void failed(long nowNanos) {
    notBeforeNanos = nowNanos + REFUSED_PAUSE_NANOS;
  }

  /** A request is over: if it was one of these, nobody is to send it again. */
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
