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
 * Stops reading from RabbitMQ while the sink accepts nothing, and resumes when it accepts messages
 * again.
 *
 * <p>If that lasts longer than the hold limit, returns the held batches to the brokers. Another
 * bridge may have a working sink, and a broker would take them back anyway after half an hour,
 * again and again. The same applies to a sink that seems available but has accepted nothing for the
 * hold limit; until then the bridge keeps consuming. Not thread-safe; belongs to the settling
 * thread.
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
  private boolean wasAccepting = true;
  private long acceptingNothingSinceNanos;
  private boolean unavailable;
  private boolean returnedBatches;
  private boolean loggedUnavailable;

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
    boolean overdue = isPastHoldLimit(available && !sink.acceptsNothing());
    if (unavailable == (available && !overdue)) {
      unavailable = !unavailable;
      returnedBatches = false;
      consumers.forEach(consumer -> consumer.hold(unavailable));
      // A sink that knows its trouble logs it, and its recovery, itself.
      if (unavailable && sink.trouble() == null) {
        loggedUnavailable = true;
        log.warn("{}", BridgeStatus.SINK_ACCEPTS_NOTHING);
      } else if (loggedUnavailable) {
        loggedUnavailable = false;
        log.info("The sink accepts messages again. This bridge takes deliveries again.");
      }
    }
    if (!overdue) {
      return;
    }
    if (!returnedBatches) {
      returnedBatches = true;
      log.warn(
          "The sink has accepted nothing for longer than settle.hold-limit. Returned {} batches to the"
              + " brokers; this or another bridge will deliver them. Check the sink.",
          pipeline.held());
      consumers.forEach(QueueConsumer::giveBack);
    }
    sink.withdraw(); // on every run, because a worker may have been about to deliver
  }

  /**
   * Whether the sink has accepted nothing for the hold limit. One old batch is not enough, because
   * an isolated event may be old while all others are accepted.
   */
  private boolean isPastHoldLimit(boolean acceptsNow) {
    long now = nanoClock.getAsLong();
    if (acceptsNow || wasAccepting) {
      acceptingNothingSinceNanos = now;
    }
    wasAccepting = acceptsNow;
    return !acceptsNow
        && now - acceptingNothingSinceNanos >= holdLimitNanos
        && pipeline.isOverdue();
  }
}
