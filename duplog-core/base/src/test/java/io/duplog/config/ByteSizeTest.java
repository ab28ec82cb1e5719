package io.duplog.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that sizes with units, such as {@code 64MiB}, are read and printed correctly, and that
 * other texts are refused.
 */
class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0B, 0, 0B",
    "512B, 512, 512B",
    "1024B, 1024, 1KiB",
    "64KiB, 65536, 64KiB",
    "1536KiB, 1572864, 1536KiB",
    "4MiB, 4194304, 4MiB",
    "2GiB, 2147483648, 2GiB"
  })
  void parse_sizeWithUnit_isFormattedInTheLargestPossibleUnit(
      String text, long bytes, String formatted) {
    assertThat(ByteSize.parse(text)).isEqualTo(new ByteSize(bytes)).hasToString(formatted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1KB", "1MB", "1 MiB", "1.5MiB", "-1B", "MiB", "1mib"})
  void parse_otherText_isRefused(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .hasMessage("must be a size such as 512B, 64KiB, 4MiB or 1GiB");
  }

  @Test
  void parse_sizeBeyondLong_isRefused() {
    assertThatThrownBy(() -> ByteSize.parse("999999999999999GiB"))
        .hasMessage("must be a smaller size");
  }

  @Test
  void toIntExact_sizeBeyondInt_throws() {
    assertThat(new ByteSize(7).toIntExact()).isEqualTo(7);
    assertThatThrownBy(() -> ByteSize.parse("2GiB").toIntExact())
        .isInstanceOf(ArithmeticException.class);
  }
}
