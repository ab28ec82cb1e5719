package io.duplog.deliver.hec.http;

import com.google.common.base.Ascii;
import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import java.net.URI;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A cookie that a load balancer has set with the header {@code Set-Cookie}. Its name and value are
 * sent back unchanged, with any quotes and commas, because load balancers compare them literally.
 * Java's own class interprets {@code Max-Age} and {@code Version} as signs of RFC 2965, and sends
 * another text.
 *
 * @param domain the host, or the domain in the header, in lower case
 * @param path the path below which the cookie is sent
 * @param secure whether it is sent over https only
 * @param secondsLeft the remaining validity: 0 or less if the header deletes the cookie, {@link
 *     #NO_EXPIRY} if it lasts as long as the connection
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6265#section-5.2">RFC 6265</a>
 */
record SetCookie(
    String name, String value, String domain, String path, boolean secure, long secondsLeft) {
  static final long NO_EXPIRY = Long.MAX_VALUE;

  private static final Splitter ATTRIBUTES = Splitter.on(';');
  private static final CharMatcher BLANK = CharMatcher.anyOf(" \t");

  /**
   * Characters that can't be sent back: control characters, and characters outside ASCII, because
   * Java's client replaces them with question marks.
   */
  private static final CharMatcher UNSENDABLE =
      CharMatcher.inRange('\0', '\u001f')
          .or(CharMatcher.inRange('\u007f', Character.MAX_VALUE))
          .and(CharMatcher.isNot('\t'));

  private static final Splitter DATE_TOKENS =
      Splitter.on(
              CharMatcher.is('\t')
                  .or(CharMatcher.inRange(' ', '/'))
                  .or(CharMatcher.inRange(';', '@'))
                  .or(CharMatcher.inRange('[', '`'))
                  .or(CharMatcher.inRange('{', '~')))
          .omitEmptyStrings();
  private static final Pattern TIME = Pattern.compile("(\\d{1,2}):(\\d{1,2}):(\\d{1,2})(?!\\d).*");
  private static final Pattern DAY = Pattern.compile("(\\d{1,2})(?!\\d).*");
  private static final Pattern YEAR = Pattern.compile("(\\d{2,4})(?!\\d).*");
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final int FIRST_YEAR = 1601;

  /**
   * Parses a header's value.
   *
   * @param request the URI of the answered request, with the host's name
   * @param nowSeconds the current time in seconds since the epoch, for {@code Expires}
   * @return the cookie, or null if the header sets none that may be sent to this host
   */
  static @Nullable SetCookie parse(String header, URI request, long nowSeconds) {
    Iterator<String> parts = ATTRIBUTES.split(header).iterator();
    String pair = parts.next();
    int equals = pair.indexOf('=');
    String name = equals < 0 ? "" : BLANK.trimFrom(pair.substring(0, equals));
    if (name.isEmpty() || UNSENDABLE.matchesAnyOf(pair)) {
      return null;
    }
    String host = host(request);
    String domain = host;
    String path = parentPath(request.getRawPath());
    boolean secure = false;
    long expires = NO_EXPIRY;
    Long maxAge = null;
    while (parts.hasNext()) {
      String part = parts.next();
      int sign = part.indexOf('=');
      String key = BLANK.trimFrom(sign < 0 ? part : part.substring(0, sign));
      String value = sign < 0 ? "" : BLANK.trimFrom(part.substring(sign + 1));
      switch (Ascii.toLowerCase(key)) {
        case "domain" -> {
          String newDomain = Ascii.toLowerCase(value.startsWith(".") ? value.substring(1) : value);
          domain = newDomain.isEmpty() ? domain : newDomain;
        }
        case "path" -> path = value.startsWith("/") ? value : parentPath(request.getRawPath());
        case "secure" -> secure = true;
        case "max-age" -> maxAge = value.matches("-?\\d+") ? (Long) age(value) : maxAge;
        case "expires" -> {
          Long expiry = date(value);
          expires = expiry == null ? expires : expiry - nowSeconds;
        }
        default -> {
          // HttpOnly, SameSite, Version and all others are ignored.
        }
      }
    }
    boolean isForHost = host.equals(domain) || (host.endsWith("." + domain) && !isAddress(host));
    return isForHost
        ? new SetCookie(
            name,
            BLANK.trimFrom(pair.substring(equals + 1)),
            domain,
            path,
            secure,
            maxAge == null ? expires : maxAge)
        : null;
  }

  /** Returns the request's host in lower case, without a dot at its end. */
  private static String host(URI request) {
    String host = Ascii.toLowerCase(String.valueOf(request.getHost()));
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static boolean isAddress(String host) {
    return host.startsWith("[") || host.matches("[0-9.]+");
  }

  /** Returns the parent of the request's path, which applies to a cookie without a path. */
  private static String parentPath(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  /** Parses a number of seconds. A number that is too large becomes the maximum or 0. */
  private static long age(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return digits.startsWith("-") ? 0 : NO_EXPIRY;
    }
  }

  /**
   * Parses a date in any common form, in seconds since the epoch. Returns null if it is invalid.
   */
  private static @Nullable Long date(String text) {
    Matcher time = null;
    int day = -1;
    int month = -1;
    int year = -1;
    for (String token : DATE_TOKENS.split(text)) {
      Matcher clock = TIME.matcher(token);
      Matcher dayMatcher = DAY.matcher(token);
      Matcher yearMatcher = YEAR.matcher(token);
      String start = Ascii.toLowerCase(token.substring(0, Math.min(3, token.length())));
      if (time == null && clock.matches()) {
        time = clock;
      } else if (day < 0 && dayMatcher.matches()) {
        day = Integer.parseInt(dayMatcher.group(1));
      } else if (month < 0 && MONTHS.contains(start)) {
        month = MONTHS.indexOf(start) + 1;
      } else if (year < 0 && yearMatcher.matches()) {
        year = Integer.parseInt(yearMatcher.group(1));
      }
    }
    if (time == null) {
      return null;
    }
    year += year < 0 || year > 99 ? 0 : year < 70 ? 2000 : 1900;
    try {
      return year < FIRST_YEAR
          ? null
          : (Long)
              LocalDateTime.of(
                      year,
                      month,
                      day,
                      Integer.parseInt(time.group(1)),
                      Integer.parseInt(time.group(2)),
                      Integer.parseInt(time.group(3)))
                  .toEpochSecond(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      return null; // there is no such day or month
    }
  }

  /** Whether the cookie applies to the request's path and scheme. */
  boolean matches(URI request) {
    String requested = request.getRawPath().isEmpty() ? "/" : request.getRawPath();
    boolean isBelow =
        requested.startsWith(path)
            && (requested.length() == path.length()
                || path.endsWith("/")
                || requested.charAt(path.length()) == '/');
    return isBelow && (!secure || "https".equals(request.getScheme()));
  }

  /** Whether this cookie replaces the other one. */
  boolean replaces(SetCookie other) {
    return name.equals(other.name) && domain.equals(other.domain) && path.equals(other.path);
  }

  /** Returns the cookie as it is sent in a request's header. */
  @Override
  public String toString() {
    return name + "=" + value;
  }
}
