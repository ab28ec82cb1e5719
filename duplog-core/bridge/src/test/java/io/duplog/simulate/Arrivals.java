package io.duplog.simulate;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.rabbitmq.client.AMQP;
import io.duplog.deliver.DeliveryRequest;
import io.duplog.deliver.hec.HecSink;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records which simulated messages reached a Splunk collector or a dead-letter queue, and how
 * often.
 */
final class Arrivals {
  private static final String BLANK = "[blank message";

  private final World world;
  private final Map<String, Message> bySender = new LinkedHashMap<>();
  private final Set<String> letters = new HashSet<>();
  private final BatchDecoder decoder = new BatchDecoder(BatchLimits.DEFAULT);

  Arrivals(World world) {
    this.world = world;
  }

  /** Makes a message known, which may arrive from now on. */
  void expect(Message message) {
    bySender.put(message.sender(), message);
  }

  /**
   * Called when a collector has indexed an event. A blank message arrives as a visible text, so
   * that its sender identifies it.
   */
  void indexed(SimulatedBridge by, String text, @Nullable String host) {
    if (text.equals(HecSink.CONTROL_EVENT) || world.scenario.isForeign(by.place)) {
      return;
    }
    Message message = bySender.get(host);
    if (message == null
        || !(message.blank ? text.startsWith(BLANK) : text.equals(message.text()))) {
      world.finding(Finding.ALTERED, "an event that nobody sent:", text, "of", host);
      return;
    }
    world.note(by, "delivers", message);
    message.indexed.add(world.timeline.nanos());
  }

  /** Called when the second sink of a bridge has written the messages of a request. */
  void written(SimulatedBridge by, DeliveryRequest request) {
    if (world.scenario.isForeign(by.place)) {
      return;
    }
    MessageBatch batch = request.batch();
    request.chosen().stream()
        .mapToObj(i -> bySender.get(sender(batch, i)))
        .filter(Objects::nonNull)
        .forEach(
            message -> {
              world.note(by, "writes", message);
              message.written++;
            });
  }

  private static String sender(MessageBatch batch, int i) {
    int start = batch.start(i);
    return new String(batch.data(), start, batch.textStart(i) - start, US_ASCII).strip();
  }

  /** Whether no dead letter of this name has come before. */
  boolean isFirst(String letter) {
    return letters.add(letter);
  }

  /** Called when a broker has taken a dead letter. */
  void buried(SimulatedBroker broker, AMQP.BasicProperties properties, byte[] body) {
    Map<String, Object> headers = properties.getHeaders();
    Object reason = headers == null ? null : headers.get(Envelope.REASON_HEADER);
    if (reason == null) {
      world.finding(Finding.ALTERED, "a dead letter without a reason on", broker.host);
    }
    forEach(
        properties,
        body,
        (message, place) -> {
          world.note(broker.host, "keeps the dead letter", message, "since", reason);
          message.buried(place, world.timeline.nanos());
        });
  }

  /** Called when a broker need not keep a batch any longer. */
  void settled(AMQP.BasicProperties properties, byte[] body) {
    forEach(properties, body, (message, place) -> message.settledNanos = world.timeline.nanos());
  }

  /** Called when a batch was on a host that is lost. */
  void burned(AMQP.BasicProperties properties, byte[] body) {
    settled(properties, body);
    forEach(properties, body, (message, place) -> message.burned.add(place));
  }

  /** Called for each dead letter that is left when the run is over. */
  void left(AMQP.BasicProperties properties, byte[] body) {
    forEach(properties, body, (message, place) -> message.dead.add(place));
  }

  private void forEach(
      AMQP.BasicProperties properties, byte[] body, BiConsumer<Message, String> action) {
    try {
      MessageBatch batch =
          decoder.decode(body, ContentEncoding.of(properties.getContentEncoding()));
      for (int i = 0; i < batch.count(); i++) {
        String sender = sender(batch, i);
        Message message = bySender.get(sender);
        if (message == null) {
          world.finding(Finding.ALTERED, "a dead letter that nobody sent, of", sender);
        } else {
          action.accept(message, properties.getMessageId() + "#" + i);
        }
      }
    } catch (MalformedBatchException e) {
      world.finding(Finding.ALTERED, "a dead letter that is no batch:", e.getMessage());
    }
  }
}
