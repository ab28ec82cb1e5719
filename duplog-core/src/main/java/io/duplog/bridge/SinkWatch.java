package io.duplog.bridge;

import io.duplog.deliver.Sink;
import io.duplog.pipeline.Pipeline;
import io.duplog.receive.QueueConsumer;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes no deliveries while the sink accepts none. When that lasts longer than the hold limit, the
 * brokers get back what this bridge holds: another bridge may have a sink that works, and a broker
 * would take it back by itself after half an hour, again and again. The same becomes of a sink that
 * seems available and has accepted nothing for that long; but until then the bridge goes on taking.
 * For the settling thread.
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
      // A sink that knows what is wrong has said so, and says when it is well again.
      if (away && sink.trouble() == null) {
        told = true;
        log.warn("the sink accepts nothing: taking no more deliveries until it does");
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
    sink.withdraw(); // again and again, since a worker may have been about to deliver
  }

  /** One old batch is no reason: what is tried apart may be old while all others are accepted. */
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
