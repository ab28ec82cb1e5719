package io.duplog.ingest.hec;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and decompresses the body of a request without blocking a thread for the client. Not
 * thread-safe.
 */
final class RequestBody {
  private static final Logger log = LoggerFactory.getLogger(RequestBody.class);
  private static final int INITIAL_BYTES = 4 << 10;
  private static final int PART_BYTES = 16 << 10;

  /** Called once, with the answer that ends the request, or with the body. */
  interface Listener {
    void read(@Nullable Answer refusal, byte[] body);
  }

  private static final byte[] NONE = {};

  private final Request request;
  private final long maxBytes;
  private final RequestMemory memory;
  private ByteArrayOutputStream received = new ByteArrayOutputStream(INITIAL_BYTES);

  /**
   * @param maxBytes maximum size, before and after decompression
   */
  RequestBody(Request request, long maxBytes, RequestMemory memory) {
    this.request = request;
    this.maxBytes = maxBytes;
    this.memory = memory;
  }

  /** Reads the body as its bytes arrive. */
  void read(Listener listener) {
    while (true) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        request.demand(() -> read(listener));
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        log.debug("a request broke off", chunk.getFailure());
        listener.read(Answer.SERVER_BUSY, NONE);
        return;
      }
      Answer refusal = append(chunk);
      boolean isLast = chunk.isLast();
      chunk.release();
      if (refusal != null) {
        listener.read(refusal, NONE);
        return;
      }
      if (isLast) {
        finish(listener);
        return;
      }
    }
  }

  private @Nullable Answer append(Content.Chunk chunk) {
    byte[] copy = new byte[chunk.remaining()];
    chunk.getByteBuffer().get(copy);
    return append(copy, copy.length, received);
  }

  private @Nullable Answer append(byte[] part, int length, ByteArrayOutputStream to) {
    if (to.size() + (long) length > maxBytes) {
      return Answer.TOO_LARGE;
    }
    Answer refusal = memory.take(length);
    if (refusal == null) {
      to.write(part, 0, length);
    }
    return refusal;
  }

  private void finish(Listener listener) {
    byte[] body = received.toByteArray();
    received = new ByteArrayOutputStream(0);
    String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
    switch (encoding == null ? "identity" : encoding.toLowerCase(Locale.ROOT).strip()) {
      case "identity", "" -> listener.read(null, body);
      case "gzip", "x-gzip" -> unpack(body, listener);
      default -> listener.read(Answer.UNKNOWN_ENCODING, NONE);
    }
  }

  private void unpack(byte[] packed, Listener listener) {
    ByteArrayOutputStream unpacked = new ByteArrayOutputStream(INITIAL_BYTES);
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      byte[] part = new byte[PART_BYTES];
      for (int count = in.read(part); count >= 0; count = in.read(part)) {
        Answer refusal = append(part, count, unpacked);
        if (refusal != null) {
          listener.read(refusal, NONE);
          return;
        }
      }
    } catch (IOException e) {
      // The client may have sent a damaged body, or the network damaged it. The client sends the
      // body again.
      log.debug("a body is not gzip", e);
      listener.read(Answer.SERVER_BUSY, NONE);
      return;
    }
    memory.give(packed.length);
    listener.read(null, unpacked.toByteArray());
  }
}
