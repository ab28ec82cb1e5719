package io.duplog.pipeline;

import io.duplog.observe.Metrics;
import java.util.function.LongConsumer;

/**
 * What is timed, each once a batch; in nanoseconds. Any thread.
 *
 * @param judge a judgement of the ledger's
 * @param sink from giving copies to the sink until it accepts them
 * @param delay from the ingest node's publishing, by its clock, until the sink accepts
 */
public record Timings(LongConsumer judge, LongConsumer sink, LongConsumer delay) {
  public static Timings of(Metrics metrics) {
    return new Timings(
        metrics.durations("duplog.judge", "Time that the store takes to judge a batch"),
        metrics.durations("duplog.sink", "Time that the sink takes to accept a batch's copies"),
        metrics.durations(
            "duplog.delay",
            "Time from a batch's publishing at the ingest node, by that node's clock, until the"
                + " sink accepted its copies"));
  }
}
