package io.duplog.receive;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.duplog.amqp.ConfirmedChannel;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes dead letters to one RabbitMQ and takes them from it, over a connection of its own. This
 * way a blocked publisher never blocks the consumer. The connection is opened when first needed,
 * and again after a failure. When it ends, all fetched dead letters that are not acknowledged
 * return to their queue: the next call throws, and the one after that reconnects. The message of
 * each exception is one line for an operator. Not thread-safe.
 */
class DeadLetterBroker implements AutoCloseable {
  private static final long CONFIRM_MILLIS = 5000;
  private static final int CLOSE_MILLIS = 1000;

  /** A queue at the broker in which dead letters are stored, or to which they are replayed. */
  enum Place {
    /** The stream's own queue, to which replayed batches go. */
    STREAM,
    DEAD_LETTERS,
    /**
     * The queue in which dead letters wait for room in the dead-letter queue, or for another
     * broker.
     */
    WAITING
  }

  /**
   * A dead letter that was fetched from its queue, and not yet acknowledged or put back.
   *
   * @param channel the channel on which the dead letter was fetched. The tag is valid only there.
   * @param left number of dead letters that were after this one in the queue
   */
  record Taken(ConfirmedChannel channel, long tag, Letter letter, long left) {
    /** Returns a copy without the body, which saves memory. */
    Taken withoutBody() {
      return new Taken(channel, tag, new Letter(letter.properties(), new byte[0]), left);
    }
  }

  /** A request to the broker on an open channel. */
  private interface Question<T extends @Nullable Object> {
    T ask(ConfirmedChannel open) throws IOException;
  }

  /** A call that acknowledges a fetched dead letter, or puts it back into its queue. */
  private interface Answer {
    void give(Channel open) throws IOException;
  }

  private final QueueSettings settings;
  private final Connector connector;
  private @Nullable Connection connection;
  private @Nullable ConfirmedChannel channel;

  /** Number of dead letters fetched on this channel, and not yet acknowledged or put back. */
  private int fetchedLetters;

  DeadLetterBroker(QueueSettings settings, Connector connector) {
    this.settings = settings;
    this.connector = connector;
  }

  /**
   * Returns the queues that hold dead letters at this broker. The broker of a stream's first queue
   * is the only one with a waiting queue.
   */
  List<Place> places() {
    return settings.share().number() == 0
        ? List.of(Place.DEAD_LETTERS, Place.WAITING)
        : List.of(Place.DEAD_LETTERS);
  }

  /**
   * Publishes a dead letter or a replayed batch, and returns when the broker has confirmed or
   * rejected it.
   *
   * @return false if the queue is full
   * @throws IOException if the outcome is unknown, so that the message has to be published again
   */
  boolean publish(Place place, Letter letter) throws IOException {
    return ask(open -> open.publish(queue(place), letter.properties(), letter.body()));
  }

  /** Fetches the oldest dead letter of a queue, or null if the queue is empty. */
  @Nullable Taken next(Place place) throws IOException {
    GetResponse next =
        this.<@Nullable GetResponse>ask(open -> open.channel().basicGet(queue(place), false));
    if (next == null) {
      return null;
    }
    fetchedLetters++;
    return new Taken(
        Objects.requireNonNull(channel),
        next.getEnvelope().getDeliveryTag(),
        new Letter(next.getProps(), next.getBody()),
        next.getMessageCount());
  }

  /** Removes a fetched dead letter from its queue by acknowledging it. */
  void acknowledge(Taken taken) throws IOException {
    answerFetched(taken, open -> open.basicAck(taken.tag(), false));
  }

  /** Puts a fetched dead letter back into its queue. */
  void putBack(Taken taken) throws IOException {
    answerFetched(taken, open -> open.basicNack(taken.tag(), false, true));
  }

  /** Puts all fetched dead letters that are not acknowledged back into their queues, in order. */
  void putAllBack() throws IOException {
    ask(open -> open.channel().basicRecover(true));
    fetchedLetters = 0;
  }

  private void answerFetched(Taken taken, Answer answer) throws IOException {
    if (taken.channel() != channel) {
      throw disconnected();
    }
    ask(
        open -> {
          answer.give(open.channel());
          return true;
        });
    fetchedLetters--;
  }

  private IOException disconnected() {
    return new IOException(
        settings.broker() + " was disconnected. The fetched dead letters are back in their queue.");
  }

  /** Returns the number of messages in a queue, not counting those that were fetched. */
  long count(Place place) throws IOException {
    return ask(open -> open.channel().messageCount(queue(place)));
  }

  /**
   * Returns the number of messages in the dead-letter queues of other queues of this broker, which
   * are declared if they do not exist.
   */
  long letters(List<QueueSettings> others) throws IOException {
    return ask(
        open -> {
          long letters = 0;
          for (QueueSettings other : others) {
            letters +=
                ConsumerChannel.declare(
                        Topology.deadLetterQueue(other.queue()),
                        Topology.deadLetterArguments(),
                        open.channel())
                    .getMessageCount();
          }
          return letters;
        });
  }

  private String queue(Place place) {
    return switch (place) {
      case STREAM -> settings.queue();
      case DEAD_LETTERS -> Topology.deadLetterQueue(settings.queue());
      case WAITING -> Topology.waitingLettersQueue(settings.queue());
    };
  }

  private <T extends @Nullable Object> T ask(Question<T> question) throws IOException {
    // A new channel does not know the fetched messages, and would start with the first message
    // again.
    if (fetchedLetters > 0 && (channel == null || !channel.channel().isOpen())) {
      close();
      throw disconnected();
    }
    try {
      return question.ask(open());
    } catch (ConfirmedChannel.UnconfirmedException e) {
      close();
      throw new IOException(settings.broker() + " " + e.getMessage(), e);
    } catch (IOException | TimeoutException | RuntimeException e) {
      close();
      throw new IOException(settings.describe(e), e);
    }
  }

  private ConfirmedChannel open() throws IOException, TimeoutException {
    ConfirmedChannel open = channel;
    if (open == null || !open.channel().isOpen()) {
      close();
      Connection fresh =
          connector.connectToPublish(settings, "duplog dead letters, " + settings.queue());
      connection = fresh;
      Channel declaring = fresh.createChannel();
      // The stream's queue is not declared here: its consumer warns if it does not exist.
      for (Place place : places()) {
        ConsumerChannel.declare(queue(place), Topology.deadLetterArguments(), declaring);
      }
      open = new ConfirmedChannel(declaring, CONFIRM_MILLIS);
      channel = open;
    }
    return open;
  }

  @Override
  public void close() {
    fetchedLetters = 0;
    channel = null;
    if (connection != null) {
      connection.abort(CLOSE_MILLIS);
      connection = null;
    }
  }
}
