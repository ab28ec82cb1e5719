package io.duplog.receive;

import com.rabbitmq.client.AMQP;
import io.duplog.observe.Trouble;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.MessageBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves to the dead-letter queue what can't be used: bodies that the bridge can't decode, and
 * messages that the sink refuses for good. Tries until the broker has confirmed it. Belongs to the
 * consumer's thread, but for {@link #add}.
 */
final class DeadLetters {
  private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

  /** Of one letter, so that a broker takes it and an administrator can look at it. */
  private static final int MOST_MESSAGES = 1000;

  private static final int MOST_BYTES = 1 << 20;

  /** Publishes a body, and returns when the broker has confirmed it. */
  @FunctionalInterface
  interface Broker {
    void publish(AMQP.BasicProperties properties, byte[] body, String reason) throws IOException;
  }

  /** A message that the sink refuses, its sender's prefix included. */
  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record Refused(byte[] message, boolean senderPrefixed, String reason, Runnable kept) {
    boolean fitsWith(Refused other) {
      return senderPrefixed == other.senderPrefixed && reason.equals(other.reason);
    }
  }

  /** Refused messages that travel together. */
  private record Letter(
      AMQP.BasicProperties properties, EncodedBatch batch, String reason, List<Runnable> kept) {}

  private final QueueSettings settings;
  private final Broker broker;
  private final Runnable disconnect;
  private final LongSupplier nanoClock;
  private final Trouble trouble;
  private final Queue<Refused> refused = new ConcurrentLinkedQueue<>();
  private long retryAtNanos;

  /** Not yet confirmed; by the consumer's thread. */
  private @Nullable Letter letter;

  DeadLetters(QueueSettings settings, QueueConsumer.Surroundings surroundings) {
    this(
        settings,
        new DeadLetterPublisher(settings, surroundings.connector()),
        surroundings.nanoClock());
  }

  private DeadLetters(
      QueueSettings settings, DeadLetterPublisher publisher, LongSupplier nanoClock) {
    this(settings, publisher::publish, publisher::close, nanoClock);
  }

  DeadLetters(QueueSettings settings, Broker broker, Runnable disconnect, LongSupplier nanoClock) {
    this.settings = settings;
    this.broker = broker;
    this.disconnect = disconnect;
    this.nanoClock = nanoClock;
    this.retryAtNanos = nanoClock.getAsLong();
    this.trouble = new Trouble(log, "dead-letter queue of " + settings, nanoClock);
  }

  /** Takes one message of a batch. Any thread. */
  void add(MessageBatch batch, int message, String reason, Runnable kept) {
    byte[] bytes = Arrays.copyOfRange(batch.data(), batch.start(message), batch.end(message));
    refused.add(new Refused(bytes, batch.senderPrefixed(), reason, kept));
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

  /**
   * Publishes some of the messages that the sink refused, whatever has become of their channel.
   * Those that are refused for the same reason travel together, as a batch that can be put back,
   * and never more than one batch at a call: whoever can send what is refused (a blank message will
   * do) must not keep this thread from its other work.
   */
  void publishRefused() {
    Letter next = letter == null ? gather() : letter;
    letter = next;
    if (next == null || !publish(next.properties(), next.batch().body(), next.reason())) {
      return;
    }
    letter = null;
    log.warn(
        "the sink refuses {} messages of {} ({}): moved to its dead-letter queue",
        next.kept().size(),
        settings,
        next.reason());
    next.kept().forEach(Runnable::run);
  }

  private @Nullable Letter gather() {
    Refused first = refused.peek();
    if (first == null) {
      return null;
    }
    List<Runnable> kept = new ArrayList<>();
    try (BatchEncoder encoder = new BatchEncoder(first.senderPrefixed(), false)) {
      for (Refused next = first;
          next != null
              && next.fitsWith(first)
              && kept.size() < MOST_MESSAGES
              && encoder.size() < MOST_BYTES;
          next = refused.peek()) {
        encoder.add(next.message(), 0, next.message().length);
        kept.add(next.kept());
        refused.remove();
      }
      EncodedBatch encoded = encoder.encode();
      AMQP.BasicProperties properties =
          new AMQP.BasicProperties.Builder()
              .contentType(Envelope.CONTENT_TYPE)
              .contentEncoding(encoded.encoding().token())
              .messageId("refused-" + UUID.randomUUID())
              .headers(Map.of(Envelope.COUNT_HEADER, encoded.count()))
              .build();
      return new Letter(properties, encoded, first.reason(), kept);
    }
  }

  private boolean publish(AMQP.BasicProperties properties, byte[] body, String reason) {
    if (nanoClock.getAsLong() - retryAtNanos < 0) {
      return false;
    }
    try {
      broker.publish(properties, body, reason);
    } catch (IOException e) {
      trouble.occurred(
          settings + " can't dead-letter a body: " + e.getMessage() + "; it stays unsettled");
      retryAtNanos = nanoClock.getAsLong() + settings.retryMin().toNanos();
      return false;
    }
    trouble.recovered();
    return true;
  }

  void close() {
    disconnect.run();
  }
}
