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
 * A cookie, as one header {@code Set-Cookie} sets it by RFC 6265. Its name and value are returned
 * as they came, with quotes, commas and all: load balancers compare them literally. Java's own
 * class takes {@code Max-Age} and {@code Version} for signs of RFC 2965, and returns other text.
 *
 * @param domain the host, or the domain that the header names, in lower case
 * @param path below which the cookie is sent
 * @param secure whether it is sent by https only
 * @param secondsLeft how long it is valid; 0 or less if the header deletes it, and {@link #NO_END}
 *     if it lasts as long as the connection
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6265#section-5.2">RFC 6265</a>
 */
record SetCookie(
    String name, String value, String domain, String path, boolean secure, long secondsLeft) {
  static final long NO_END = Long.MAX_VALUE;

  private static final Splitter ATTRIBUTES = Splitter.on(';');
  private static final CharMatcher BLANK = CharMatcher.anyOf(" \t");

  /**
   * Characters that can't be sent back: controls, and what isn't ASCII, because Java's client sends
   * a question mark for it.
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
   * Reads a header's value.
   *
   * @param request the request that was answered, with the host's name
   * @param nowSeconds the time of day, in seconds since the epoch, for {@code Expires}
   * @return null if the header sets no cookie that may be sent to this host
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
    String path = folder(request.getRawPath());
    boolean secure = false;
    long expires = NO_END;
    Long maxAge = null;
    while (parts.hasNext()) {
      String part = parts.next();
      int sign = part.indexOf('=');
      String key = BLANK.trimFrom(sign < 0 ? part : part.substring(0, sign));
      String said = sign < 0 ? "" : BLANK.trimFrom(part.substring(sign + 1));
      switch (Ascii.toLowerCase(key)) {
        case "domain" -> {
          String named = Ascii.toLowerCase(said.startsWith(".") ? said.substring(1) : said);
          domain = named.isEmpty() ? domain : named;
        }
        case "path" -> path = said.startsWith("/") ? said : folder(request.getRawPath());
        case "secure" -> secure = true;
        case "max-age" -> maxAge = said.matches("-?\\d+") ? (Long) age(said) : maxAge;
        case "expires" -> {
          Long at = date(said);
          expires = at == null ? expires : at - nowSeconds;
        }
        default -> {
          // HttpOnly, SameSite, Version and all others change nothing here.
        }
      }
    }
    boolean ours = host.equals(domain) || (host.endsWith("." + domain) && !isAddress(host));
    return ours
        ? new SetCookie(
            name,
            BLANK.trimFrom(pair.substring(equals + 1)),
            domain,
            path,
            secure,
            maxAge == null ? expires : maxAge)
        : null;
  }

  /** Returns the request's host in lower case, without the dot that may end a full name. */
  private static String host(URI request) {
    String host = Ascii.toLowerCase(String.valueOf(request.getHost()));
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static boolean isAddress(String host) {
    return host.startsWith("[") || host.matches("[0-9.]+");
  }

  /** Returns the path above the request's, which a cookie without a path is for. */
  private static String folder(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? "/" : path.substring(0, slash);
  }

  /** Returns a number of seconds; the longest or shortest there is for one that is longer. */
  private static long age(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return digits.startsWith("-") ? 0 : NO_END;
    }
  }

  /**
   * Returns a date in seconds since the epoch, from any form that is in use; null if it is none.
   */
  private static @Nullable Long date(String text) {
    Matcher time = null;
    int day = -1;
    int month = -1;
    int year = -1;
    for (String token : DATE_TOKENS.split(text)) {
      Matcher clock = TIME.matcher(token);
      Matcher ofMonth = DAY.matcher(token);
      Matcher ofEra = YEAR.matcher(token);
      String start = Ascii.toLowerCase(token.substring(0, Math.min(3, token.length())));
      if (time == null && clock.matches()) {
        time = clock;
      } else if (day < 0 && ofMonth.matches()) {
        day = Integer.parseInt(ofMonth.group(1));
      } else if (month < 0 && MONTHS.contains(start)) {
        month = MONTHS.indexOf(start) + 1;
      } else if (year < 0 && ofEra.matches()) {
        year = Integer.parseInt(ofEra.group(1));
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
      return null; // no day of that month, or no month at all
    }
  }

  /** Whether a request is to have the cookie, which is not yet over. */
  boolean isFor(URI request) {
    String asked = request.getRawPath().isEmpty() ? "/" : request.getRawPath();
    boolean below =
        asked.startsWith(path)
            && (asked.length() == path.length()
                || path.endsWith("/")
                || asked.charAt(path.length()) == '/');
    return below && (!secure || "https".equals(request.getScheme()));
  }

  /** Whether this takes the other's place. */
  boolean replaces(SetCookie other) {
    return name.equals(other.name) && domain.equals(other.domain) && path.equals(other.path);
  }

  /** Returns what the request's header has of it. */
  @Override
  public String toString() {
    return name + "=" + value;
  }
}
