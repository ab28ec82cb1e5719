package io.duplog.ingest.hec;

import io.duplog.config.ByteSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and decompresses the body of a request without blocking a thread for the client. Its memory
 * counts against a limit for all requests, until the request is answered. Not thread-safe.
 */
final class RequestBody {
  private static final Logger log = LoggerFactory.getLogger(RequestBody.class);
  private static final int INITIAL_BYTES = 16 << 10;

  /** Time limit for a body, so that slow clients can't hold the memory for bodies. */
  private static final Duration MAX_DURATION = Duration.ofSeconds(60);

  /** Called once, with the answer that ends the request, or with the body. */
  interface Listener {
    void read(@Nullable Answer refusal, byte[] body);
  }

  private static final byte[] NONE = {};

  private final Request request;
  private final ByteSize maxBody;
  private final long maxMemory;
  private final AtomicLong usedMemory;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream(INITIAL_BYTES);
  private long reserved;

  RequestBody(Request request, HecSettings settings, AtomicLong usedMemory) {
    this.request = request;
    this.maxBody = settings.maxBody();
    this.maxMemory = settings.maxMemory().bytes();
    this.usedMemory = usedMemory;
    Request.addCompletionListener(request, failure -> usedMemory.addAndGet(-reserved));
  }

  /**
   * Reads the body as its bytes arrive. Closes the connection if that takes too long.
   *
   * @param scheduler runs the time limit
   */
  void read(Scheduler scheduler, Listener listener) {
    Scheduler.Task limit =
        scheduler.schedule(
            () -> request.getConnectionMetaData().getConnection().getEndPoint().close(),
            MAX_DURATION.toMillis(),
            TimeUnit.MILLISECONDS);
    read(
        (refusal, body) -> {
          limit.cancel();
          listener.read(refusal, body);
        });
  }

  private void read(Listener listener) {
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
    int bytes = chunk.remaining();
    if (received.size() + (long) bytes > maxBody.bytes()) {
      return Answer.TOO_LARGE;
    }
    if (!reserve(bytes)) {
      return Answer.SERVER_BUSY;
    }
    byte[] copy = new byte[bytes];
    chunk.getByteBuffer().get(copy);
    received.writeBytes(copy);
    return null;
  }

  private boolean reserve(long bytes) {
    reserved += bytes;
    return usedMemory.addAndGet(bytes) <= maxMemory;
  }

  private void finish(Listener listener) {
    String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
    if (encoding == null || !encoding.equalsIgnoreCase("gzip")) {
      listener.read(null, received.toByteArray());
      return;
    }
    ByteArrayOutputStream unpacked = new ByteArrayOutputStream(INITIAL_BYTES);
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(received.toByteArray()))) {
      byte[] part = new byte[INITIAL_BYTES];
      for (int count = in.read(part); count >= 0; count = in.read(part)) {
        if (unpacked.size() + (long) count > maxBody.bytes()) {
          listener.read(Answer.TOO_LARGE, NONE);
          return;
        }
        if (!reserve(count)) {
          listener.read(Answer.SERVER_BUSY, NONE);
          return;
        }
        unpacked.write(part, 0, count);
      }
      listener.read(null, unpacked.toByteArray());
    } catch (IOException e) {
      // A damaged body can't be told from one that was damaged on its way; the client sends it
      // again.
      log.debug("a body is not gzip", e);
      listener.read(Answer.SERVER_BUSY, NONE);
    }
  }
}
