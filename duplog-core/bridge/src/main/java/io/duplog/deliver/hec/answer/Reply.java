package io.duplog.deliver.hec.answer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A URL's reply to a request.
 *
 * @param retryAfter the header {@code Retry-After}
 * @param location the header {@code Location}
 * @param date the header {@code Date}, which is the other side's clock, to the second
 * @param body at most the first 64 KiB, uncompressed; empty if the HTTP client hands over none, as
 *     the JDK's does for a 407
 * @param secrets the secrets that log lines about the reply must not show
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record Reply(
    int status,
    @Nullable String retryAfter,
    @Nullable String location,
    @Nullable String date,
    byte[] body,
    OwnSecrets secrets) {
  /** Limit of the bytes that are read of a body. */
  public static final int LONGEST_BODY = 64 << 10;

  private static final byte[] NO_BODY = {};

  public Reply {
    body = body == null ? NO_BODY : plain(body);
  }

  /**
   * Returns the body decompressed, because some proxies compress it although we do not ask for
   * that.
   */
  private static byte[] plain(byte[] body) {
    if (body.length < 2 || (body[0] & 0xff) != 0x1f || (body[1] & 0xff) != 0x8b) {
      return body;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return in.readNBytes(LONGEST_BODY);
    } catch (IOException e) {
      return body; // handled like any other body that can't be understood
    }
  }
}
