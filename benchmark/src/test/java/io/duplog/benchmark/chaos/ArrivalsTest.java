package io.duplog.benchmark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.benchmark.report.Delays;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the longest delays, and the deliveries in each interval, that a chaos run computes from the
 * times of sending and arrival.
 */
class ArrivalsTest {
  private final Arrivals arrivals = new Arrivals(0);

  /** {@code 7>100} sends message 7 at 100 ms. {@code 7<400} records its arrival at 400 ms. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case | events | end of the load | longest gap, longest delay, number of late messages
          from first copy sent to first arrival | 7>100 7>150 7<400 7<900      | 900   | [500, 300, 0]
          late beyond the limit                 | 7>0 8>0 7<15000 8<15001      | 15001 | [1, 15001, 1]
          repetition that arrives late          | 7>0 7<10 7>20 7<420          | 420   | [410, 400, 0]
          no gap before the first delivery      | 1<1010 2<1020                | 1020  | [10, 0, 0]
          gap from one delivery to the next     | 1<0 2<30 3<40                | 40    | [30, 0, 0]
          gap that never ends                   | 1<0                          | 500   | [500, 0, 0]
          gap that the end of the load ends     | 1<0 2<900                    | 100   | [100, 0, 0]
          one file is read after the other      | 7>0 2<30 8>35 8<50 7<10 1<20 | 50    | [20, 15, 0]
          """)
  void delays_eventsOfMessagesAndSink_hasGapAndDelayAndLateMessages(
      String name, String script, long endMillis, String expected) {
    for (String word : script.split(" ", -1)) {
      String[] parts = word.split("[<>]", -1);
      long serial = Long.parseLong(parts[0]);
      long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[1]));
      if (word.contains(">")) {
        arrivals.recordSent(serial, nanos);
      } else {
        arrivals.arrived(serial, true, nanos);
      }
    }
    Delays delays =
        arrivals.delays(
            Duration.ofSeconds(15), Duration.ZERO, TimeUnit.MILLISECONDS.toNanos(endMillis));
    assertThat(List.of(delays.longestGap().toMillis(), delays.longest().toMillis(), delays.late()))
        .as(name)
        .hasToString(expected);
  }

  /** Two messages wait for the end of the fault, which lasts from 1 s to 5 s. */
  @Test
  void course_messagesThatWaited_countsDeliveriesInTheFault_andTheTimeToCatchUp() {
    record(1, 500, 600);
    record(2, 990, 1010);
    record(3, 1100, 1999);
    record(4, 3000, 5200);
    record(5, 4900, 7300);
    record(6, 7000, 7900);

    assertThat(arrivals.course(Duration.ofSeconds(1), Duration.ofSeconds(5)))
        .isEqualTo("2 delivered during the fault of 4.0 s, caught up 2.3 s after it");
    assertThat(arrivals.course(Duration.ofSeconds(7), Duration.ofSeconds(8)))
        .isEqualTo("2 delivered during the fault of 1.0 s, caught up 0.0 s after it");
  }

  private void record(long serial, long sentMillis, long arrivedMillis) {
    arrivals.recordSent(serial, TimeUnit.MILLISECONDS.toNanos(sentMillis));
    arrivals.arrived(serial, true, TimeUnit.MILLISECONDS.toNanos(arrivedMillis));
  }

  @Test
  void intervals_severalArrivals_countsArrivalsPerInterval() {
    for (long millis : new long[] {10, 249, 800}) {
      arrivals.arrived(millis, true, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    assertThat(arrivals.intervals()).containsExactly(2, 0, 0, 1);
  }
}
