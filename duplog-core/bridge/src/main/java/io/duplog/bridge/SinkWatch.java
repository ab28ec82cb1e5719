package io.duplog.bridge;

import io.duplog.bridge.status.BridgeStatus;
import io.duplog.deliver.Sink;
import io.duplog.pipeline.Pipeline;
import io.duplog.receive.QueueConsumer;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Suspends the consumers while the sink accepts nothing. If that lasts longer than the hold limit,
 * gives back to the brokers what this bridge holds, because another bridge may have a sink that
 * works, and because a broker would take it back anyhow after half an hour, again and again. Does
 * the same for a sink that seems available but has accepted nothing for that long; until then the
 * bridge goes on taking. For the settling thread.
 *
 * @see "docs/decisions/sinks.md#sink-away"
 */
final class SinkWatch {
  private static final Logger log = LoggerFactory.getLogger(SinkWatch.class);

  private final Sink sink;
  private final Pipeline pipeline;
  private final List<QueueConsumer> consumers;
  private final long holdLimitNanos;
  private final LongSupplier nanoClock;
  private boolean accepting = true;
  private long acceptingNothingSinceNanos;
  private boolean away;
  private boolean gaveBack;
  private boolean told;

  SinkWatch(
      Sink sink,
      Pipeline pipeline,
      List<QueueConsumer> consumers,
      Duration holdLimit,
      LongSupplier nanoClock) {
    this.sink = sink;
    this.pipeline = pipeline;
    this.consumers = consumers;
    this.holdLimitNanos = holdLimit.toNanos();
    this.nanoClock = nanoClock;
  }

  void runOnce() {
    boolean available = sink.isAvailable();
    boolean overdue = isOverdue(available && !sink.acceptsNothing());
    if (away == (available && !overdue)) {
      away = !away;
      gaveBack = false;
      consumers.forEach(consumer -> consumer.hold(away));
      // A sink that knows what is wrong logs that, and its recovery, itself.
      if (away && sink.trouble() == null) {
        told = true;
        log.warn("{}", BridgeStatus.SINK_ACCEPTS_NOTHING);
      } else if (told) {
        told = false;
        log.info("the sink accepts again: taking deliveries");
      }
    }
    if (!overdue) {
      return;
    }
    if (!gaveBack) {
      gaveBack = true;
      log.warn(
          "the sink has accepted nothing for longer than settle.hold-limit: giving back {} batches"
              + " to the brokers, for other bridges or for later",
          pipeline.held());
      consumers.forEach(QueueConsumer::giveBack);
    }
    sink.withdraw(); // in every turn, because a worker may have been about to deliver
  }

  /**
   * Whether the sink has accepted nothing for the hold limit. One old batch is not enough, because
   * an isolated event may be old while all others are accepted.
   */
  private boolean isOverdue(boolean acceptsNow) {
    long now = nanoClock.getAsLong();
    if (acceptsNow || accepting) {
      acceptingNothingSinceNanos = now;
    }
    accepting = acceptsNow;
    return !acceptsNow
        && now - acceptingNothingSinceNanos >= holdLimitNanos
        && pipeline.isOverdue();
  }
}
