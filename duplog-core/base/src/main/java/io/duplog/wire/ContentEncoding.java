package io.duplog.wire;

import org.jspecify.annotations.Nullable;

/** The compression of a batch's body, named in the AMQP property content-encoding. */
public enum ContentEncoding {
  IDENTITY("identity"),
  ZSTD("zstd");

  private final String token;

  ContentEncoding(String token) {
    this.token = token;
  }

  /** Returns the value of the AMQP property, as in RFC 9110. */
  public String token() {
    return token;
  }

  /**
   * Returns the encoding for a value of the AMQP property.
   *
   * @param token the property's value, or null if the property is not set, which means identity
   * @throws MalformedBatchException if the encoding is unknown
   */
  public static ContentEncoding of(@Nullable String token) throws MalformedBatchException {
    if (token == null || token.isEmpty()) {
      return IDENTITY;
    }
    for (ContentEncoding encoding : values()) {
      if (encoding.token.equals(token)) {
        return encoding;
      }
    }
    throw new MalformedBatchException("unknown content-encoding '" + printable(token) + "'");
  }

  private static String printable(String token) {
    String shortened = token.length() > 40 ? token.substring(0, 40) + "…" : token;
    return shortened.replaceAll("\\p{Cntrl}", "?");
  }
}
