package io.duplog.deliver.route;

import java.time.DateTimeException;
import java.time.ZoneId;

/**
 * The time zone of timestamps that name no zone.
 *
 * @param id the named zone, or the JVM's zone for {@code system}
 */
public record SenderZone(ZoneId id) {

  /**
   * Reads {@code system} or a zone such as {@code Europe/Berlin}.
   *
   * @throws IllegalArgumentException with a message that says what is allowed
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
