package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.observe.Trouble;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves to the dead-letter queue what can't be used: bodies that the bridge can't decode, and
 * messages that the sink refuses for good. Tries until the broker has confirmed it. Belongs to the
 * consumer's thread, but for {@link #add}.
 */
final class DeadLetters {
  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

  /** A message that the sink refuses. */
  private record Refused(
      AMQP.BasicProperties properties, EncodedBatch batch, String reason, Runnable kept) {}

  private final QueueSettings settings;
  private final DeadLetterPublisher publisher;
  private final Trouble trouble;
  private final Queue<Refused> refused = new ConcurrentLinkedQueue<>();
  private long retryAtNanos = System.nanoTime();

  DeadLetters(QueueSettings settings) {
    this.settings = settings;
    this.publisher = new DeadLetterPublisher(settings);
    this.trouble = new Trouble(log, "dead-letter queue of " + settings, System::nanoTime);
  }

  /** Takes one message of a batch, as a batch of its own that can be put back. Any thread. */
  void add(MessageBatch batch, int message, String reason, Runnable kept) {
    try (BatchEncoder encoder = new BatchEncoder(batch.senderPrefixed(), false)) {
      int start = batch.start(message);
      encoder.add(batch.data(), start, batch.end(message) - start);
      EncodedBatch encoded = encoder.encode();
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .contentType(Envelope.CONTENT_TYPE)
              .contentEncoding(encoded.encoding().token())
              .messageId("refused-" + UUID.randomUUID())
              .headers(Map.of(Envelope.COUNT_HEADER, 1))
              .build();
      refused.add(new Refused(properties, encoded, reason, kept));
    }
  }

  /**
   * Publishes what there is.
   *
   * @param open whose bodies are to be moved
   */
  void publishFrom(ConsumerChannel open) {
    for (ConsumerChannel.DeadLetter next = open.nextDeadLetter();
        next != null && !open.isLost();
        next = open.nextDeadLetter()) {
      Delivery delivery = next.delivery();
      if (!publish(delivery.properties(), delivery.body(), next.reason())) {
        return;
      }
      log.warn(
          "{} held a body that can't be used ({}): moved to its dead-letter queue",
          settings,
          next.reason());
      open.deadLetterDone();
      delivery.settle();
    }
  }

  /** Publishes the messages that the sink refused, whatever has become of their channel. */
  void publishRefused() {
    for (Refused next = refused.peek(); next != null; next = refused.peek()) {
      if (!publish(next.properties(), next.batch().body(), next.reason())) {
        return;
      }
      log.warn(
          "the sink refuses a message of {} ({}): moved to its dead-letter queue",
          settings,
          next.reason());
      refused.remove();
      next.kept().run();
    }
  }

  private boolean publish(AMQP.BasicProperties properties, byte[] body, String reason) {
    if (System.nanoTime() - retryAtNanos < 0) {
      return false;
    }
    try {
      publisher.publish(properties, body, reason);
    } catch (IOException e) {
      trouble.occurred(
          settings + " can't dead-letter a body: " + e.getMessage() + "; it stays unsettled");
      retryAtNanos = System.nanoTime() + settings.retryMin().toNanos();
      return false;
    }
    trouble.recovered();
    return true;
  }

  void close() {
    publisher.close();
  }
}
