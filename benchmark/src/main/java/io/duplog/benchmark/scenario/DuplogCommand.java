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
 * The command {@code duplog}: runs the prototype's own benchmark on today's Duplog and on the
 * prototype, at the highest rate. Pairs of equal messages go as fast as possible from standard
 * input through two shims and two brokers to the standard output of one bridge.
 */
@Command(
    name = "duplog",
    description = {
      "Sends pairs of equal messages of 110 bytes as fast as they are accepted. They go through"
          + " two shims, two brokers and Redis to a bridge's standard output.",
      "With --matrix: prefetch 1, 100 and unlimited; an acknowledgement for each delivery, every 50 and"
          + " every second; durable or transient messages; one message per delivery or batches."
    })
public final class DuplogCommand extends ScenarioCommand {
  private static final int RUN_SECONDS = 15;
  private static final int MATRIX_SECONDS = 3;
  private static final WarmUp MATRIX_WARM_UP = WarmUp.withMaximum(Duration.ofSeconds(5));

  /**
   * Maximum number of messages between senders and sink. It exceeds all buffers for a second, but
   * doesn't fill a broker's memory.
   */
  private static final long MAX_IN_FLIGHT = 300_000;

  /**
   * Maximum number of messages between senders and sink if each batch has one message. A queue of
   * such batches drains slowly.
   */
  private static final long SINGLE_MAX_IN_FLIGHT = 10_000;

  /** Duplog with two streams, one bridge and default settings. */
  static final PipedPair SUSTAINED_PAIR = newPair(Tuning.NONE, MAX_IN_FLIGHT);

  /** Bridge settings by the way in which the bridge acknowledges deliveries. */
  private static final Map<String, Map<String, String>> ACKNOWLEDGE_SETTINGS =
      ImmutableMap.of(
          "each", Map.of("settle.acknowledge", "each"),
          "every 50", Map.of("settle.acknowledge", "count", "settle.acknowledge-count", "50"),
          "every second",
              Map.of("settle.acknowledge", "interval", "settle.acknowledge-interval", "1000ms"));

  @Option(
      names = "--matrix",
      description = "Also run all combinations of the prototype's settings.")
  private boolean matrix;

  @Override
  void runScenario(ScenarioLabs labs) throws LabException, IOException, InterruptedException {
    runIfSelected(
        "sustained",
        () ->
            SUSTAINED_PAIR.flood(
                labs, "sustained", seed(), labs.warmUp(), runDuration(RUN_SECONDS)));
    if (matrix) {
      for (boolean batches : new boolean[] {false, true}) {
        for (boolean durable : new boolean[] {true, false}) {
          for (int prefetch : new int[] {1, 100, Tuning.UNLIMITED_PREFETCH}) {
            for (String acknowledge : ACKNOWLEDGE_SETTINGS.keySet()) {
              runCombination(labs, batches, durable, prefetch, acknowledge);
            }
          }
        }
      }
    }
  }

  private void runCombination(
      ScenarioLabs labs, boolean batches, boolean durable, int prefetch, String acknowledge)
      throws LabException, IOException, InterruptedException {
    if (prefetch == 1 && !acknowledge.equals("each")) {
      return; // A bridge that collects several acknowledgements never gets a second delivery with
      // prefetch 1.
    }
    String variant =
        "%s, %s, prefetch %s, acknowledge %s"
            .formatted(
                batches ? "batches" : "single",
                durable ? "durable" : "transient",
                prefetch == Tuning.UNLIMITED_PREFETCH ? "unlimited" : prefetch,
                acknowledge);
    Tuning tuning =
        new Tuning(Map.of(), ACKNOWLEDGE_SETTINGS.getOrDefault(acknowledge, Map.of()), 1)
            .withShim("broker.persistent", Boolean.toString(durable))
            .withBridge("receive.prefetch", Integer.toString(prefetch));
    PipedPair pair =
        batches
            ? newPair(tuning, MAX_IN_FLIGHT)
            : newPair(tuning.withShim("batch.max-messages", "1"), SINGLE_MAX_IN_FLIGHT);
    runIfSelected(
        variant,
        () -> pair.flood(labs, variant, seed(), MATRIX_WARM_UP, runDuration(MATRIX_SECONDS)));
  }

  private static PipedPair newPair(Tuning tuning, long maxInFlight) {
    return new PipedPair(2, 1, tuning, maxInFlight);
  }
}
