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
 * One broker's queues for dead letters. It has a connection of its own, made when first needed and
 * again after a failure, so that a blocked publisher never blocks the consumer. When the connection
 * ends, letters that were taken and neither acknowledged nor given back are in their queue again.
 * The first call after that throws, and the next one connects anew. The message of each exception
 * is one line for an operator. For one thread.
 */
class DeadLetterBroker implements AutoCloseable {
  private static final long CONFIRM_MILLIS = 5000;
  private static final int CLOSE_MILLIS = 1000;

  /** A queue at the broker. */
  enum Place {
    /** The stream's own queue, to which replayed batches go. */
    STREAM,
    DEAD_LETTERS,
    /** The queue in which letters wait for room among the dead letters, or for another broker. */
    WAITING
  }

  /**
   * A letter that was taken from its queue, and not yet acknowledged or given back.
   *
   * @param channel the channel on which it was taken; the tag is valid only there
   * @param left number of letters that were behind it in the queue
   */
  record Taken(ConfirmedChannel channel, long tag, Letter letter, long left) {}

  /** A request to the broker. */
  private interface Question<T extends @Nullable Object> {
    T ask(ConfirmedChannel open) throws IOException;
  }

  /** A call that tells the broker what becomes of a taken letter. */
  private interface Answer {
    void give(Channel open) throws IOException;
  }

  private final QueueSettings settings;
  private final Connector connector;
  private @Nullable Connection connection;
  private @Nullable ConfirmedChannel channel;

  /** Number of letters that were taken on this channel, and not yet acknowledged or given back. */
  private int outside;

  DeadLetterBroker(QueueSettings settings, Connector connector) {
    this.settings = settings;
    this.connector = connector;
  }

  /**
   * Returns the queues that hold letters at this broker. Only the broker of a stream's first queue
   * has a waiting queue.
   */
  List<Place> places() {
    return settings.share().number() == 0
        ? List.of(Place.DEAD_LETTERS, Place.WAITING)
        : List.of(Place.DEAD_LETTERS);
  }

  /**
   * Publishes a letter, and returns when the broker has confirmed or rejected it.
   *
   * @return false if the queue is full
   * @throws IOException if the outcome is unknown, so that the letter has to be published again
   */
  boolean publish(Place place, Letter letter) throws IOException {
    return ask(open -> open.publish(queue(place), letter.properties(), letter.body()));
  }

  /** Takes the oldest letter from a queue; null if the queue is empty. */
  @Nullable Taken next(Place place) throws IOException {
    GetResponse next =
        this.<@Nullable GetResponse>ask(open -> open.channel().basicGet(queue(place), false));
    if (next == null) {
      return null;
    }
    outside++;
    return new Taken(
        Objects.requireNonNull(channel),
        next.getEnvelope().getDeliveryTag(),
        new Letter(next.getProps(), next.getBody()),
        next.getMessageCount());
  }

  /** Removes a taken letter from its queue, because it is safe elsewhere. */
  void done(Taken taken) throws IOException {
    answer(taken, open -> open.basicAck(taken.tag(), false));
  }

  /** Gives a taken letter back to its queue. */
  void back(Taken taken) throws IOException {
    answer(taken, open -> open.basicNack(taken.tag(), false, true));
  }

  /** Gives all taken letters that were not acknowledged back to their queues, in their order. */
  void allBack() throws IOException {
    ask(open -> open.channel().basicRecover(true));
    outside = 0;
  }

  private void answer(Taken taken, Answer answer) throws IOException {
    if (taken.channel() != channel) {
      throw disconnected();
    }
    ask(
        open -> {
          answer.give(open.channel());
          return true;
        });
    outside--;
  }

  private IOException disconnected() {
    return new IOException(settings.broker() + " was disconnected: the letters are queued again");
  }

  /** Returns the number of letters in a queue, without those that were taken. */
  long count(Place place) throws IOException {
    return ask(open -> open.channel().messageCount(queue(place)));
  }

  private String queue(Place place) {
    return switch (place) {
      case STREAM -> settings.queue();
      case DEAD_LETTERS -> Topology.deadLetterQueue(settings.queue());
      case WAITING -> Topology.waitingLettersQueue(settings.queue());
    };
  }

  private <T extends @Nullable Object> T ask(Question<T> question) throws IOException {
    // A new channel does not know what was taken, and would begin with the first letter again.
    if (outside > 0 && (channel == null || !channel.channel().isOpen())) {
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
      Connection fresh = connector.connect(settings, "duplog dead letters, " + settings.queue());
      connection = fresh;
      Channel declaring = fresh.createChannel();
      ConsumerChannel.declareQueues(settings, declaring);
      if (places().contains(Place.WAITING)) {
        ConsumerChannel.declare(queue(Place.WAITING), Topology.deadLetterArguments(), declaring);
      }
      open = new ConfirmedChannel(declaring, CONFIRM_MILLIS);
      channel = open;
    }
    return open;
  }

  @Override
  public void close() {
    outside = 0;
    channel = null;
    if (connection != null) {
      connection.abort(CLOSE_MILLIS);
      connection = null;
    }
  }
}
