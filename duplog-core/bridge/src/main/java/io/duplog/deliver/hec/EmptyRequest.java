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
 * Tests whether a collector's URL and token work, by a request without events. Not thread-safe.
 *
 * @param post a request that indexes nothing
 */
record EmptyRequest(Connection connection, Connection.Post post, LongSupplier wallMillis) {
  static final String HEALTH = "/services/collector/health";

  /**
   * Returns the test for the configuration.
   *
   * @param channelId the channel to use if acknowledgement is not configured, or null for none
   */
  static EmptyRequest of(
      HecSinkConfig config,
      Connection connection,
      @Nullable String channelId,
      LongSupplier wallMillis) {
    // Splunk confirms each id only once, so this query must not use a sender's channel.
    Connection.Post post =
        config.acknowledge()
            ? Connection.Post.ofAckQuery(UUID.randomUUID().toString(), "0")
            : Connection.Post.ofEvents(new byte[0], channelId);
    return new EmptyRequest(connection, post, wallMillis);
  }

  /**
   * Returns a new channel's id for the raw endpoint, which requires one, or null for the event
   * endpoint.
   */
  static @Nullable String newChannelId(HecSinkConfig config) {
    boolean raw = config.endpoint() == HecSinkConfig.Endpoints.RAW;
    return raw ? UUID.randomUUID().toString() : null;
  }

  /**
   * Requests the health page and then sends the empty request, which shows whether the token is
   * valid and whether it has acknowledgement turned on.
   *
   * @return the URL's failure, or null if the URL works
   */
  @Nullable Answer checkHealthAndToken() throws IOException {
    Answer failure = AnswerReader.readHealth(connection.get(HEALTH), wallMillis.getAsLong());
    return failure != null ? failure : checkToken();
  }

  /** Sends the empty request and returns the URL's failure, or null if the URL works. */
  @Nullable Answer checkToken() throws IOException {
    return AnswerReader.readEmpty(connection.post(post), wallMillis.getAsLong());
  }

  static Answer.Retry failureFrom(RuntimeException bug) {
    return new Answer.Retry("can't be used because of a bug in Duplog (" + bug + ")", null);
  }

  static Answer.Retry unreachable(IOException e) {
    String cause = "is unreachable or did not answer (" + e.getMessage() + ")";
    return new Answer.Retry(cause, RecurringWarning.causeOf(e, cause), null);
  }
}
