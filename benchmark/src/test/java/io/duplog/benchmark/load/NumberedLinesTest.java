package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NumberedLinesTest {
  private static final long LAST = 999_999_999_999L;

  static Stream<Arguments> kinds() {
    return Stream.of(
        kind(110, NumberedLines::plain),
        kind(800, NumberedLines::structured),
        kind(250, NumberedLines::accessLog),
        kind(340, NumberedLines::firewall));
  }

  private static Arguments kind(int length, LongFunction<NumberedLines> lines) {
    return Arguments.of(length, lines);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void sameSeedAndNumber_giveTheSameBytes(int length, LongFunction<NumberedLines> kind) {
    NumberedLines lines = kind.apply(5);
    NumberedLines again = kind.apply(5);
    for (long serial : new long[] {0, 1, 4_095, 4_096, 123_456_789, LAST}) {
      assertThat(text(again, serial)).isEqualTo(text(lines, serial)).hasSize(length);
      assertThat(text(kind.apply(6), serial)).as("another seed").isNotEqualTo(text(lines, serial));
    }
    assertThat(lines.length()).isEqualTo(length);
    assertThat(lines.seed()).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noTwo_areAlike_notEvenWhereTheirNumbersAreCovered_andAllIsPrintable(
      int length, LongFunction<NumberedLines> kind) {
    NumberedLines lines = kind.apply(1);
    Set<String> seen = new HashSet<>();
    for (long serial = 0; serial < 20_000; serial++) {
      String text = text(lines, serial);
      assertThat(seen.add(text.replace("%012d".formatted(serial), ""))).as(text).isTrue();
      assertThat(text.chars().allMatch(c -> c >= ' ' && c <= '~')).as(text).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void number_isReadBack(int length, LongFunction<NumberedLines> kind) {
    NumberedLines lines = kind.apply(1);
    byte[] bytes = new byte[length + 7];
    for (long serial : new long[] {0, 9, 10, 987_654_321_098L, LAST}) {
      assertThat(lines.write(serial, bytes, 7)).isEqualTo(7 + length);
      assertThat(lines.serialOf(bytes, 7, length)).isEqualTo(serial);
      assertThat(lines.serialOf(bytes, 7, length - 1)).as("torn").isEqualTo(-1);
    }
  }

  @Test
  void text_thatHasNoNumber_saysSo() {
    NumberedLines lines = NumberedLines.plain(1);
    byte[] other = "x".repeat(lines.length()).getBytes(StandardCharsets.US_ASCII);
    assertThat(lines.serialOf(other, 0, other.length)).isEqualTo(-1);
  }

  private static String text(NumberedLines lines, long serial) {
    byte[] bytes = new byte[lines.length()];
    lines.write(serial, bytes, 0);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
