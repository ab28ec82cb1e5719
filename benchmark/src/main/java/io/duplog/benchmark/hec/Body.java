package io.duplog.benchmark.hec;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads the bodies of requests. */
final class Body {
  private static final int GZIP_BUFFER = 1 << 16;

  private Body() {}

  /** It is larger than the limit. */
  static final class TooLargeException extends Exception {
    private final long length;
    private final int limit;

    TooLargeException(long length, int limit) {
      this.length = length;
      this.limit = limit;
    }

    String line() {
      return "Content-Length of %d too large (maximum is %d)".formatted(length, limit);
    }
  }

  /**
   * The whole body, without its compression.
   *
   * @throws ZipException if it is not what its encoding says
   * @throws TooLargeException when all of it was read, since an answer beside a request that is
   *     still being sent is easily lost
   */
  static byte[] read(HttpExchange exchange, int limit) throws IOException, TooLargeException {
    byte[] sent = exchange.getRequestBody().readAllBytes();
    if (sent.length > limit) {
      throw new TooLargeException(sent.length, limit);
    }
    String encoding = exchange.getRequestHeaders().getFirst("Content-Encoding");
    return "gzip".equalsIgnoreCase(encoding) ? inflate(sent, limit) : sent;
  }

  private static byte[] inflate(byte[] sent, int limit) throws IOException, TooLargeException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(sent), GZIP_BUFFER)) {
      byte[] body = new byte[Math.min(limit + 1, Math.max(1 << 12, 8 * sent.length))];
      int length = 0;
      while (true) {
        int count = in.readNBytes(body, length, body.length - length);
        length += count;
        if (length > limit) {
          throw new TooLargeException(length, limit);
        }
        if (length < body.length) {
          return Arrays.copyOf(body, length);
        }
        body = Arrays.copyOf(body, (int) Math.min(limit + 1L, 2L * body.length));
      }
    } catch (EOFException e) {
      throw (ZipException) new ZipException("cut short").initCause(e);
    }
  }
}
