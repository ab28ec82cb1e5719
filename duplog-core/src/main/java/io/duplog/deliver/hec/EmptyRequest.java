package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.http.Connection;
import java.io.IOException;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries a URL without events: whether it is the URL that fails, or what it was sent. One thread's.
 *
 * @param post indexes nothing
 */
record EmptyRequest(Connection connection, Connection.Post post, LongSupplier wallMillis) {
  static final String HEALTH = "/services/collector/health";

  /**
   * The way that the configuration has it.
   *
   * @param channel of all requests, where acknowledgement has none for them; null for none
   */
  static EmptyRequest of(
      HecSinkConfig config,
      Connection connection,
      @Nullable String channel,
      LongSupplier wallMillis) {
    // An id that is confirmed once is not confirmed again, so the question has its own channel.
    Connection.Post post =
        config.acknowledge()
            ? Connection.Post.ofAckQuery(UUID.randomUUID().toString(), "0")
            : Connection.Post.ofEvents(new byte[0], channel);
    return new EmptyRequest(connection, post, wallMillis);
  }

  /** The raw endpoint takes nothing without a channel. */
  static @Nullable String channel(HecSinkConfig config) {
    boolean raw = config.endpoint() == HecSinkConfig.Endpoints.RAW;
    return raw ? UUID.randomUUID().toString() : null;
  }

  /**
   * Asks for its health, and posts nothing, which shows whether the token is right, and whether it
   * has acknowledgement.
   *
   * @return what is wrong; null where nothing is
   */
  @Nullable Answer run() throws IOException {
    Answer ill = AnswerReader.readHealth(connection.get(HEALTH), wallMillis.getAsLong());
    return ill != null ? ill : trial();
  }

  /** Posts nothing. */
  @Nullable Answer trial() throws IOException {
    return AnswerReader.readTrial(connection.post(post), wallMillis.getAsLong());
  }

  static Answer.Retry defect(RuntimeException e) {
    return new Answer.Retry("meets a defect of Duplog's (" + e + ")", null);
  }

  static Answer.Retry unreachable(IOException e) {
    return new Answer.Retry("can't be reached or breaks off (" + e.getMessage() + ")", null);
  }
}
