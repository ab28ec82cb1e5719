package io.duplog.deliver.archive;

import io.duplog.config.ByteSize;
import io.duplog.config.Checks;
import io.duplog.config.Key;
import io.duplog.deliver.line.LineFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The configuration section {@code sink.archive}, which says where the archive's files are, what
 * they are called, and when they are closed.
 */
public record ArchiveSinkConfig(
    @Key(
            doc =
                "Absolute path of the archive's folder, which must exist. The bridge creates the"
                    + " folders below it. Several bridges may share it.",
            example = "/var/lib/duplog/archive",
            unit = "path")
        String folder,
    @Key(
            doc =
                "Name of a file below folder, without the suffix .zst or .gz. %Y %m %d %H %M are"
                    + " the year to the minute (UTC) in which the file began. {bridge} is the bridge's name, and"
                    + " {n} is the file's number; the name must contain both.",
            defaultValue = "%Y/%m/%d/%H/{bridge}-{n}.log")
        String name,
    @Key(doc = "zstd: smaller and faster. gzip: can be read everywhere.", defaultValue = "zstd")
        Compression compression,
    @Key(
            doc =
                "message: a line is the message as the sender wrote it."
                    + " sender-and-message: the sender's address comes first.",
            defaultValue = "sender-and-message")
        LineFormat line,
    @Key(
            doc =
                "A file is closed at the next multiple of this time in UTC. With 1h, no file has"
                    + " messages of two hours.",
            defaultValue = "1h")
        Duration maxAge,
    @Key(doc = "A file is closed when it has this size, compressed.", defaultValue = "128MiB")
        ByteSize maxSize,
    @Key(
            doc =
                "While less is free in the file system, the archive accepts nothing, and messages"
                    + " wait in the brokers. Duplog never deletes a file of the archive.",
            defaultValue = "1GiB")
        ByteSize minFree) {

  private static final String BRIDGE = "{bridge}";
  private static final String NUMBER = "{n}";

  private static final Pattern TIMES = Pattern.compile("%[YmdHM]");

  /** The form of a name's parts, apart from the placeholders. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._=-]*");

  public ArchiveSinkConfig {
    Checks.notBlank("folder", folder);
    Checks.absolutePath("folder", folder);
    checkName(name);
    Checks.positive("max-age", maxAge);
    if (maxAge.compareTo(Duration.ofSeconds(1)) < 0) {
      throw Checks.refuse("max-age", "must be at least 1s");
    }
    Checks.within("max-size", maxSize, new ByteSize(1 << 10), new ByteSize(64L << 30));
  }

  private static void checkName(String name) {
    for (String part : new String[] {BRIDGE, NUMBER}) {
      if (!name.contains(part)) {
        throw Checks.refuse(
            "name", "must contain " + part + ", so that no two files have one name");
      }
    }
    String plain = TIMES.matcher(name.replace(BRIDGE, "0").replace(NUMBER, "0")).replaceAll("0");
    for (String part : plain.split("/", -1)) {
      if (!NAME.matcher(part).matches()) {
        throw Checks.refuse(
            "name",
            "must be a relative path of letters, digits and '._=-', with {bridge}, {n} and %Y %m %d"
                + " %H %M");
      }
    }
  }

  Path root() {
    return Path.of(folder);
  }

  /** Returns a bridge's name as a part of file names. */
  static String wordOf(String bridge) {
    return bridge.replaceAll("^\\.|[^A-Za-z0-9._-]", "_");
  }

  /** Returns the path of a file below the archive's folder. */
  String file(ArchivePart part) {
    String file =
        TIMES
            .matcher(name)
            .replaceAll(match -> format(match.group().charAt(1)).format(part.begun()))
            .replace(BRIDGE, part.bridge())
            .replace(NUMBER, String.format(Locale.ROOT, "%08d", part.number()));
    return file + "." + part.compression().suffix();
  }

  private static DateTimeFormatter format(char letter) {
    String pattern =
        switch (letter) {
          case 'Y' -> "uuuu";
          case 'm' -> "MM";
          case 'd' -> "dd";
          case 'H' -> "HH";
          default -> "mm";
        };
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
  }

  /** Whether a file that was begun at one time must be closed at another. */
  boolean isOver(Instant begun, Instant now) {
    return period(begun) != period(now);
  }

  /** Returns the milliseconds until a file that is being written must be closed. */
  long millisLeft(Instant now) {
    return (period(now) + 1) * maxAge.toMillis() - now.toEpochMilli();
  }

  private long period(Instant time) {
    return Math.floorDiv(time.toEpochMilli(), maxAge.toMillis());
  }
}
