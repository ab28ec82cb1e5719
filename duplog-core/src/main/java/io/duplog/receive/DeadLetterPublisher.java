package io.duplog.receive;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.duplog.amqp.ConfirmedChannel;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The letters' queues of a real broker. Has a connection of its own, made when first needed, so
 * that a blocked publisher never blocks the consumer.
 */
final class DeadLetterPublisher implements LetterBroker {
  private static final long CONFIRM_MILLIS = 5000;

  private final QueueSettings settings;
  private final Connector connector;
  private @Nullable Connection connection;
  private @Nullable ConfirmedChannel channel;

  DeadLetterPublisher(QueueSettings settings, Connector connector) {
    this.settings = settings;
    this.connector = connector;
  }

  /** Something asked of the broker. */
  private interface Question<T extends @Nullable Object> {
    T ask(ConfirmedChannel open) throws IOException;
  }

  @Override
  public boolean publish(Place place, Letter letter) throws IOException {
    return ask(open -> open.publish(queue(place), letter.properties(), letter.body()));
  }

  @Override
  public @Nullable Taken next() throws IOException {
    GetResponse next =
        this.<@Nullable GetResponse>ask(
            open -> open.channel().basicGet(queue(Place.WAITING), false));
    return next == null
        ? null
        : new Taken(
            next.getEnvelope().getDeliveryTag(), new Letter(next.getProps(), next.getBody()));
  }

  @Override
  public void done(Taken taken) throws IOException {
    ask(
        open -> {
          open.channel().basicAck(taken.tag(), false);
          return true;
        });
  }

  @Override
  public void back(Taken taken) throws IOException {
    ask(
        open -> {
          open.channel().basicNack(taken.tag(), false, true);
          return true;
        });
  }

  @Override
  public long count(Place place) throws IOException {
    return ask(open -> open.channel().messageCount(queue(place)));
  }

  private String queue(Place place) {
    return switch (place) {
      case DEAD_LETTERS -> Topology.deadLetterQueue(settings.queue());
      case WAITING -> Topology.refusedQueue(settings.queue());
    };
  }

  private <T extends @Nullable Object> T ask(Question<T> question) throws IOException {
    try {
      return question.ask(open());
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
      open = confirmed(settings, fresh);
      channel = open;
    }
    return open;
  }

  /** A channel to publish on, after the queues were declared. */
  static ConfirmedChannel confirmed(QueueSettings settings, Connection connection)
      throws IOException {
    Channel channel = connection.createChannel();
    ConsumerChannel.declareQueues(settings, channel);
    if (settings.share().number() == 0) {
      channel.queueDeclare(
          Topology.refusedQueue(settings.queue()),
          true,
          false,
          false,
          Topology.deadLetterArguments());
    }
    return new ConfirmedChannel(channel, CONFIRM_MILLIS);
  }

  @Override
  public void close() {
    channel = null;
    if (connection != null) {
      connection.abort(1000);
      connection = null;
    }
  }
}
