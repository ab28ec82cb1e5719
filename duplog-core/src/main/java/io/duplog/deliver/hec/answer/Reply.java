package io.duplog.deliver.hec.answer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What came back from a URL.
 *
 * @param retryAfter the header of this name
 * @param location the header of this name
 * @param date the header of this name: the other side's clock, to the second
 * @param body the first 64 KiB at most, uncompressed; empty where the client hands over none at
 *     all, as the JDK's does beside a 407
 * @param secrets what of the reply no line may show
 */
@SuppressWarnings("ArrayRecordComponent") // carried, never compared
public record Reply(
    int status,
    @Nullable String retryAfter,
    @Nullable String location,
    @Nullable String date,
    byte[] body,
    OwnSecrets secrets) {
  /** What is behind that is not read. */
  public static final int LONGEST_BODY = 64 << 10;

  private static final byte[] NO_BODY = {};

  public Reply(
      int status,
      @Nullable String retryAfter,
      @Nullable String location,
      @Nullable String date,
      byte @Nullable [] body,
      OwnSecrets secrets) {
    this.status = status;
    this.retryAfter = retryAfter;
    this.location = location;
    this.date = date;
    this.body = body == null ? NO_BODY : plain(body);
    this.secrets = secrets;
  }

  /** Some that stand between compress, although nobody has asked for it. */
  private static byte[] plain(byte[] body) {
    if (body.length < 2 || (body[0] & 0xff) != 0x1f || (body[1] & 0xff) != 0x8b) {
      return body;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
      return in.readNBytes(LONGEST_BODY);
    } catch (IOException e) {
      return body; // as good as anything that can't be understood
    }
  }
}
