package io.duplog.ingest.hec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Checks the Authorization header of a client's HEC request against the configured tokens.
 * Thread-safe.
 */
final class Tokens {
  private static final String SPLUNK = "splunk ";
  private static final String BASIC = "basic ";

  private final List<HecToken> tokens;

  Tokens(List<HecToken> tokens) {
    this.tokens = tokens;
  }

  /**
   * Returns the answer that refuses a request, or null if its token is valid.
   *
   * @param authorization value of the header Authorization, or null without one
   */
  @Nullable Answer refusal(@Nullable String authorization) {
    if (authorization == null || authorization.isBlank()) {
      return Answer.TOKEN_REQUIRED;
    }
    String value = value(authorization);
    if (value == null) {
      return Answer.INVALID_AUTHORIZATION;
    }
    return match(value) == null ? Answer.INVALID_TOKEN : null;
  }

  /**
   * Returns the token of a request that {@link #refusal} does not refuse.
   *
   * @throws IllegalStateException if there is none
   */
  HecToken find(@Nullable String authorization) {
    String value = authorization == null ? null : value(authorization);
    HecToken token = value == null ? null : match(value);
    if (token == null) {
      throw new IllegalStateException("no such token");
    }
    return token;
  }

  /** Returns the token that a header contains: alone, or as the password of any user. */
  private static @Nullable String value(String authorization) {
    String header = authorization.strip();
    String lower = header.toLowerCase(Locale.ROOT);
    if (lower.startsWith(SPLUNK)) {
      return header.substring(SPLUNK.length()).strip();
    }
    if (!lower.startsWith(BASIC)) {
      return null;
    }
    try {
      byte[] decoded = Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
      String login = new String(decoded, UTF_8);
      return login.substring(login.indexOf(':') + 1);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Compares with all tokens, so that the time does not depend on which one it is. */
  private @Nullable HecToken match(String value) {
    HecToken found = null;
    for (HecToken each : tokens) {
      if (MessageDigest.isEqual(each.token().reveal().getBytes(UTF_8), value.getBytes(UTF_8))) {
        found = each;
      }
    }
    return found;
  }
}
