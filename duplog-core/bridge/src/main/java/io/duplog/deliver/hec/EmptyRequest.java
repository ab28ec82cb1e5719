package io.duplog.deliver.hec;

import io.duplog.deliver.hec.answer.Answer;
import io.duplog.deliver.hec.answer.AnswerReader;
import io.duplog.deliver.hec.http.Connection;
import io.duplog.observe.RecurringWarning;
import java.io.IOException;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tests a URL without events, to find out whether the URL fails or the events do. Belongs to one
 * thread.
 *
 * @param post a request that indexes nothing
 */
record EmptyRequest(Connection connection, Connection.Post post, LongSupplier wallMillis) {
  static final String HEALTH = "/services/collector/health";

  /**
   * Returns a test that suits the configuration.
   *
   * @param channel the channel to use if acknowledgement is not configured; null for none
   */
  static EmptyRequest of(
      HecSinkConfig config,
      Connection connection,
      @Nullable String channel,
      LongSupplier wallMillis) {
    // Splunk confirms each id once only, so this question must not use a sender's channel.
    Connection.Post post =
        config.acknowledge()
            ? Connection.Post.ofAckQuery(UUID.randomUUID().toString(), "0")
            : Connection.Post.ofEvents(new byte[0], channel);
    return new EmptyRequest(connection, post, wallMillis);
  }

  /**
   * Returns a new channel's id for the raw endpoint, which requires one; null for the event
   * endpoint.
   */
  static @Nullable String channel(HecSinkConfig config) {
    boolean raw = config.endpoint() == HecSinkConfig.Endpoints.RAW;
    return raw ? UUID.randomUUID().toString() : null;
  }

  /**
   * Asks for the URL's health and sends the request without events, which shows whether the token
   * is right and whether it has acknowledgement turned on.
   *
   * @return what is wrong; null if nothing is
   */
  @Nullable Answer run() throws IOException {
    Answer ill = AnswerReader.readHealth(connection.get(HEALTH), wallMillis.getAsLong());
    return ill != null ? ill : trial();
  }

  /** Sends the request without events; returns what is wrong, or null if nothing is wrong. */
  @Nullable Answer trial() throws IOException {
    return AnswerReader.readTrial(connection.post(post), wallMillis.getAsLong());
  }

  static Answer.Retry defect(RuntimeException e) {
    return new Answer.Retry("meets a defect of Duplog's (" + e + ")", null);
  }

  static Answer.Retry unreachable(IOException e) {
    String cause = "can't be reached or breaks off (" + e.getMessage() + ")";
    return new Answer.Retry(cause, RecurringWarning.causeOf(e, cause), null);
  }
}
