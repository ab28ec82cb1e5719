package io.duplog.cli.route;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads and prints instants such as {@code 2026-11-24T10:15:00+01:00} for the command {@code duplog
 * route}.
 */
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
   * Parses an instant. The text must name its zone, so that it means the same on every machine.
   *
   * @throws IllegalArgumentException if the text is invalid; the message describes valid instants
   */
  static Instant parse(String text) {
    try {
      if (text.matches("[0-9]{4}-.*")) { // Java also reads years with more digits
        return OffsetDateTime.parse(text).toInstant();
      }
    } catch (DateTimeException e) {
      // reported below
    }
    throw new IllegalArgumentException(
        "must be an RFC 3339 instant such as 2026-11-24T10:15:00Z, not '" + text + "'");
  }

  /** Formats an instant in UTC to the millisecond, such as {@code 2026-11-24T10:15:00.000Z}. */
  static String format(Instant instant) {
    return MILLIS.format(instant);
  }
}
