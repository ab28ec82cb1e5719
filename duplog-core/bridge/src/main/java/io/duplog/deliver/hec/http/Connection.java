package io.duplog.deliver.hec.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.hec.answer.Reply;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A sender's HTTP connection to its collector URL; tests replace it. Not thread-safe. */
public interface Connection extends Closeable {

  /**
   * A POST request, sent with the token.
   *
   * @param path path and query, relative to the URL's own path
   * @param body not used after the exchange has ended
   * @param length how many bytes of the array belong to the body
   * @param compressed whether the body is compressed with gzip
   * @param channel value of the header {@code X-Splunk-Request-Channel}, or null for none
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  record Post(String path, byte[] body, int length, boolean compressed, @Nullable String channel) {

    /** Returns a request with JSON events, or an empty request if the body is empty. */
    public static Post ofEvents(byte[] body, @Nullable String channel) {
      return new Post("/services/collector/event", body, body.length, false, channel);
    }

    /**
     * Returns a request that asks which requests the indexers have acknowledged.
     *
     * @param ids acknowledgement ids, separated by commas
     */
    public static Post ofAckQuery(String channel, String ids) {
      byte[] body = ("{\"acks\":[" + ids + "]}").getBytes(US_ASCII);
      String path = "/services/collector/ack?channel=" + channel;
      return new Post(path, body, body.length, false, channel);
    }
  }

  /** Thrown if no connection was made, so that no part of the request can have been sent. */
  @SuppressWarnings("serial") // never serialized
  final class UnsentException extends IOException {
    public UnsentException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Sends a request and waits for the whole answer with any status, up to the request's time-out.
   *
   * @throws IOException with a short message for administrators, such as {@code Connection
   *     refused}; an {@link UnsentException} if nothing of the request can have arrived
   */
  Reply post(Post post) throws IOException;

  /** Sends a GET request with the token and waits for the answer; fails like {@link #post}. */
  Reply get(String path) throws IOException;

  @Override
  void close();
}
