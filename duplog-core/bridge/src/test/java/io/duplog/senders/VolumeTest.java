package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.parts.Deployed;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests when a sender is reported because it sends far more or far fewer messages than usual. */
class VolumeTest {
  private static final long BEGIN = Replay.BEGIN;
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long DAY = 24 * HOUR;
  private static final int SENDERS_OF_A_KIND = 1_430;

  /**
   * Returns the volume of a sender with these numbers of messages in each hour, for this many days.
   */
  private static Volume sent(int days, IntUnaryOperator ofHour) {
    return sent(Volume.NONE, 0, days * 24, ofHour);
  }

  private static Volume sent(Volume volume, int fromHour, int toHour, IntUnaryOperator ofHour) {
    Volume sum = volume;
    for (int hour = fromHour; hour < toHour; hour++) {
      long at = BEGIN + hour * HOUR;
      sum = sum.plus(at, at + HOUR - 1, ofHour.applyAsInt(hour));
    }
    return sum;
  }

  @Test
  void hour_withFiveTimesTheUsualMaximum_isLoudForTwoHours() {
    Volume usual = sent(15, hour -> hour % 24 == 3 ? 400 : 100);
    long now = BEGIN + 15 * DAY;

    assertThat(usual.plus(now, now, 1_999).change(now)).isNull();
    Volume loud = usual.plus(now, now, 1_000).plus(now, now, 1_000);
    assertThat(loud.change(now)).isEqualTo(new Volume.Change(2_000, 400));
    Volume next = loud.plus(now + HOUR, now + HOUR, 90);
    assertThat(next.change(now + HOUR)).isEqualTo(new Volume.Change(2_000, 400));
    assertThat(next.plus(now + 2 * HOUR, now + 2 * HOUR, 90).change(now + 2 * HOUR)).isNull();
    assertThat(loud.change(now + 2 * HOUR)).isNull();
  }

  @Test
  void dailyFlood_isLoudForThreeDays_andThenUsual() {
    Volume usual = sent(15, hour -> 400);
    Volume flood = sent(usual, 15 * 24, 18 * 24, hour -> 4_000);

    assertThat(flood.change(BEGIN + 18 * DAY - HOUR)).isNotNull();
    assertThat(sent(flood, 18 * 24, 18 * 24 + 1, hour -> 4_000).change(BEGIN + 18 * DAY)).isNull();
  }

  @Test
  void oneFlood_doesNotHideTheNext() {
    Volume once = sent(15, hour -> hour == 5 * 24 ? 4_000 : 400);
    long now = BEGIN + 15 * DAY;

    assertThat(once.plus(now, now, 2_000).change(now)).isEqualTo(new Volume.Change(2_000, 400));
  }

  @Test
  void rarelyActiveSender_isNotLoud() {
    long now = BEGIN + 15 * DAY;

    assertThat(sent(15, hour -> hour % 48 == 0 ? 1 : 0).plus(now, now, 5_000).change(now))
        .as("seven days of two weeks")
        .isNull();
  }

  @Test
  void hour_withFewMessagesOrInTheFirstWeek_isNotLoud() {
    assertThat(
            sent(15, hour -> 1)
                .plus(BEGIN + 15 * DAY, BEGIN + 15 * DAY, 999)
                .change(BEGIN + 15 * DAY))
        .isNull();
    for (int days : new int[] {8, 9}) {
      long now = BEGIN + days * DAY;
      assertThat(sent(days, hour -> 1).plus(now, now, 9_999).change(now) != null)
          .isEqualTo(days == 9);
    }
  }

  @Test
  void day_withHalfTheUsualMessages_isSlow_forAWeek() {
    // few messages at the weekend, and half as many from the 29th day on
    IntUnaryOperator office = hour -> (hour / 24 % 7 >= 5 ? 2 : 40) / (hour >= 28 * 24 ? 2 : 1);
    Volume slow = sent(29, office).plus(BEGIN + 29 * DAY, BEGIN + 29 * DAY, 1);

    assertThat(slow.change(BEGIN + 29 * DAY)).isNull();
    assertThat(slow.change(BEGIN + 29 * DAY + HOUR)).isEqualTo(new Volume.Change(480, 960));
    Volume midnight = sent(30, office).plus(BEGIN + 30 * DAY, BEGIN + 30 * DAY, 1);
    assertThat(midnight.change(BEGIN + 30 * DAY)).as("until the next day is over").isNotNull();
    assertThat(sent(32, office).change(BEGIN + 32 * DAY + HOUR)).isNotNull();
    assertThat(sent(43, office).change(BEGIN + 43 * DAY + HOUR)).isNull();
    assertThat(sent(22, office).change(BEGIN + 22 * DAY + HOUR)).isNull();
  }

  @Test
  void irregularOrNewSender_isNotSlow() {
    IntUnaryOperator half = hour -> hour >= 28 * 24 ? 20 : 40;
    long now = BEGIN + 29 * DAY + HOUR;

    assertThat(sent(29, half).change(now)).isNotNull();
    assertThat(sent(29, hour -> hour / 24 == 17 ? 20 : half.applyAsInt(hour)).change(now)).isNull();
    assertThat(sent(29, hour -> hour / 24 == 10 ? 80 : half.applyAsInt(hour)).change(now)).isNull();
    assertThat(sent(Volume.NONE, 8 * 24, 29 * 24, half).change(now)).isNull();
    assertThat(sent(29, hour -> half.applyAsInt(hour) / 10).change(now)).isNull(); // 96 a day
    assertThat(sent(28, half).change(now)).isNull(); // silent, which others tell
  }

  @Test
  void messagesOfManyHours_countForEachHour_andLateOnesForTheirDay() {
    Volume once = sent(15, hour -> 100);
    long now = BEGIN + 15 * DAY;

    assertThat(once.plus(now, now + 20 * HOUR - 1, 2_000))
        .isEqualTo(sent(once, 360, 380, h -> 100));
    Volume late = once.plus(now - 3 * DAY, now - 3 * DAY, 50);
    assertThat(late.days().get(2)).isEqualTo(2_450);
    assertThat(late.busiestHours()).isEqualTo(once.busiestHours());
    assertThat(once.plus(0, 0, 50)).isEqualTo(once);
    assertThat(once.plus(now, now, 0)).isEqualTo(once);
  }

  @Test
  void numbersAndText_areBounded() {
    long now = BEGIN;
    Volume much = Volume.NONE.plus(now, now, Integer.MAX_VALUE).plus(now, now, Integer.MAX_VALUE);

    assertThat(much.days().get(0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(Volume.parse(much.text())).isEqualTo(much);
    assertThat(sent(40, hour -> 5_000).text()).hasSizeLessThan(230);
  }

  /** A pattern of a sender's messages per hour. */
  private enum Kind {
    STEADY("steady"),
    DIURNAL("by day, a twentieth at night"),
    WEEKLY("in office hours, little else"),
    BURSTY("in bursts"),
    HALVED("steady, and half as much in the last week"),
    TENFOLD("steady, and ten times as much for three hours");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** Simulates senders of one kind for five weeks, and checks them each hour in the last two. */
  private static final class Watched {
    private static final int LAST_WEEK = 28 * 24;
    private static final int END = 35 * 24;

    int loud;
    int slow;
    int deviations;
    int halves;

    Watched(Kind kind) {
      Random random = new Random(kind.words.length());
      for (int i = 0; i < SENDERS_OF_A_KIND; i++) {
        watch(kind, Math.exp(Math.log(5) + random.nextDouble() * Math.log(2_000)), random);
      }
    }

    private void watch(Kind kind, double anHour, Random random) {
      Volume volume = Volume.NONE;
      boolean isLoud = false;
      boolean isSlow = false;
      boolean isBeyond = false;
      boolean isHalf = false;
      double sum = 0;
      double squares = 0;
      long[] days = new long[35];
      for (int hour = 0; hour < END; hour++) {
        long messages = messages(kind, anHour, hour, random);
        long at = BEGIN + hour * HOUR;
        volume = volume.plus(at, at + HOUR - 1, messages);
        days[hour / 24] += messages;
        if (hour >= 21 * 24) {
          Volume.Change change = volume.change(at + HOUR - 1);
          isLoud |= change != null && change.isLoud();
          isSlow |= change != null && !change.isLoud();
          double mean = sum / hour;
          isBeyond |= messages > mean + 3 * Math.sqrt(Math.max(0, squares / hour - mean * mean));
          int day = hour / 24;
          isHalf |= hour % 24 == 23 && days[day] < 0.6 * days[day - 1];
        }
        sum += messages;
        squares += (double) messages * messages;
      }
      loud += isLoud ? 1 : 0;
      slow += isSlow ? 1 : 0;
      deviations += isBeyond ? 1 : 0;
      halves += isHalf ? 1 : 0;
    }

    private static long messages(Kind kind, double anHour, int hour, Random random) {
      boolean day = hour % 24 >= 8 && hour % 24 < 18;
      boolean weekend = hour / 24 % 7 >= 5;
      double mean =
          switch (kind) {
            case STEADY -> anHour;
            case DIURNAL -> day ? anHour : anHour / 20;
            case WEEKLY -> day && !weekend ? anHour : anHour / 20;
            case BURSTY -> anHour * Math.exp(2 * random.nextGaussian());
            case HALVED -> hour >= LAST_WEEK ? anHour / 2 : anHour;
            case TENFOLD -> hour >= LAST_WEEK + 60 && hour < LAST_WEEK + 63 ? 10 * anHour : anHour;
          };
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
  }

  /** Compares with the table of docs/decisions/senders.md#sender-volume. */
  @Test
  void table_equalsTheDocument() throws Exception {
    StringBuilder table = new StringBuilder();
    for (Kind kind : Kind.values()) {
      Watched seen = new Watched(kind);
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %,d | %,d | %,d | %,d |%n",
              kind.words,
              seen.loud,
              seen.deviations,
              seen.slow,
              seen.halves));
    }
    assertThat(Files.readString(Deployed.checkout().resolve("docs/decisions/senders.md")))
        .contains(table);
  }
}
