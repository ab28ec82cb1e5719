package io.duplog.receive;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
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
  private @Nullable Channel channel;

  /** Whether the broker sent the last one back, since its queue is not there. */
  private volatile boolean returned;

  DeadLetterPublisher(QueueSettings settings, Connector connector) {
    this.settings = settings;
    this.connector = connector;
  }

  /** Something asked of the broker. */
  private interface Question<T extends @Nullable Object> {
    T ask(Channel open) throws IOException, InterruptedException, TimeoutException;
  }

  @Override
  public boolean publish(Place place, Letter letter) throws IOException {
    return ask(
        open -> {
          returned = false;
          open.basicPublish("", queue(place), true, letter.properties(), letter.body());
          boolean confirmed = open.waitForConfirms(CONFIRM_MILLIS);
          if (returned) {
            throw new IOException("the queue " + queue(place) + " is gone");
          }
          return confirmed;
        });
  }

  @Override
  public @Nullable Taken next() throws IOException {
    GetResponse next =
        this.<@Nullable GetResponse>ask(open -> open.basicGet(queue(Place.WAITING), false));
    return next == null
        ? null
        : new Taken(
            next.getEnvelope().getDeliveryTag(), new Letter(next.getProps(), next.getBody()));
  }

  @Override
  public void done(Taken taken) throws IOException {
    ask(
        open -> {
          open.basicAck(taken.tag(), false);
          return true;
        });
  }

  @Override
  public void back(Taken taken) throws IOException {
    ask(
        open -> {
          open.basicNack(taken.tag(), false, true);
          return true;
        });
  }

  @Override
  public long count(Place place) throws IOException {
    return ask(open -> open.messageCount(queue(place)));
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
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (IOException | TimeoutException | RuntimeException e) {
      close();
      throw new IOException(BrokerFailure.describe(settings, e), e);
    }
  }

  private Channel open() throws IOException, TimeoutException {
    Channel open = channel;
    if (open == null || !open.isOpen()) {
      close();
      Connection fresh = connector.connect(settings, "duplog dead letters, " + settings.queue());
      connection = fresh;
      open = fresh.createChannel();
      ConsumerChannel.declareQueues(settings, open);
      if (settings.share().number() == 0) {
        declareRefused(settings, open);
      }
      open.confirmSelect();
      open.addReturnListener(unroutable -> returned = true);
      channel = open;
    }
    return open;
  }

  static void declareRefused(QueueSettings settings, Channel channel) throws IOException {
    channel.queueDeclare(
        Topology.refusedQueue(settings.queue()),
        true,
        false,
        false,
        Topology.deadLetterArguments());
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
