package io.duplog.coverage.senders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadersTest {
  @Test
  void messageThatWaited_changesLittle_andTheNextOneMendsIt() {
    Headers headers = Headers.NONE.plus(-90_000L);
    assertThat(headers.isOff()).isTrue();
    headers = headers.plus(-200L).plus(-120_000L);
    assertThat(headers.isOff()).isFalse();
    assertThat(headers.plus(-100L)).isEqualTo(new Headers(4, 0, -100));
    for (int i = 0; i < 20; i++) {
      headers = headers.plus(-300_000L);
    }
    assertThat(headers.aheadMillis()).isBetween(-300_000L, -290_000L);
  }

  @Test
  void malformedHeader_saysNothingOfTheClock() {
    Headers headers = Headers.NONE.plus(Headers.Reader.MALFORMED).plus(-90_000L).plus(null);

    assertThat(headers.plus(Headers.Reader.MALFORMED)).isEqualTo(new Headers(3, 2, -90_000));
  }

  @ParameterizedTest
  @CsvSource({
    "59000,",
    "3600000, +01:00",
    "-18030000, -05:00",
    "19770000, +05:30",
    "500000,",
    "86400000,",
  })
  void zone_isTheOneInWhichTheClockIsRight(long aheadMillis, String zone) {
    assertThat(new Headers(1, 0, aheadMillis).zone())
        .isEqualTo(zone == null ? null : ZoneOffset.of(zone));
  }

  @Test
  void text_isReadBackAsItWas() {
    Headers headers = new Headers(12, 3, -4_500);

    assertThat(Headers.parse(headers.text())).isEqualTo(headers);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,2", "1,2,3,4", "a,b,c"})
  void otherText_isNone(String text) {
    assertThatThrownBy(() -> Headers.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
