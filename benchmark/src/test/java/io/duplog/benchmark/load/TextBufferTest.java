package io.duplog.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class TextBufferTest {
  private final TextBuffer buffer = new TextBuffer(64);

  @Test
  void numbers_areWrittenWithTheirWidth() {
    buffer.decimal(0).put(' ').decimal(1234567).put(' ').decimal(7, 3).put(' ').hex(0x1f);

    assertThat(text()).isEqualTo("0 1234567 007 000000000000001f");
  }

  @Test
  void timestamps_ofBothFormats_areThoseOfTheStandards() {
    Timestamps timestamps = new Timestamps(ZoneOffset.ofHours(1));
    long millis = Instant.parse("2026-11-03T23:04:05.006Z").toEpochMilli();

    timestamps.rfc3164(millis, buffer);
    buffer.put('|');
    timestamps.rfc5424(millis, buffer);

    assertThat(text()).isEqualTo("Nov  4 00:04:05|2026-11-03T23:04:05.006Z");
  }

  private String text() {
    return new String(buffer.bytes(), 0, buffer.length(), StandardCharsets.US_ASCII);
  }
}
