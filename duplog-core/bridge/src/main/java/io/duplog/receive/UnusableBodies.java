package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.observe.Trouble;
import io.duplog.wire.Envelope;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves bodies that are not batches to the dead-letter queue of their RabbitMQ, with the reason in
 * a header. The body stays unchanged. One broker is enough: no other batch is settled in reliance
 * on such a body, and the other nodes have their own copies. Not thread-safe. Belongs to the
 * consumer's thread.
 */
final class UnusableBodies {
  private static final Logger log = LoggerFactory.getLogger(UnusableBodies.class);
  private static final int PERSISTENT = 2;

  private final QueueSettings settings;
  private final DeadLetterBroker publisher;
  private final Trouble trouble;
  private final LongSupplier nanoClock;
  private long retryAtNanos;

  UnusableBodies(QueueSettings settings, QueueConsumer.Environment environment) {
    this.settings = settings;
    this.publisher = new DeadLetterBroker(settings, environment.connector());
    this.nanoClock = environment.nanoClock();
    this.trouble = new Trouble(log, "dead-letter queue of " + settings, nanoClock);
    this.retryAtNanos = nanoClock.getAsLong();
  }

  /**
   * Publishes the channel's undecodable deliveries as dead letters. Settles each one when it is
   * confirmed.
   */
  void publishFrom(ConsumerChannel open) {
    for (ConsumerChannel.DeadLetter next = open.deadLetters().peek();
        next != null && !open.isLost() && nanoClock.getAsLong() - retryAtNanos >= 0;
        next = open.deadLetters().peek()) {
      Delivery delivery = next.delivery();
      try {
        if (!publisher.publish(
            DeadLetterBroker.Place.DEAD_LETTERS,
            new Letter(properties(delivery.properties(), next.reason()), delivery.body()))) {
          throw new IOException("the dead-letter queue is full");
        }
      } catch (IOException e) {
        trouble.occurred(
            settings
                + " can't store an undecodable body as a dead letter: "
                + e.getMessage()
                + ". The body stays unsettled, and this is retried.");
        retryAtNanos = nanoClock.getAsLong() + settings.retryMin().toNanos();
        return;
      }
      trouble.recovered();
      log.warn(
          "{} contained an undecodable body ({}). It was moved to the dead-letter queue. Run `duplog dead-letter list`.",
          settings,
          next.reason());
      open.deadLetters().poll();
      delivery.settle();
    }
  }

  private AMQP.BasicProperties properties(AMQP.BasicProperties original, String reason) {
    Map<String, Object> headers = Letter.headers(original);
    headers.remove("CC");
    headers.remove("BCC");
    headers.put(Envelope.REASON_HEADER, reason);
    headers.put(Envelope.STREAM_HEADER, settings.stream());
    return original
        .builder()
        .headers(headers)
        .deliveryMode(PERSISTENT)
        // The broker would reject another user's id, and an expiration would delete the body.
        .userId(null)
        .expiration(null)
        .build();
  }

  void close() {
    publisher.close();
  }
}
