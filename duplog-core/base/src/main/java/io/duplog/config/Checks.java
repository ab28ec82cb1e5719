package io.duplog.config;

import io.duplog.observe.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks with which a configuration record's constructor refuses a value, so that the error names
 * the key and its line. Every check throws an {@link IllegalArgumentException} if the value is not
 * right.
 */
public final class Checks {
  private Checks() {}

  /**
   * Returns the exception for a key whose value can't be used, for the caller to throw.
   *
   * @param key the key as it stands in the file, relative to the record, such as {@code window}
   * @param problem what is wrong, beginning with a verb, such as {@code must be at least twice the
   *     lease}
   */
  public static IllegalArgumentException refuse(String key, String problem) {
    return new InvalidValueException(key, problem);
  }

  public static void within(String key, long value, long min, long max) {
    if (value < min || value > max) {
      throw refuse(key, "must be " + min + " to " + max + ", not " + value);
    }
  }

  public static void port(String key, int value) {
    within(key, value, 1, Hosts.GREATEST_PORT);
  }

  public static void positive(String key, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw refuse(key, "must be longer than zero");
    }
  }

  public static void within(String key, ByteSize value, ByteSize min, ByteSize max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw refuse(key, "must be " + min + " to " + max + ", not " + value);
    }
  }

  public static void notBlank(String key, String value) {
    if (value.isBlank()) {
      throw refuse(key, "must not be empty");
    }
  }

  /**
   * Refuses what can't be the name or address of a host.
   *
   * @param encrypted whether the host is spoken to by TLS, which verifies its name
   */
  public static void host(String key, String value, boolean encrypted) {
    notBlank(key, value);
    String problem = Hosts.problem(value, encrypted);
    if (problem != null) {
      throw refuse(key, "must be a host's name or address, not " + quoted(value) + ": " + problem);
    }
  }

  /**
   * Refuses what can't be a server's URL.
   *
   * @param example a URL that is right
   * @param schemes what the URL may begin with, such as {@code http}
   */
  public static void url(String key, String value, String example, String... schemes) {
    String problem = Hosts.problemOfUrl(value, schemes);
    if (problem != null) {
      throw refuse(key, "must be like " + example + ", not " + quoted(value) + ": " + problem);
    }
  }

  /** Returns a host or URL for an error: in quotes, and without the login that it may have. */
  public static String quoted(String place) {
    return "'" + Printable.redactedWord(place) + "'";
  }

  /** Refuses a path that does not begin with a slash; accepts null. */
  public static void absolutePath(String key, @Nullable String value) {
    try {
      if (value != null && !Path.of(value).isAbsolute()) {
        throw refuse(key, "must begin with a '/', not '" + value + "'");
      }
    } catch (InvalidPathException e) {
      throw refuse(key, "must be a path");
    }
  }

  /** Refuses a list that is empty, or in which a name is blank or occurs twice. */
  public static void distinctNames(String key, List<String> names) {
    if (names.isEmpty()) {
      throw refuse(key, "must have at least one element");
    }
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      notBlank(key, name);
      if (!seen.add(name)) {
        throw refuse(key, "must not have '" + name + "' twice");
      }
    }
  }
}
