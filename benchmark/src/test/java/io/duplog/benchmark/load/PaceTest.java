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

/**
 * Tests when each way of pacing a load permits the next message to be sent. No schedule has begun,
 * so each starts at 0 nanoseconds.
 */
class PaceTest {
  private static final long SLOT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long now = 10 * SECOND_NANOS;
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
  void dueNanos_eachMessage_isFirstMomentAtWhichMessageIsDue(Schedule schedule) {
    assertThat(schedule.messages()).isPositive();
    long last = 0;
    for (long serial = 0; serial < schedule.messages(); serial++) {
      long due = schedule.dueNanos(serial);
      assertThat(due).as("the time of %s", serial).isGreaterThanOrEqualTo(last);
      assertThat(schedule.dueMessages(due)).as("at the time of %s", serial).isGreaterThan(serial);
      assertThat(schedule.dueMessages(due - 1))
          .as("just before the time of %s", serial)
          .isLessThanOrEqualTo(serial);
      last = due;
    }
    assertThat(schedule.dueMessages(TimeUnit.HOURS.toNanos(1))).isEqualTo(schedule.messages());
    assertThat(schedule.dueNanos(schedule.messages())).isGreaterThanOrEqualTo(last);
  }

  @Test
  void allowed_rateSet_noLongerQueriesFlood() {
    AtomicInteger queries = new AtomicInteger();
    SteppedRate pace = new SteppedRate(new Flood(queries::incrementAndGet, 50), () -> now);
    pace.allowed(0);
    pace.set(10, 0);
    pace.allowed(0);
    assertThat(queries).hasValue(1);
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void dueMessages_atSlotBorders_growsByAtMostOne(Schedule schedule) {
    long end = schedule.dueNanos(schedule.messages() - 1);
    for (long border = SLOT_NANOS; border <= end + SLOT_NANOS; border += SLOT_NANOS) {
      long prefix = schedule.dueMessages(border - 1);
      assertThat(schedule.dueMessages(border)).isBetween(prefix, prefix + 1);
    }
  }

  @Test
  void schedule_longRun_hasLevelsOf1And2And7WithPeaksOf10() {
    Schedule schedule = new Schedule(100_000, Duration.ofSeconds(60), 3);
    TreeSet<Long> levelSums = new TreeSet<>();
    TreeSet<Long> peakSums = new TreeSet<>();
    for (int half = 0; half < 120; half++) {
      long first = TimeUnit.MILLISECONDS.toNanos(500L * half);
      long tenth = TimeUnit.MILLISECONDS.toNanos(100);
      long calmCount =
          schedule.dueMessages(first + 5 * tenth) - schedule.dueMessages(first + tenth);
      long peakCount = schedule.dueMessages(first + tenth) - schedule.dueMessages(first);
      levelSums.add(calmCount);
      peakSums.add(peakCount);
      assertThat(peakCount).isEqualTo(calmCount == 28_000 ? 10_000 : calmCount / 4);
    }
    assertThat(levelSums).as("0.4 s each").containsExactly(4_000L, 8_000L, 28_000L);
    assertThat(peakSums).as("0.1 s each").containsExactly(1_000L, 2_000L, 10_000L);
  }

  @Test
  void schedule_sameSeed_hasSameLevels() {
    assertThat(dueByTenthOfSecond(3))
        .isEqualTo(dueByTenthOfSecond(3))
        .isNotEqualTo(dueByTenthOfSecond(4));
  }

  private static List<Long> dueByTenthOfSecond(long seed) {
    Schedule schedule = new Schedule(1_000, Duration.ofSeconds(30), seed);
    return LongStream.range(0, 300)
        .mapToObj(tenth -> schedule.dueMessages(tenth * 100 * SLOT_NANOS))
        .toList();
  }

  @Test
  void begin_calledLater_shiftsAllDueTimes() {
    Schedule schedule = new Schedule(10_000, Duration.ofSeconds(1), 1);
    long first = schedule.dueNanos(0);
    long calmCount = schedule.dueNanos(999) - first;
    long prefix = System.nanoTime();
    schedule.begin();
    assertThat(schedule.dueNanos(0) - first).isBetween(prefix, System.nanoTime());
    assertThat(schedule.dueNanos(999) - schedule.dueNanos(0)).isEqualTo(calmCount);
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
  void flood_leadOrMaximumInFlight_limitsAllowedMessages(
      long delivered, long maxInFlight, long sentByAll, long allowed) {
    Flood flood = new Flood(() -> delivered, maxInFlight);
    flood.begin();

    assertThat(flood.allowed(sentByAll)).isEqualTo(allowed);
    assertThat(flood.dueNanos(7)).as("messages of a flood have no due time").isNegative();
  }

  @Test
  void steppedRate_changed_countsFromMessagesSentAtThatTime() {
    assertThat(stepped.allowed(120)).as("before the first rate").isEqualTo(150);
    assertThat(stepped.dueNanos(7)).isNegative();
    long start = now;
    stepped.set(1_000, 150);
    assertThat(stepped.allowed(150)).isEqualTo(150);
    now += 5 * SECOND_NANOS / 2;
    assertThat(stepped.allowed(150)).isEqualTo(2_650);

    stepped.set(10, 400);
    now += SECOND_NANOS;
    assertThat(stepped.allowed(400)).isEqualTo(410);
    stepped.set(0, 405);
    now += 100 * SECOND_NANOS;
    assertThat(stepped.allowed(405)).isEqualTo(405);

    assertThat(stepped.dueNanos(149)).as("before the first rate").isNegative();
    assertThat(LongStream.of(150, 399, 400, 404, 405).map(stepped::dueNanos))
        .as(
            "1,000 per second from message 150, 10 per second from message 400 and 2.5 s later; then none")
        .containsExactly(
            start + SECOND_NANOS / 1_000,
            start + SECOND_NANOS / 4,
            start + 5 * SECOND_NANOS / 2 + SECOND_NANOS / 10,
            start + 5 * SECOND_NANOS / 2 + SECOND_NANOS / 2,
            start + 5 * SECOND_NANOS / 2 + 6 * SECOND_NANOS / 10);
  }
}
