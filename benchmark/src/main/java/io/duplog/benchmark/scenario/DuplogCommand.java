package io.duplog.benchmark.scenario;

import com.google.common.collect.ImmutableMap;
import io.duplog.benchmark.lab.Tuning;
import io.duplog.rig.LabException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the prototype's own test: pairs of equal messages, as fast as possible, from standard input
 * through two shims and two brokers to the standard output of one bridge.
 */
@Command(
    name = "duplog",
    description = {
      "Pairs of equal messages of 110 bytes, as fast as they are taken, from standard input into"
          + " two shims, through two brokers and Redis, to a bridge's standard output.",
      "With --matrix: prefetch 1, 100 and unlimited, an acknowledgement for each, every 50 and"
          + " every second, durable or not, one message a delivery and batches."
    })
public final class DuplogCommand extends ScenarioCommand {
  private static final int WINDOW_SECONDS = 15;
  private static final int MATRIX_SECONDS = 3;
  private static final WarmUp MATRIX_WARM_UP = WarmUp.upTo(Duration.ofSeconds(5));

  /**
   * Most messages allowed between senders and sink: more than all buffers hold in a second, but too
   * few to fill a broker's memory.
   */
  private static final long UNDER_WAY = 300_000;

  /**
   * Most messages allowed between senders and sink if each batch has one message, because a queue
   * of such batches empties slowly.
   */
  private static final long SINGLE_UNDER_WAY = 10_000;

  /** Duplog with two streams, one bridge and default settings. */
  static final PipedPair SUSTAINED = pair(Tuning.NONE, UNDER_WAY);

  /** Bridge settings by the name of the way in which the bridge acknowledges deliveries. */
  private static final Map<String, Map<String, String>> ACKNOWLEDGE =
      ImmutableMap.of(
          "each", Map.of("settle.acknowledge", "each"),
          "every 50", Map.of("settle.acknowledge", "count", "settle.acknowledge-count", "50"),
          "every second",
              Map.of("settle.acknowledge", "interval", "settle.acknowledge-interval", "1000ms"));

  @Option(names = "--matrix", description = "Also all combinations of the original's settings.")
  private boolean matrix;

  @Override
  void measure(ScenarioLabs bench) throws LabException, IOException, InterruptedException {
    measure(
        "sustained",
        () -> SUSTAINED.flood(bench, "sustained", seed(), bench.warmUp(), window(WINDOW_SECONDS)));
    if (matrix) {
      for (boolean batches : new boolean[] {false, true}) {
        for (boolean durable : new boolean[] {true, false}) {
          for (int prefetch : new int[] {1, 100, Tuning.UNLIMITED_PREFETCH}) {
            for (String acknowledge : ACKNOWLEDGE.keySet()) {
              combination(bench, batches, durable, prefetch, acknowledge);
            }
          }
        }
      }
    }
  }

  private void combination(
      ScenarioLabs bench, boolean batches, boolean durable, int prefetch, String acknowledge)
      throws LabException, IOException, InterruptedException {
    if (prefetch == 1 && !acknowledge.equals("each")) {
      return; // a bridge that waits for a second delivery would wait in vain
    }
    String variant =
        "%s, %s, prefetch %s, acknowledge %s"
            .formatted(
                batches ? "batches" : "single",
                durable ? "durable" : "transient",
                prefetch == Tuning.UNLIMITED_PREFETCH ? "unlimited" : prefetch,
                acknowledge);
    Tuning tuning =
        new Tuning(Map.of(), ACKNOWLEDGE.getOrDefault(acknowledge, Map.of()), 1)
            .withShim("broker.persistent", Boolean.toString(durable))
            .withBridge("receive.prefetch", Integer.toString(prefetch));
    PipedPair pair =
        batches
            ? pair(tuning, UNDER_WAY)
            : pair(tuning.withShim("batch.max-messages", "1"), SINGLE_UNDER_WAY);
    measure(
        variant, () -> pair.flood(bench, variant, seed(), MATRIX_WARM_UP, window(MATRIX_SECONDS)));
  }

  private static PipedPair pair(Tuning tuning, long underWay) {
    return new PipedPair(2, 1, tuning, underWay);
  }
}
