package io.duplog.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which AMQP acknowledgements a bridge sends for deliveries that settle in any order. */
class AcknowledgementsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /**
   * Each word is a step. A delivery is settled ({@code 2}) or returned ({@code back2}), this many
   * milliseconds have passed since the begin ({@code @1000}), or the channel is closed. The
   * acknowledgement that is sent then follows the step: {@code 5+} acknowledges 5 and all before
   * it.
   */
  @ParameterizedTest(name = "{0}, {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          each is acknowledged by itself                    | each     | 2 1                      | 2:2 1:1
          what was returned among each is not               | each     | back1 2                  | 2:2
          a count never reaches past a gap                  | 3        | 2 3 4 5 1                | 1:5+
          where it is not reached, after the interval       | 50       | 1 @999 @1000             | @1000:1+
          one frame an interval for all, none for nothing   | interval | 1 2 @1000 @2000 4 3 @3000 | @1000:2+ @3000:4+
          a gap that stands holds nothing up, and no frame names again what was sent | 2 | 1 3 @1000 @2000 2 @3000 @4000 | @1000:1+ @2000:3 @3000:2+
          a gap that stands holds nothing up, and no frame names again what was sent | interval | 1 3 @1000 @2000 2 @3000 @4000 | @1000:1+ @2000:3 @3000:2+
          close sends what is settled, behind a gap too     | interval | 1 3 close                | close:1+ close:3
          what was returned leaves no gap, and is never named | 2      | 1 back2 4 back3 back5 close | close:4+
          """)
  void frames_nameWhatIsSettled(String what, String policy, String steps, String sent) {
    List<String> frames = new ArrayList<>();
    String[] now = {""};
    Acknowledgements acknowledgements =
        new Acknowledgements(
            switch (policy) {
              case "each" -> AcknowledgePolicy.EACH;
              case "interval" -> AcknowledgePolicy.every(SECOND);
              default -> new AcknowledgePolicy(Integer.parseInt(policy), SECOND);
            },
            (tag, multiple) -> frames.add(now[0] + ":" + tag + (multiple ? "+" : "")),
            0);
    long nanos = 0;
    for (String step : steps.split(" ", -1)) {
      now[0] = step;
      if (step.startsWith("@")) {
        nanos = Duration.ofMillis(Long.parseLong(step.substring(1))).toNanos();
        acknowledgements.tick(nanos);
      } else if (step.startsWith("back")) {
        acknowledgements.returned(Long.parseLong(step.substring(4)));
      } else if (step.equals("close")) {
        acknowledgements.acknowledge(nanos);
      } else {
        acknowledgements.settled(Long.parseLong(step), nanos);
      }
    }
    assertThat(frames).as(what).containsExactly(sent.split(" ", -1));
  }
}
