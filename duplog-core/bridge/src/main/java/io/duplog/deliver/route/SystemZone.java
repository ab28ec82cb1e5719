package io.duplog.deliver.route;

import com.google.common.base.Ascii;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the time zone of this host, as the environment variable {@code TZ} means it to the C
 * library. Java reads some of its forms as UTC, or as an offset without daylight saving time,
 * without a warning.
 */
final class SystemZone {
  /** Name that {@code TZ} may have for the file of the host's zone. */
  private static final String LOCAL = "localtime";

  private static final String FOLDER = "/zoneinfo/";
  private static final List<String> VARIANTS = List.of("posix/", "right/");
  private static final Path LOCALTIME = Path.of("/etc/localtime");

  private SystemZone() {}

  /**
   * Finds the zone of a value of {@code TZ}: a zone's name, the path of its file, or POSIX's rules
   * such as {@code CET-1CEST,M3.5.0,M10.5.0/3}; a colon may precede each. Nothing, or a colon
   * alone, means UTC to the C library, unlike a {@code TZ} that is not set.
   *
   * @return nothing if the value means no zone that is known
   */
  static Optional<ZoneId> of(String tz) {
    String value = tz.startsWith(":") ? tz.substring(1) : tz;
    if (value.startsWith("/")) {
      return ofFile(Path.of(value));
    }
    if (value.isEmpty()) {
      return Optional.of(ZoneOffset.UTC);
    }
    return value.equals(LOCAL) ? ofHost() : named(plain(value)).or(() -> PosixZone.find(value));
  }

  /** Returns the zone of the host, whatever the environment says; nothing if it is not known. */
  static Optional<ZoneId> ofHost() {
    return ofFile(LOCALTIME);
  }

  /**
   * Finds the zone of a file of the time zone database, by the name to which it links. Otherwise,
   * the rules at the end of its text determine the zone.
   */
  static Optional<ZoneId> ofFile(Path file) {
    try {
      Path real = file.toRealPath();
      if (!Files.isRegularFile(real) || Files.size(real) > 1 << 20) {
        return Optional.empty();
      }
      String name = real.toString();
      int folder = name.lastIndexOf(FOLDER);
      Optional<ZoneId> byName =
          folder < 0 ? Optional.empty() : named(plain(name.substring(folder + FOLDER.length())));
      if (byName.isPresent()) {
        return byName;
      }
      String text = new String(Files.readAllBytes(real), StandardCharsets.ISO_8859_1);
      int rules = text.lastIndexOf('\n', text.length() - 2);
      return text.startsWith("TZif") && text.endsWith("\n") && rules >= 0
          ? PosixZone.find(text.substring(rules + 1, text.length() - 1))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Leaves out the folder of a variant, which counts leap seconds or does not. */
  private static String plain(String name) {
    return VARIANTS.stream()
        .filter(name::startsWith)
        .findFirst()
        .map(variant -> name.substring(variant.length()))
        .orElse(name);
  }

  /** Finds a zone by its exact name, or by an abbreviation such as {@code EST} that is a zone. */
  private static Optional<ZoneId> named(String name) {
    if (ZoneId.getAvailableZoneIds().contains(name)) {
      return Optional.of(ZoneId.of(name));
    }
    boolean offset = Stream.of("EST", "MST", "HST").anyMatch(name::equals);
    if (offset) {
      return Optional.of(ZoneId.of(name, ZoneId.SHORT_IDS));
    }
    boolean utc = Ascii.equalsIgnoreCase(name, "Z") || name.equals("Factory");
    return utc ? Optional.of(ZoneOffset.UTC) : Optional.empty();
  }
}
