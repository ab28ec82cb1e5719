package io.duplog.deliver.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a time zone's offsets, which the bridge computes without allocating, equal those of
 * the JDK.
 */
class ZoneOffsetsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UTC", "+05:45", "Europe/Berlin", "America/New_York",
        "Australia/Lord_Howe", "Asia/Tehran", "Pacific/Apia", "Africa/Casablanca"
      })
  void localTimes_areThoseOfTheJdk(String name) {
    ZoneId zone = ZoneId.of(name);
    ZoneOffsets offsets = new ZoneOffsets(zone);
    LocalDateTime local = LocalDateTime.of(1971, 1, 1, 0, 0, 1);
    while (local.getYear() < 2099) {
      ZonedDateTime expected = local.atZone(zone);
      // A near time that is the earlier one's: what ofLocal takes where there are two.
      long near = expected.toInstant().toEpochMilli();
      long read = offsets.toEpochMillis(local.toEpochSecond(ZoneOffset.UTC) * 1000, near);
      assertThat(Instant.ofEpochMilli(read)).as("%s", local).isEqualTo(expected.toInstant());
      local = local.plusMinutes(17 * 60 + 13);
    }
  }
}
