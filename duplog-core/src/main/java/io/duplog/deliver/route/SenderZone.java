package io.duplog.deliver.route;

import java.time.DateTimeException;
import java.time.ZoneId;

/**
 * The time zone of timestamps that name none.
 *
 * @param id what {@code system} stood for, or the zone that was named
 */
public record SenderZone(ZoneId id) {

  /**
   * Reads a zone.
   *
   * @throws IllegalArgumentException that says what is allowed
   */
  public static SenderZone parse(String text) {
    try {
      return new SenderZone(text.equals("system") ? ZoneId.systemDefault() : ZoneId.of(text));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "must be system, or a zone such as Europe/Berlin, UTC or +02:00", e);
    }
  }
}
