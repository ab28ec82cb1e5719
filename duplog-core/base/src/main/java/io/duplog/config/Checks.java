package io.duplog.config;

import com.google.common.net.HostAndPort;
import io.duplog.observe.Printable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Validates the values of configuration keys, such as a port or a URL, in the constructors of
 * configuration records. Each check throws an {@link IllegalArgumentException} if the value is
 * invalid; the error that the administrator sees then names the key and its line.
 */
public final class Checks {
  private Checks() {}

  /**
   * Returns an exception for a key with an invalid value, which the caller throws.
   *
   * @param key the key as written in the file, relative to the record, such as {@code window}
   * @param problem clause that begins with a verb, such as {@code must be at least twice the lease}
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
   * Refuses a text that can't be the name or address of a host.
   *
   * @param encrypted whether the connection to the host uses TLS, which verifies the name
   */
  public static void host(String key, String value, boolean encrypted) {
    notBlank(key, value);
    String problem = Hosts.problem(value, encrypted);
    if (problem != null) {
      throw refuse(key, "must be a host's name or address, not " + quoted(value) + ": " + problem);
    }
  }

  /**
   * Refuses a text that can't be the URL of a server.
   *
   * @param example a valid URL
   * @param schemes allowed schemes of the URL, such as {@code http}
   */
  public static void url(String key, String value, String example, String... schemes) {
    String problem = Hosts.problemOfUrl(value, schemes);
    if (problem != null) {
      throw refuse(key, "must be like " + example + ", not " + quoted(value) + ": " + problem);
    }
  }

  /** Returns a host or URL for an error message, in quotes and with any login removed. */
  public static String quoted(String hostOrUrl) {
    return "'" + Printable.redactedWord(hostOrUrl) + "'";
  }

  /**
   * Parses a list of {@code host:port}.
   *
   * @param encrypted whether these hosts are accessed by TLS, which verifies their names
   */
  public static List<HostAndPort> addresses(
      String key, List<String> addresses, int defaultPort, boolean encrypted) {
    distinctNames(key, addresses);
    return addresses.stream()
        .map(address -> address(key, address, defaultPort, encrypted))
        .toList();
  }

  private static HostAndPort address(
      String key, String address, int defaultPort, boolean encrypted) {
    String problem = "";
    try {
      HostAndPort place = HostAndPort.fromString(address).withDefaultPort(defaultPort);
      port(key, place.getPort());
      String wrong = Hosts.problem(place.getHost(), encrypted);
      if (wrong == null) {
        return place;
      }
      problem = ": " + wrong;
    } catch (IllegalArgumentException e) {
      boolean isMore = address.contains("://") || address.contains("@");
      problem = isMore ? ": " + Hosts.problem(address, encrypted) : "";
    }
    throw refuse(key, "must be host:port each, not " + quoted(address) + problem);
  }

  /** Refuses a text that can't be the name of a topic of Kafka. */
  public static void topic(String key, String value) {
    if (!value.matches("[A-Za-z0-9._-]{1,249}")) {
      throw refuse(key, "must be 1 to 249 letters, digits, '.', '_' and '-', not '" + value + "'");
    }
    if (value.matches("\\.{1,2}")) {
      throw refuse(key, "must not be '" + value + "', which Kafka allows for no topic");
    }
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
