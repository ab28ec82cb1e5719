package io.duplog.benchmark.load;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time stamps of both syslog formats; formatted once a second. One thread only. */
final class Timestamps {
  private static final long MILLIS = 1000;

  private final DateTimeFormatter rfc3164;
  private final DateTimeFormatter rfc5424 =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private long second = Long.MIN_VALUE;
  private byte[] local = {};
  private byte[] universal = {};

  Timestamps(ZoneId zone) {
    // RFC 3164 pads the day of the month with a space.
    rfc3164 = DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ENGLISH).withZone(zone);
  }

  /** Such as {@code Nov 1 05:36:29}, by the sender's local clock. */
  void rfc3164(long epochMillis, TextBuffer into) {
    advanceTo(epochMillis);
    into.put(local);
  }

  /** Such as {@code 2026-11-01T05:36:29.123Z}. */
  void rfc5424(long epochMillis, TextBuffer into) {
    advanceTo(epochMillis);
    into.put(universal).put('.').decimal(Math.floorMod(epochMillis, MILLIS), 3).put('Z');
  }

  private void advanceTo(long epochMillis) {
    long now = Math.floorDiv(epochMillis, MILLIS);
    if (now != second) {
      Instant instant = Instant.ofEpochSecond(now);
      local = rfc3164.format(instant).getBytes(StandardCharsets.US_ASCII);
      universal = rfc5424.format(instant).getBytes(StandardCharsets.US_ASCII);
      second = now;
    }
  }
}
