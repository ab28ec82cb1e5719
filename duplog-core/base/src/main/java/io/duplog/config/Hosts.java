package io.duplog.config;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.net.InetAddresses;
import java.net.IDN;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks host names and URLs in a configuration, so that a mistake is found before a connection
 * fails. Without this validation a connection would fail later, with an error that names neither
 * the key nor the mistake. Makes no DNS lookup.
 */
public final class Hosts {
  public static final int GREATEST_PORT = 65_535;

  private static final int MAX_NAME_LENGTH = 253;
  private static final int MAX_LABEL_LENGTH = 63;
  private static final Splitter LABELS = Splitter.on('.');
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?");
  private static final Pattern URL = Pattern.compile("([a-z][a-z0-9+.-]*)://([^/?#]*)(.*)");
  private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^\\]]*]|[^:]*)(?::(.*))?");

  private Hosts() {}

  /**
   * Returns a name without a trailing dot. A fully qualified name may end in a dot in DNS, but not
   * in a certificate.
   */
  public static String withoutDot(String host) {
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  /**
   * Returns an address to listen on.
   *
   * @param key last part of the key in the configuration
   * @param listen a host or an address, a colon and a port
   * @param example a valid text, for the error message
   * @return the address; unresolved if the host name is unknown
   * @throws RuntimeException of {@link Checks#refuse} if the text has another form
   */
  public static InetSocketAddress listenAddress(String key, String listen, String example) {
    Matcher parts = HOST_AND_PORT.matcher(listen);
    if (parts.matches() && parts.group(2) != null && problem(parts.group(1), false) == null) {
      try {
        int port = Integer.parseInt(parts.group(2));
        if (port >= 0 && port <= GREATEST_PORT) {
          return new InetSocketAddress(parts.group(1).replaceAll("[\\[\\]]", ""), port);
        }
      } catch (NumberFormatException e) {
        // reported below
      }
    }
    throw Checks.refuse(
        key, "must be an address and a port such as " + example + ", not '" + listen + "'");
  }

  /**
   * Returns the problem with a host's name or address as a clause for an administrator, or null if
   * the host is valid.
   *
   * @param forbidUnderscore whether the name is used in a URL or verified by TLS; both forbid
   *     underscores
   */
  public static @Nullable String problem(String host, boolean forbidUnderscore) {
    int scheme = host.indexOf("://");
    if (scheme >= 0) {
      return "leave out '" + host.substring(0, scheme + 3) + "', which a URL begins with";
    }
    if (host.contains("@")) {
      return "leave out what stands before the '@': user and password are keys";
    }
    if (CharMatcher.whitespace().or(CharMatcher.javaIsoControl()).matchesAnyOf(host)) {
      return "it has a blank";
    }
    if (CharMatcher.anyOf("/?#\\").matchesAnyOf(host)) {
      return "it must not contain a path";
    }
    return host.contains(":") ? problemOfIpv6(host) : problemOfName(host, forbidUnderscore);
  }

  private static @Nullable String problemOfIpv6(String host) {
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String address = bracketed ? host.substring(1, host.length() - 1) : host;
    return InetAddresses.isInetAddress(address.replaceFirst("%[A-Za-z0-9._-]+$", ""))
        ? null
        : "leave out the port, which is a key, or write a whole IPv6 address";
  }

  private static @Nullable String problemOfName(String host, boolean forbidUnderscore) {
    String name = withoutDot(host);
    if (name.matches("[0-9]+\\.[0-9.]+")) {
      return InetAddresses.isInetAddress(name) && name.equals(host)
          ? null
          : "it is no IPv4 address";
    }
    if (!CharMatcher.ascii().matchesAllOf(name)) {
      return problemOfNonAsciiName(name);
    }
    if (name.length() > MAX_NAME_LENGTH) {
      return "a name has at most " + MAX_NAME_LENGTH + " characters";
    }
    for (String label : LABELS.split(name)) {
      if (label.isEmpty() || label.length() > MAX_LABEL_LENGTH) {
        return "a name has 1 to " + MAX_LABEL_LENGTH + " characters between its dots";
      }
      if (!LABEL.matcher(label).matches()) {
        return "a name has only letters, digits, '.' and, not at an end, '-'";
      }
    }
    return forbidUnderscore && name.contains("_")
        ? "URLs and TLS allow no '_' in a name: give the host another name, or use its address"
        : null;
  }

  private static String problemOfNonAsciiName(String name) {
    try {
      return "DNS has it as " + IDN.toASCII(name);
    } catch (IllegalArgumentException e) {
      return "a name has only letters, digits, '.' and '-'";
    }
  }

  /**
   * Returns the problem with a server's URL, or null if the URL is valid. A valid URL has a host,
   * and optionally a port and a path.
   *
   * @param schemes allowed schemes of the URL, such as {@code http}
   */
  public static @Nullable String problemOfUrl(String url, String... schemes) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches() || !List.of(schemes).contains(parts.group(1))) {
      return "it must begin with " + String.join(":// or ", schemes) + "://";
    }
    if (parts.group(2).contains("@")) {
      return "leave out what stands before the '@'";
    }
    Matcher hostAndPort = HOST_AND_PORT.matcher(parts.group(2));
    if (!hostAndPort.matches() || hostAndPort.group(1).isEmpty()) {
      return "it names no host";
    }
    String port = hostAndPort.group(2);
    if (port != null && !isPort(port)) {
      return "a port is a number from 1 to " + GREATEST_PORT;
    }
    String hostProblem = problem(hostAndPort.group(1), true);
    if (hostProblem != null) {
      return hostProblem;
    }
    if (CharMatcher.anyOf("?#").matchesAnyOf(parts.group(3))) {
      return "leave out the '?' or '#' and what follows it";
    }
    try {
      return new URI(url).getHost() == null ? "it names no host" : null;
    } catch (URISyntaxException e) {
      return "it has a character that a URL writes as % and two digits";
    }
  }

  private static boolean isPort(String text) {
    return text.matches("[1-9][0-9]{0,4}") && Integer.parseInt(text) <= GREATEST_PORT;
  }
}
