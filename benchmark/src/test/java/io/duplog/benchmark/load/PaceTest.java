package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Schedules and other paces. No schedule has begun: its beginning is at 0 nanoseconds. */
class PaceTest {
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private long now = 10 * SECOND;
  private final SteppedRate stepped = new SteppedRate(new Flood(() -> 100, 50), () -> now);

  static Stream<Schedule> schedules() {
    return Stream.of(
        new Schedule(20, Duration.ofSeconds(3), 1),
        new Schedule(500, Duration.ofSeconds(3), 1),
        new Schedule(3_333, Duration.ofMillis(700), 3),
        new Schedule(20_000, Duration.ofMillis(1_250), 2),
        new Schedule(123_456, Duration.ofMillis(100), 4));
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void message_isDueAtItsTime_andNotBefore_andNoneAfterTheEnd(Schedule schedule) {
    assertThat(schedule.messages()).isPositive();
    long last = 0;
    for (long serial = 0; serial < schedule.messages(); serial++) {
      long due = schedule.dueNanos(serial);
      assertThat(due).as("the time of %s", serial).isGreaterThanOrEqualTo(last);
      assertThat(schedule.dueBy(due)).as("at the time of %s", serial).isGreaterThan(serial);
      assertThat(schedule.dueBy(due - 1)).as("before that").isLessThanOrEqualTo(serial);
      last = due;
    }
    assertThat(schedule.dueBy(TimeUnit.HOURS.toNanos(1))).isEqualTo(schedule.messages());
    assertThat(schedule.dueNanos(schedule.messages())).isGreaterThanOrEqualTo(last);
  }

  @Test
  void flood_isNotAskedAnyMore_onceThereIsARate() {
    AtomicInteger asked = new AtomicInteger();
    SteppedRate pace = new SteppedRate(new Flood(asked::incrementAndGet, 50), () -> now);
    pace.allowed(0);
    pace.set(10, 0);
    pace.allowed(0);
    assertThat(asked).hasValue(1);
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void bordersOfSlots_haveNoGapAndNoStepBack(Schedule schedule) {
    long end = schedule.dueNanos(schedule.messages() - 1);
    for (long border = SLOT_NANOS; border <= end + SLOT_NANOS; border += SLOT_NANOS) {
      long before = schedule.dueBy(border - 1);
      assertThat(schedule.dueBy(border)).isBetween(before, before + 1);
    }
  }

  @Test
  void levels_areInTheRatioOf1To2To7_withPeaksOf10() {
    Schedule schedule = new Schedule(100_000, Duration.ofSeconds(60), 3);
    TreeSet<Long> rests = new TreeSet<>();
    TreeSet<Long> peaks = new TreeSet<>();
    for (int half = 0; half < 120; half++) {
      long first = TimeUnit.MILLISECONDS.toNanos(500L * half);
      long tenth = TimeUnit.MILLISECONDS.toNanos(100);
      long rest = schedule.dueBy(first + 5 * tenth) - schedule.dueBy(first + tenth);
      long peak = schedule.dueBy(first + tenth) - schedule.dueBy(first);
      rests.add(rest);
      peaks.add(peak);
      assertThat(peak).isEqualTo(rest == 28_000 ? 10_000 : rest / 4);
    }
    assertThat(rests).as("0.4 s each").containsExactly(4_000L, 8_000L, 28_000L);
    assertThat(peaks).as("0.1 s each").containsExactly(1_000L, 2_000L, 10_000L);
  }

  @Test
  void sameSeed_givesTheSameLevels() {
    assertThat(everyTenth(3)).isEqualTo(everyTenth(3)).isNotEqualTo(everyTenth(4));
  }

  private static List<Long> everyTenth(long seed) {
    Schedule schedule = new Schedule(1_000, Duration.ofSeconds(30), seed);
    return LongStream.range(0, 300)
        .mapToObj(tenth -> schedule.dueBy(tenth * 100 * SLOT_NANOS))
        .toList();
  }

  @Test
  void beginning_shiftsEveryTime() {
    Schedule schedule = new Schedule(10_000, Duration.ofSeconds(1), 1);
    long first = schedule.dueNanos(0);
    long rest = schedule.dueNanos(999) - first;
    long before = System.nanoTime();
    schedule.begin();
    assertThat(schedule.dueNanos(0) - first).isBetween(before, System.nanoTime());
    assertThat(schedule.dueNanos(999) - schedule.dueNanos(0)).isEqualTo(rest);
  }

  @ParameterizedTest
  @CsvSource({
    "      0, 9223372036854775807,    0,  16384",
    "      0, 9223372036854775807, 1000,  17384",
    "   5000, 9223372036854775807, 1000,  17384",
    "      0,                 100,    0,    100",
    "     50,                 100,  100,    150",
    "1000000,                 100,  100,  16484",
  })
  void flood_holdsAStreamAtItsLead_andBoundsWhatIsUnderWay(
      long delivered, long underWay, long sentByAll, long allowed) {
    Flood flood = new Flood(() -> delivered, underWay);
    flood.begin();

    assertThat(flood.allowed(sentByAll)).isEqualTo(allowed);
    assertThat(flood.dueNanos(7)).as("no message has a time of its own").isNegative();
  }

  @Test
  void rate_countsFromWhatHadLeftWhenItWasGiven_andALaterOneMakesUpForNothing() {
    assertThat(stepped.allowed(120)).as("the flood's").isEqualTo(150);
    assertThat(stepped.dueNanos(7)).isNegative();
    long start = now;
    stepped.set(1_000, 150);
    assertThat(stepped.allowed(150)).isEqualTo(150);
    now += 5 * SECOND / 2;
    assertThat(stepped.allowed(150)).isEqualTo(2_650);

    stepped.set(10, 400);
    now += SECOND;
    assertThat(stepped.allowed(400)).isEqualTo(410);
    stepped.set(0, 405);
    now += 100 * SECOND;
    assertThat(stepped.allowed(405)).isEqualTo(405);

    assertThat(stepped.dueNanos(149)).as("the flood's").isNegative();
    assertThat(LongStream.of(150, 399, 400, 404, 405).map(stepped::dueNanos))
        .as("1,000 a second from 150 on, 10 a second from 400 on for 2.5 s later; then none")
        .containsExactly(
            start + SECOND / 1_000,
            start + SECOND / 4,
            start + 5 * SECOND / 2 + SECOND / 10,
            start + 5 * SECOND / 2 + SECOND / 2,
            start + 5 * SECOND / 2 + 6 * SECOND / 10);
  }
}
