package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that generated test messages are all different, and that a message's number can be read
 * back from its bytes.
 */
class NumberedLinesTest {
  private static final long MAX_SERIAL = 999_999_999_999L;

  static Stream<Arguments> kinds() {
    return ImmutableMap.<Integer, LongFunction<NumberedLines>>of(
            110, NumberedLines::plain,
            800, NumberedLines::structured,
            250, NumberedLines::accessLog,
            340, NumberedLines::firewall)
        .entrySet()
        .stream()
        .map(kind -> Arguments.of(kind.getKey(), kind.getValue()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void write_sameSeedAndNumber_givesSameBytesAndReadableNumber(
      int length, LongFunction<NumberedLines> kind) {
    NumberedLines lines = kind.apply(5);
    NumberedLines sameLines = kind.apply(5);
    byte[] bytes = new byte[length + 7];
    for (long serial : new long[] {0, 1, 9, 10, 4_095, 4_096, 123_456_789, MAX_SERIAL}) {
      assertThat(text(sameLines, serial)).isEqualTo(text(lines, serial)).hasSize(length);
      assertThat(text(kind.apply(6), serial)).as("another seed").isNotEqualTo(text(lines, serial));
      assertThat(lines.write(serial, bytes, 7)).isEqualTo(7 + length);
      assertThat(lines.serialOf(bytes, 7, length)).isEqualTo(serial);
      assertThat(lines.serialOf(bytes, 7, length - 1)).as("truncated").isEqualTo(-1);
    }
    byte[] other = "x".repeat(length).getBytes(StandardCharsets.US_ASCII);
    assertThat(lines.serialOf(other, 0, length)).as("no number").isEqualTo(-1);
    assertThat(lines.length()).isEqualTo(length);
    assertThat(lines.seed()).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void write_differentNumbers_givesDistinctPrintableLinesEvenWithoutNumber(
      int length, LongFunction<NumberedLines> kind) {
    NumberedLines lines = kind.apply(1);
    Set<String> textsWithoutNumber = new HashSet<>();
    for (long serial = 0; serial < 20_000; serial++) {
      String text = text(lines, serial);
      assertThat(textsWithoutNumber.add(text.replace("%012d".formatted(serial), "")))
          .as(text)
          .isTrue();
      assertThat(text.chars().allMatch(c -> c >= ' ' && c <= '~')).as(text).isTrue();
    }
  }

  private static String text(NumberedLines lines, long serial) {
    byte[] bytes = new byte[lines.length()];
    lines.write(serial, bytes, 0);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
