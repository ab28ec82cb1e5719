package io.duplog.senders;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.ImmutableLongArray;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests which gaps in the numbers that a sender gives its messages count as missing messages. */
class MessageNumbersTest {
  private static final long BEGIN = Replay.BEGIN;

  private long now = BEGIN;

  /** Adds one number a second, in groups of ten. */
  private MessageNumbers count(MessageNumbers numbers, long from, long until, long... lost) {
    MessageNumbers sum = numbers;
    for (long each = from; each < until; each += 10) {
      ImmutableLongArray some =
          ImmutableLongArray.copyOf(
              LongStream.range(each, Math.min(until, each + 10))
                  .filter(number -> LongStream.of(lost).noneMatch(gone -> gone == number)));
      sum = sum.plus(some, 0, now, now + 9_000);
      now += 10_000;
    }
    return sum;
  }

  private MessageNumbers late(MessageNumbers numbers, long publishedMillis, long... more) {
    return numbers.plus(ImmutableLongArray.copyOf(more), 0, publishedMillis, publishedMillis);
  }

  @Test
  void absentNumbers_areMissing_untilTheyArrive() {
    MessageNumbers numbers = count(MessageNumbers.NONE, 5_000, 6_000, 5_007, 5_500, 5_501);
    assertThat(numbers.totalMissing()).as("5007 came before the base").isEqualTo(2);

    numbers = late(numbers, BEGIN + 500_000, 5_501);
    assertThat(numbers.totalMissing()).isOne();
    numbers = late(numbers, BEGIN, 4_000);
    assertThat(numbers.totalMissing()).as("before it was watched").isOne();
    assertThat(count(numbers, 6_200, 6_300).totalMissing()).isEqualTo(201);
  }

  @Test
  void numbers_sharedInAnyOrder_giveTheSameResult() {
    List<Long> all = new ArrayList<>(LongStream.range(2, 2_000).boxed().toList());
    all.removeIf(number -> number % 100 == 50);
    MessageNumbers numbers = late(MessageNumbers.NONE, now, 1);
    Random random = new Random(7);
    for (int from = 0; from < all.size(); from += 200) {
      List<Long> some = all.subList(from, Math.min(all.size(), from + 200));
      Collections.shuffle(some, random);
      for (List<Long> half :
          List.of(some.subList(0, some.size() / 2), some.subList(some.size() / 2, some.size()))) {
        numbers = numbers.plus(ImmutableLongArray.copyOf(half), 0, now, now + 1_000);
      }
      now += 1_000;
    }
    assertThat(numbers.totalMissing()).isEqualTo(20);
  }

  @Test
  void restartedCount_keepsEarlierMissingNumbers() {
    MessageNumbers numbers = count(MessageNumbers.NONE, 1, 1_000, 500);
    now += 60_000;
    numbers = count(numbers, 1, 400, 300);

    assertThat(numbers.totalMissing()).isEqualTo(2);
  }

  @Test
  void severalDevicesAtOneAddress_haveNoMissingNumbers() {
    MessageNumbers numbers = MessageNumbers.NONE;
    for (int i = 0; i < 2_000; i++) {
      numbers = late(numbers, now, 10_000 + i);
      now += 31_000;
      numbers = late(numbers, now, 90_000 + i);
      now += 31_000;
      assertThat(numbers.totalMissing()).isZero();
    }
  }

  /**
   * A device sends ten messages a second. Another device, with higher numbers, sends one every ten
   * seconds.
   */
  @Test
  void rareSecondDeviceAtOneAddress_causesNoMissingNumbers() {
    MessageNumbers numbers = MessageNumbers.NONE;
    for (int i = 0; i < 10_000; i++) {
      numbers = count(numbers, 1_000_000 + 100L * i, 1_000_100 + 100L * i);
      numbers = late(numbers, now, 1_500_000 + i);
      assertThat(numbers.totalMissing()).isZero();
    }
  }

  /** A delayed node publishes its messages as if they were new. */
  @Test
  void delayedNumber_fillsItsGap_andEndsNoRun() {
    MessageNumbers numbers = count(MessageNumbers.NONE, 5_000, 6_000, 5_400);
    now += 60_000;
    numbers = late(numbers, now, 5_400);
    numbers = count(numbers, 6_000, 8_000);

    assertThat(numbers.totalMissing()).isZero();
  }

  @Test
  void possiblyDuplicateNumbers_startARun_andKeepEarlierMissingNumbers() {
    MessageNumbers numbers = count(MessageNumbers.NONE, 1, 1_000, 500);
    numbers = numbers.plus(ImmutableLongArray.of(), 1_500, now, now);
    assertThat(numbers.totalMissing()).as("what came meanwhile is not known").isOne();
    numbers = numbers.plus(ImmutableLongArray.of(), 1_200, now, now);
    numbers = count(numbers, 1_501, 2_000, 1_700, 1_701);

    assertThat(numbers.totalMissing()).isEqualTo(3);
  }

  @Test
  void hugeGapOrFewMessages_haveNoMissingNumbers() {
    MessageNumbers numbers = count(MessageNumbers.NONE, 1, 1_000, 500);
    numbers = count(numbers, 2_000_000, 2_001_000);
    assertThat(numbers.totalMissing()).as("the leap itself").isOne();

    assertThat(count(MessageNumbers.NONE, 1, 100, 50).totalMissing()).isZero();
  }
}
