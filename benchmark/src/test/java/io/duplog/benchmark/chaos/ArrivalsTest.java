package io.duplog.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.report.Delays;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the delays and intervals that are computed from when messages were sent and arrived. */
class ArrivalsTest {
  private final Arrivals arrivals = new Arrivals(0);

  /**
   * {@code 7>100} sends message 7 at 100 ms, and {@code 7<400} finds it in the sink; {@code no@20}
   * is a look at 20 ms that finds nothing, {@code yes@20} one that finds something.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          from first copy sent to first arrival | 7>100 7>150 7<400 7<900              | 0   | 300   | 0
          late beyond the limit                 | 7>0 8>0 7<15000 8<15001              | 0   | 15001 | 1
          no gap before the first delivery      | no@0 no@1000 yes@1010 yes@1020       | 10  | 0     | 0
          gap from one delivery to the next     | yes@0 no@10 no@20 yes@30 yes@40      | 30  | 0     | 0
          gap that never ends                   | yes@0 no@500                         | 500 | 0     | 0
          """)
  void delays_areOfMessagesAndOfTheSink(
      String name, String script, int gap, int longest, long late) {
    for (String word : script.split(" ", -1)) {
      String[] parts = word.split("[<>@]", -1);
      long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[1]));
      switch (word.charAt(parts[0].length())) {
        case '>' -> arrivals.sent(Long.parseLong(parts[0]), nanos);
        case '<' -> arrivals.arrived(Long.parseLong(parts[0]), nanos);
        default -> arrivals.looked(parts[0].equals("yes"), nanos);
      }
    }
    assertThat(arrivals.delays(Duration.ofSeconds(15), Duration.ZERO))
        .as(name)
        .isEqualTo(
            new Delays(Duration.ofMillis(gap), Duration.ofMillis(longest), late, Duration.ZERO));
  }

  @Test
  void arrivals_areCountedByInterval() {
    for (long millis : new long[] {10, 249, 800}) {
      arrivals.arrived(millis, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    assertThat(arrivals.intervals()).containsExactly(2, 0, 0, 1);
  }
}
