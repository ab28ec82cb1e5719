package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.duplog.parts.Deployed;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests for how long a sender must be silent before the silence is unusual for it. */
@Tag("slow")
class RhythmTest {
  private static final long BEGIN = Replay.BEGIN;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = 24 * HOUR;
  private static final int SENDERS_OF_A_KIND = 1_430;

  /** Returns the rhythm of a sender with a message every ten minutes from 8:00 to 18:00. */
  private static Rhythm daily(int days) {
    Rhythm rhythm = Rhythm.NONE;
    long last = 0;
    for (int day = 0; day < days; day++) {
      for (int i = 0; i < 60; i++) {
        long now = BEGIN + day * DAY + 8 * HOUR + i * HOUR / 6;
        rhythm = Replay.plus(rhythm, last, now);
        last = now;
      }
    }
    return rhythm;
  }

  @Test
  void expectedBursts_dependOnTheHourOfTheWeek() {
    Rhythm rhythm = daily(28);
    long monday = BEGIN + 28 * DAY;

    assertThat(rhythm.expectedBursts(monday + 10 * HOUR, monday + 12 * HOUR))
        .isCloseTo(12, within(2.0));
    assertThat(rhythm.expectedBursts(monday + 20 * HOUR, monday + 24 * HOUR))
        .isCloseTo(0.5, within(0.1));
    assertThat(rhythm.expectedBursts(monday, monday)).isZero();
  }

  @Test
  void quietNight_isProbable_andQuietNoonIsNot() {
    Rhythm rhythm = daily(28);
    long evening = BEGIN + 28 * DAY + 18 * HOUR;

    assertThat(rhythm.isImprobable(rhythm.expectedBursts(evening, evening + 14 * HOUR))).isFalse();
    assertThat(rhythm.isImprobable(rhythm.expectedBursts(evening - 6 * HOUR, evening - 3 * HOUR)))
        .isTrue();
    assertThat(rhythm.isImprobable(rhythm.expectedBursts(evening - 6 * HOUR, evening - 5 * HOUR)))
        .isFalse();
  }

  @Test
  void everyTenMinutes_isImprobableAfter35() {
    Rhythm rhythm = Rhythm.NONE;
    long last = 0;
    for (long now = BEGIN; now < BEGIN + 28 * DAY; now += HOUR / 6) {
      rhythm = Replay.plus(rhythm, last, now);
      last = now;
    }
    long minute = HOUR / 60;

    assertThat(rhythm.isImprobable(rhythm.expectedBursts(last, last + 33 * minute))).isFalse();
    assertThat(rhythm.isImprobable(rhythm.expectedBursts(last, last + 35 * minute))).isTrue();
  }

  @Test
  void silence_inTheFirstSevenDays_isNeverImprobable() {
    assertThat(daily(7).isImprobable(1e6)).isFalse();
    assertThat(daily(9).isImprobable(1e6)).isTrue();
  }

  @Test
  void oneSilence_doesNotHideTheNext() {
    Rhythm rhythm = daily(28);
    long last = BEGIN + 27 * DAY + 18 * HOUR - HOUR / 6;
    long back = last + DAY + 2 * HOUR;
    Rhythm after = Replay.plus(rhythm, last, back);

    assertThat(after.longestSilence()).isGreaterThan(50);
    assertThat(after.isImprobable(20)).isEqualTo(rhythm.isImprobable(20)).isTrue();
  }

  /** Two bridges take turns in sharing their counts, so the times of successive counts overlap. */
  @Test
  void constantlyActiveSender_withOverlappingCounts_isLearned() {
    Rhythm rhythm = Rhythm.NONE;
    long last = 0;
    for (long now = BEGIN; now < BEGIN + 9 * DAY; now += 3_000) {
      rhythm = rhythm.plus(last, now - 6_000, now, 10, 0);
      last = now;
    }

    assertThat(rhythm.expectedBursts(last, last + 60_000)).isCloseTo(6, within(1.0));
    assertThat(rhythm.isImprobable(rhythm.expectedBursts(last, last + 60_000))).isTrue();
    assertThat(rhythm.isImprobable(rhythm.expectedBursts(last, last + 10_000))).isFalse();
  }

  @Test
  void messagesOfManyHours_countForEachHour() {
    Rhythm rhythm = daily(21);
    long monday = BEGIN + 21 * DAY;
    long last = monday - 6 * HOUR;
    Rhythm after = rhythm.plus(last, monday, monday + 20 * HOUR, 40, 1);
    after = after.plus(monday + 20 * HOUR, monday + DAY, monday + DAY, 1, 1);

    long next = monday + 7 * DAY;
    for (int hour = 0; hour < 8; hour++) {
      assertThat(after.expectedBursts(next + hour * HOUR, next + (hour + 1) * HOUR))
          .isCloseTo(0.6, within(0.5));
    }
    assertThat(after.expectedBursts(next + 9 * HOUR, next + 10 * HOUR)).isCloseTo(5, within(1.0));
  }

  @Test
  void lateMessages_doNotChangeTheRhythm() {
    Rhythm rhythm = daily(9);
    long last = BEGIN + 8 * DAY + 18 * HOUR;

    assertThat(rhythm.plus(last, last - HOUR, last - HOUR, 5, 0)).isEqualTo(rhythm);
  }

  /** Compares with the table of docs/decisions/senders.md#sender-rhythm. */
  @Test
  void table_equalsTheDocument() throws Exception {
    List<Replay> all =
        Arrays.stream(Replay.Kind.values())
            .parallel()
            .map(kind -> new Replay(kind).run(SENDERS_OF_A_KIND))
            .toList();
    long alarms = all.stream().mapToLong(each -> each.falseAlarms).sum();
    double fixed = Replay.fixedTime(all, alarms);
    double deviations = Replay.deviations(all, alarms);
    StringBuilder table = new StringBuilder();
    for (Replay each : all) {
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %s | %s | %s | %s | %d |%n",
              each.words(),
              each.falseAlarms,
              hours(each.detectionTimes, 0.5),
              hours(each.detectionTimes, 0.9),
              hours(List.of(fixed), 0.5),
              hours(each.detectionTimesBy(deviations), 0.5),
              each.alarmsAbove(3)));
    }
    assertThat(Files.readString(Deployed.checkout().resolve("docs/decisions/senders.md")))
        .contains(table)
        .contains(String.format(Locale.ROOT, "by %.1f deviations above the mean gap", deviations))
        .contains("%n%d in 140,000 days of a sender".formatted(alarms));
  }

  private static String hours(List<Double> millis, double share) {
    double value = millis.stream().sorted().toList().get((int) (share * (millis.size() - 1)));
    return value == Double.POSITIVE_INFINITY
        ? "never"
        : String.format(Locale.ROOT, "%.1f h", value / HOUR);
  }
}
