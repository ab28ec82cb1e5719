package io.duplog.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs a test that is written as words on one line. Each word is a step. {@code 3*(look +1)}
 * repeats two steps three times.
 */
public final class Script {
  private static final Pattern REPETITION = Pattern.compile("(\\d+)\\*\\(([^()]*)\\)");

  /** Runs a step. */
  public interface Actor {
    void take(String step) throws Exception;
  }

  /** Returns the current value of something. */
  public interface Witness {
    Object said(String about) throws Exception;
  }

  private Script() {}

  /**
   * Runs one step after another. A step such as {@code a=1} asserts that the witness returns 1 for
   * {@code a}.
   *
   * @param what name of the case, for failures
   */
  public static void run(String what, String line, Actor actor, Witness witness) throws Exception {
    List<String> doneSteps = new ArrayList<>();
    for (String step : steps(line)) {
      doneSteps.add(step);
      int expected = step.indexOf('=');
      if (expected < 0) {
        actor.take(step);
      } else {
        assertThat(witness.said(step.substring(0, expected)))
            .as("%s: %s", what, String.join(" ", doneSteps))
            .hasToString(step.substring(expected + 1));
      }
    }
  }

  public static List<String> steps(String line) {
    String steps = line;
    while (steps.contains("(")) {
      steps =
          REPETITION
              .matcher(steps)
              .replaceAll(loop -> (loop.group(2) + " ").repeat(Integer.parseInt(loop.group(1))));
    }
    return Splitter.on(' ').omitEmptyStrings().splitToList(steps);
  }

  /** Parses a time such as {@code 30s}, {@code 20m}, {@code 8d} or {@code -3d}. */
  public static Duration time(String text) {
    return Duration.parse((text.endsWith("d") ? "P" : "PT") + text);
  }
}
