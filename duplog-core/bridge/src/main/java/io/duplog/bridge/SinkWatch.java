package io.duplog.bridge;

import io.duplog.deliver.Sink;
import io.duplog.deliver.Sinks;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
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
 * hold limit; until then the bridge keeps consuming. Not thread-safe. Belongs to the settling
 * thread.
 *
 * @see "docs/decisions/sinks.md#sink-away"
 */
final class SinkWatch {
  private static final Logger log = LoggerFactory.getLogger(SinkWatch.class);

  private static final String KIND = "nothing is accepted";

  private static final String ACCEPTS_NOTHING =
      "The sink accepts nothing. Until it does, the bridge takes no deliveries, and messages wait in"
          + " the brokers' queues. Check the sink.";

  private final Sinks sinks;
  private final Pipeline pipeline;
  private final List<QueueConsumer> consumers;
  private final long holdLimitNanos;
  private final Conditions board;
  private final LongSupplier nanoClock;
  private final Trouble trouble;
  private boolean wasAccepting = true;
  private long acceptingNothingSinceNanos;
  private boolean unavailable;

  /** What the board says while the bridge takes no deliveries. */
  private String sentence = "";

  private boolean returnedBatches;

  SinkWatch(
      Sinks sinks,
      Pipeline pipeline,
      List<QueueConsumer> consumers,
      Duration holdLimit,
      Conditions board) {
    this.sinks = sinks;
    this.pipeline = pipeline;
    this.consumers = consumers;
    this.holdLimitNanos = holdLimit.toNanos();
    this.board = board;
    this.nanoClock = board.nanoClock();
    this.trouble = board.trouble(log, "sink", Sink.SUBJECT, Level.DOWN, Runbook.SINK_AWAY);
  }

  void runOnce() {
    sinks.watch();
    boolean available = sinks.isAvailable();
    boolean overdue = isPastHoldLimit(available && !sinks.acceptsNothing());
    if (unavailable == (available && !overdue)) {
      unavailable = !unavailable;
      returnedBatches = false;
      consumers.forEach(consumer -> consumer.hold(unavailable));
      if (!unavailable) {
        trouble.recovered(() -> ": this bridge takes deliveries again");
      } else {
        sentence = acceptsNothing();
        if (isCauseKnown()) {
          trouble.expected(sentence); // a sink that knows its trouble has logged the cause
        } else {
          trouble.occurred(KIND, sentence);
        }
      }
    } else if (unavailable && !sentence.equals(acceptsNothing())) {
      sentence = acceptsNothing(); // another sink has failed or returned since
      if (trouble.isTold()) {
        trouble.occurred(KIND, sentence);
      } else {
        trouble.expected(sentence);
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
    sinks.withdraw(); // on every run, because a worker may have been about to deliver
  }

  private boolean isCauseKnown() {
    return sinks.members().stream().anyMatch(member -> !board.condition(member.subject()).isOk());
  }

  /** Returns the sentence for the board, which names the sinks if the bridge has several. */
  private String acceptsNothing() {
    if (sinks.members().size() == 1) {
      return ACCEPTS_NOTHING;
    }
    List<String> names = sinks.unavailable().stream().map(Sinks.Member::name).toList();
    return "Not every required sink accepts messages ("
        + (names.isEmpty() ? "settle.hold-limit has passed" : String.join(", ", names))
        + "). Until all do, the bridge takes no deliveries, and messages wait in the brokers'"
        + " queues. Check these sinks.";
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
