package io.duplog.deliver.syslog;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;

/** The time, host and program that a syslog header contains, as text that a test can compare. */
record Header(String time, String host, String program) {

  /**
   * Parses a message with other messages' bytes around it.
   *
   * @return the parts, with {@code -} for a missing part, and {@code receipt} for the time of
   *     receipt
   */
  static Header of(String message, ZoneId zone, Instant received) {
    SyslogHeader header = new SyslogHeader(zone);
    byte[] data = ("9: " + message + "1 x[2]: ").getBytes(StandardCharsets.ISO_8859_1);
    header.parse(data, 3, 3 + message.length(), received.toEpochMilli());
    return of(header, data);
  }

  static Header of(SyslogHeader header, byte[] data) {
    return new Header(
        header.hasTime() ? Instant.ofEpochMilli(header.timeMillis()).toString() : "receipt",
        text(data, header.hostStart(), header.hostEnd()),
        text(data, header.programStart(), header.programEnd()));
  }

  private static String text(byte[] data, int start, int end) {
    return start == end ? "-" : new String(data, start, end - start, StandardCharsets.ISO_8859_1);
  }
}
