package io.duplog.deliver.hec;

import io.duplog.deliver.hec.Answer.Retry;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tries a URL without events: whether it is the URL that fails, or what it was sent. One thread's.
 *
 * @param channels null where receipt is enough
 * @param channel of a request where there are no channels; null for none
 */
record EmptyRequest(
    Connection connection,
    @Nullable Channels channels,
    @Nullable String channel,
    LongSupplier wallMillis) {
  private static final byte[] NO_EVENTS = {};

  /**
   * Its health, and a request that indexes nothing.
   *
   * @return what is wrong; null where nothing is
   */
  @Nullable Answer run() {
    try {
      Reply health = connection.get("/services/collector/health");
      Answer ill = AnswerReader.readHealth(health, wallMillis.getAsLong());
      if (ill != null) {
        return ill;
      }
      Reply reply = connection.post(channels == null ? noEvents() : channels.trial());
      return AnswerReader.readTrial(reply, wallMillis.getAsLong());
    } catch (IOException e) {
      return unreachable(e);
    }
  }

  static Retry unreachable(IOException e) {
    return new Retry("can't be reached or breaks off (" + e.getMessage() + ")", null);
  }

  private Connection.Post noEvents() {
    return new Connection.Post(
        "/services/collector/event", NO_EVENTS, NO_EVENTS.length, false, channel);
  }
}
