package io.duplog.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Instants as RFC 3339 writes them: {@code 2026-11-24T10:15:00+01:00}. */
final class Rfc3339 implements ITypeConverter<Instant> {
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  @Override
  public Instant convert(String text) {
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage() + "; nothing is tried");
    }
  }

  /**
   * Reads an instant. It needs a zone, since without one it would be another on each machine.
   *
   * @throws IllegalArgumentException that says what is allowed
   */
  static Instant parse(String text) {
    try {
      if (text.matches("[0-9]{4}-.*")) { // Java reads further years, too
        return OffsetDateTime.parse(text).toInstant();
      }
    } catch (DateTimeException e) {
      // told below
    }
    throw new IllegalArgumentException(
        "must be an RFC 3339 instant such as 2026-11-24T10:15:00Z, not '" + text + "'");
  }

  /** In UTC, to the millisecond. */
  static String format(Instant instant) {
    return MILLIS.format(instant);
  }
}
