package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.observe.RecurringWarning;
import io.duplog.wire.Envelope;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves bodies that the bridge can't decode to the dead-letter queue of their own broker. The body
 * stays unchanged, and a header gives the reason. One broker is enough, because no other batch is
 * settled in reliance on such a body, and the other nodes have bodies of their own. For the
 * consumer's thread.
 */
final class UnusableBodies {
  private static final Logger log = LoggerFactory.getLogger(UnusableBodies.class);
  private static final int PERSISTENT = 2;

  private final QueueSettings settings;
  private final DeadLetterBroker publisher;
  private final RecurringWarning trouble;
  private final LongSupplier nanoClock;
  private long retryAtNanos;

  UnusableBodies(QueueSettings settings, QueueConsumer.Environment environment) {
    this.settings = settings;
    this.publisher = new DeadLetterBroker(settings, environment.connector());
    this.nanoClock = environment.nanoClock();
    this.trouble = new RecurringWarning(log, "dead-letter queue of " + settings, nanoClock);
    this.retryAtNanos = nanoClock.getAsLong();
  }

  /**
   * Publishes the channel's undecodable deliveries as dead letters; settles each once confirmed.
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
            settings + " can't dead-letter a body: " + e.getMessage() + "; it stays unsettled");
        retryAtNanos = nanoClock.getAsLong() + settings.retryMin().toNanos();
        return;
      }
      trouble.recovered();
      log.warn(
          "{} held a body that can't be used ({}): moved to its dead-letter queue",
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
        // The broker would refuse another user's id, and let an expiration delete the body.
        .userId(null)
        .expiration(null)
        .build();
  }

  void close() {
    publisher.close();
  }
}
