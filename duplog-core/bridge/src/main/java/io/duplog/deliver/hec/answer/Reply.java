package io.duplog.deliver.hec.answer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP reply of a collector's URL to a request.
 *
 * @param retryAfter the header {@code Retry-After}
 * @param location the header {@code Location}
 * @param date the header {@code Date}, which is the server's clock, to the second
 * @param body at most the first 64 KiB, uncompressed; empty if the HTTP client returns none, as the
 *     JDK's does for a 407
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
  /** Maximum number of bytes that are read from a body. */
  public static final int MAX_BODY_BYTES = 64 << 10;

  private static final byte[] NO_BODY = {};

  public Reply {
    body = body == null ? NO_BODY : decompressed(body);
  }

  /**
   * Returns the body decompressed, because some proxies compress it although the bridge does not
   * ask for that.
   */
  private static byte[] decompressed(byte[] body) {
    if (body.length < 2 || (body[0] & 0xff) != 0x1f || (body[1] & 0xff) != 0x8b) {
      return body;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return in.readNBytes(MAX_BODY_BYTES);
    } catch (IOException e) {
      return body; // handled like any other body that can't be parsed
    }
  }
}
