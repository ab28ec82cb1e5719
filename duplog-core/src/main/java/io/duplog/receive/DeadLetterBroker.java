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
 * One broker's queues for dead letters. Has a connection of its own, made when first needed and
 * anew after a failure, so that a blocked publisher never blocks the consumer. What was taken and
 * is neither done nor back is in its queue again when the connection ends; the first call after
 * that says so, and the next one connects anew. Each method throws an exception whose message is
 * one line for an operator. For one thread.
 */
class DeadLetterBroker implements AutoCloseable {
  private static final long CONFIRM_MILLIS = 5000;
  private static final int CLOSE_MILLIS = 1000;

  /** The queues. */
  enum Place {
    /** Whose batches the letters are. */
    STREAM,
    DEAD_LETTERS,
    /** Where letters wait for room among the dead letters, or for another broker. */
    WAITING
  }

  /**
   * A letter that was taken out, until it is said what becomes of it.
   *
   * @param channel on which it was taken, which alone knows it
   * @param left letters that were behind it
   */
  record Taken(ConfirmedChannel channel, long tag, Letter letter, long left) {}

  /** Something asked of the broker. */
  private interface Question<T extends @Nullable Object> {
    T ask(ConfirmedChannel open) throws IOException;
  }

  /** What becomes of letters that were taken. */
  private interface Answer {
    void give(Channel open) throws IOException;
  }

  private final QueueSettings settings;
  private final Connector connector;
  private @Nullable Connection connection;
  private @Nullable ConfirmedChannel channel;

  /** How many were taken on this channel, and are neither done nor back. */
  private int outside;

  DeadLetterBroker(QueueSettings settings, Connector connector) {
    this.settings = settings;
    this.connector = connector;
  }

  /** Where letters are: those of a stream wait at its first queue's broker. */
  List<Place> places() {
    return settings.share().number() == 0
        ? List.of(Place.DEAD_LETTERS, Place.WAITING)
        : List.of(Place.DEAD_LETTERS);
  }

  /**
   * Returns when the broker has confirmed it, or has rejected it.
   *
   * @return false where that queue is full
   * @throws IOException where that is not known: publish again
   */
  boolean publish(Place place, Letter letter) throws IOException {
    return ask(open -> open.publish(queue(place), letter.properties(), letter.body()));
  }

  /** The letter that waits longest; null where there is none. */
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

  /** It is safe elsewhere. */
  void done(Taken taken) throws IOException {
    answer(taken, open -> open.basicAck(taken.tag(), false));
  }

  /** It goes on waiting. */
  void back(Taken taken) throws IOException {
    answer(taken, open -> open.basicNack(taken.tag(), false, true));
  }

  /** Everything that was taken and is not done goes on waiting, in its order. */
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

  /** How many letters there are, without those that were taken. */
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
    // A new channel knows nothing of what was taken, and begins with the first letter again.
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
