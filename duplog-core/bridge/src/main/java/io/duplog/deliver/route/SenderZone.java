package io.duplog.deliver.route;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The time zone of message times that name none, as the configuration or the system says.
 *
 * @param id the named zone, or that of the system for {@code system}
 * @param hazard why the zone may be wrong, and what to do, or null if it seems correct
 */
public record SenderZone(ZoneId id, @Nullable String hazard) {
  private static final String REMEDY =
      "; set sink.hec.routing.time-zone to the senders' zone, such as Europe/Berlin";

  /**
   * Reads {@code system} or a zone such as {@code Europe/Berlin}.
   *
   * @throws IllegalArgumentException with a message that says what is allowed
   */
  public static SenderZone parse(String text) {
    if (text.equals("system")) {
      return ofSystem(System.getenv("TZ"), SystemZone.ofHost());
    }
    return ofText(text, SystemZone.ofHost());
  }

  /**
   * Parses a zone. An explicit UTC means a clock without daylight saving time.
   *
   * @param host zone of the host, whatever the environment says
   */
  static SenderZone ofText(String text, Optional<ZoneId> host) {
    try {
      ZoneId id = ZoneId.of(text);
      boolean meant = text.equals("Z") || text.endsWith("UTC");
      return meant ? new SenderZone(id, null) : of(id, "time-zone " + text, host);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "must be system, or a zone such as Europe/Berlin, UTC or +02:00", e);
    }
  }

  /**
   * Finds the system's zone.
   *
   * @param tz of the environment, or null if it is not set
   * @param host zone of the host, whatever the environment says
   */
  static SenderZone ofSystem(@Nullable String tz, Optional<ZoneId> host) {
    if (tz == null) {
      return new SenderZone(ZoneId.systemDefault(), null);
    }
    Optional<ZoneId> meant = SystemZone.of(tz);
    if (meant.isPresent()) {
      boolean bare = tz.isEmpty() || tz.equals(":");
      return of(meant.get(), "TZ=" + tz + (bare ? ", which means UTC," : ""), host);
    }
    ZoneId instead = host.orElseGet(ZoneId::systemDefault);
    return new SenderZone(
        instead,
        "TZ=%s of the environment is not a known zone, so times without a zone are read as %s"
                .formatted(tz, instead)
            + REMEDY);
  }

  private static SenderZone of(ZoneId id, String source, Optional<ZoneId> host) {
    boolean fixed = id.getRules().isFixedOffset();
    boolean summer =
        host.isPresent() && host.get().getRules().nextTransition(Instant.now()) != null;
    return new SenderZone(
        id,
        fixed && summer
            ? "%s has no daylight saving time, but the host's zone %s has: in summer, times without a zone may be wrong by an hour"
                    .formatted(source, host.get())
                + REMEDY
            : null);
  }
}
