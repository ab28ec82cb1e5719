package io.duplog.deliver.hec.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.duplog.deliver.hec.answer.Reply;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A sender's own way to its URL: one exchange at a time. */
public interface Connection extends Closeable {

  /**
   * A POST with the token.
   *
   * @param path with its query, below the URL's own path
   * @param body not used any more when the exchange is over
   * @param compressed whether the body is gzip
   * @param channel for the header {@code X-Splunk-Request-Channel}
   */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  record Post(String path, byte[] body, int length, boolean compressed, @Nullable String channel) {

    /** Posts events in JSON, or nothing. */
    public static Post ofEvents(byte[] body, @Nullable String channel) {
      return new Post("/services/collector/event", body, body.length, false, channel);
    }

    /**
     * Asks which requests the indexers have acknowledged.
     *
     * @param ids with commas between them
     */
    public static Post ofAckQuery(String channel, String ids) {
      byte[] body = ("{\"acks\":[" + ids + "]}").getBytes(US_ASCII);
      String path = "/services/collector/ack?channel=" + channel;
      return new Post(path, body, body.length, false, channel);
    }
  }

  /** No connection came about on which a request could have left. */
  @SuppressWarnings("serial") // nobody writes it anywhere
  final class UnsentException extends IOException {
    public UnsentException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Sends it and waits for the whole answer, whatever its status, up to the request's time-out.
   *
   * @throws IOException whose message is a few words for an administrator: {@code Connection
   *     refused}; an {@link UnsentException} where nothing of it can have arrived
   */
  Reply post(Post post) throws IOException;

  /** A GET with the token; the same otherwise. */
  Reply get(String path) throws IOException;

  @Override
  void close();
}
