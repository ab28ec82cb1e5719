package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One broker's queues for letters. For one thread. */
interface LetterBroker extends AutoCloseable {

  /** The queues. */
  enum Place {
    DEAD_LETTERS,
    /** Where letters wait for room among the dead letters. */
    WAITING
  }

  /** Refused messages that travel together under one id. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  record Letter(AMQP.BasicProperties properties, byte[] body) {
    Object header(String name) {
      Map<String, Object> headers = properties.getHeaders();
      return headers == null ? "" : headers.getOrDefault(name, "");
    }
  }

  /** A letter that was taken out, until it is said what becomes of it. */
  record Taken(long tag, Letter letter) {}

  /**
   * Returns when the broker has confirmed it, or has rejected it.
   *
   * @return false where that queue is full
   * @throws IOException whose message is for an operator; publish again
   */
  boolean publish(Place place, Letter letter) throws IOException;

  /** The letter that waits longest; null where there is none. */
  @Nullable Taken next() throws IOException;

  /** It is safe elsewhere. */
  void done(Taken taken) throws IOException;

  /** It goes on waiting. */
  void back(Taken taken) throws IOException;

  /** How many letters there are. */
  long count(Place place) throws IOException;

  @Override
  void close();
}
