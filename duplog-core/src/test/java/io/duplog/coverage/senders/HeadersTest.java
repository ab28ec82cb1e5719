package io.duplog.coverage.senders;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadersTest {
  @Test
  void messageThatWaited_changesLittle_andTheNextOneMendsIt() {
    Headers headers = Headers.NONE.plus(-90_000L);
    assertThat(headers.isOff()).isTrue();
    headers = headers.plus(-200L).plus(-120_000L);
    assertThat(headers.isOff()).isFalse();
    assertThat(headers.plus(-100L)).isEqualTo(new Headers(4, 0, 1, -100, -100));
    for (int i = 0; i < 20; i++) {
      headers = headers.plus(-300_000L);
    }
    assertThat(headers.aheadMillis()).isBetween(-300_000L, -290_000L);
  }

  @Test
  void malformedHeader_saysNothingOfTheClock() {
    Headers headers = Headers.NONE.plus(Headers.Reader.MALFORMED).plus(-90_000L).plus(null);

    assertThat(headers.plus(Headers.Reader.MALFORMED))
        .isEqualTo(new Headers(3, 2, 0, -90_000, -90_000));
  }

  @ParameterizedTest
  @CsvSource({
    "59000, false",
    "3600000, true",
    "-18030000, true",
    "19770000, true",
    "500000, false",
    "900000, false",
    "86400000, false",
  })
  void zone_explainsHoursAndHalfHours(long aheadMillis, boolean explains) {
    assertThat(Headers.NONE.plus(aheadMillis).isZone()).isEqualTo(explains);
  }

  @Test
  void senderWhoseZoneChanges_isInTheNewOneAtOnce() {
    Headers summer = Headers.NONE.plus(7_200_000L);
    Headers winter = summer.plus(3_600_000L);

    assertThat(winter.isZone()).isTrue();
    assertThat(winter.aheadMillis()).isEqualTo(3_600_000L);
    assertThat(winter.plus(0L).isOff()).isFalse();
  }

  @Test
  void messageIsLate_thatIsFurtherBehindThanTheOneBefore() {
    Headers headers = Headers.NONE.plus(-500_000L).plus(-500_000L);
    assertThat(headers.plus(-559_999L).late()).isZero();
    assertThat(headers.plus(-560_000L).late()).isOne();
    assertThat(headers.plus(0L).late()).as("another clock").isZero();
    Headers odd = headers.plus(9_000_000L).plus(-500_000L);
    assertThat(odd.plus(-500_000L).late()).as("after one that was far ahead").isOne();

    Headers summer = Headers.NONE.plus(7_200_000L);
    assertThat(summer.plus(3_600_000L).late()).as("another zone").isZero();
  }

  @Test
  void oneHeader_saysLittle_ofManyBeforeIt() {
    Headers headers = Headers.NONE.plus(Headers.Reader.MALFORMED);
    for (int i = 0; i < 100; i++) {
      headers = headers.plus(0L);
    }
    Headers odd = headers.plus(252_000_000_000_000L);
    assertThat(odd.plus(0L).isOff()).as("a year that nobody means").isFalse();
    assertThat(odd.malformed()).isOne();
    for (int i = 0; i < 1_000; i++) {
      headers = headers.plus(0L);
    }
    assertThat(headers.malformed()).as("long ago").isZero();
  }
}
