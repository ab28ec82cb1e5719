package io.duplog.bridge;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.duplog.amqp.BatchProperties;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.BatchEncoder;
import io.duplog.wire.EncodedBatch;
import io.duplog.wire.Envelope;
import io.duplog.wire.EventHead;
import io.duplog.wire.MessageForm;
import io.duplog.wire.Topology;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Publishes batches to a real RabbitMQ as a shim does, and arbitrary bodies as another program
 * might, for tests of bridges.
 */
public final class TestPublisher implements AutoCloseable {
  private static final AtomicInteger IDS = new AtomicInteger();

  private String stream;
  private final String queue;
  private final Connection connection;
  private final Channel channel;

  TestPublisher(RabbitMq broker, String stream) throws Exception {
    this(broker, stream, Topology.DEFAULT_QUEUE);
  }

  TestPublisher(RabbitMq broker, String stream, String queue) throws Exception {
    this(broker, stream, queue, Topology.QueueType.CLASSIC);
  }

  TestPublisher(RabbitMq broker, String stream, String queue, Topology.QueueType type)
      throws Exception {
    this.stream = stream;
    this.queue = queue;
    this.connection = broker.connections().newConnection();
    this.channel = connection.createChannel();
    channel.queueDeclare(queue, true, false, false, Topology.queueArguments(type));
    channel.confirmSelect();
  }

  /** Has its batches name this stream from now on. */
  void rename(String name) {
    stream = name;
  }

  /** Publishes a batch under a new id, as the other methods do. */
  public void publish(String... messages) throws Exception {
    publishAt(System.currentTimeMillis(), messages);
  }

  /** Publishes a batch of one sender's messages. */
  void publishFrom(String sender, String... messages) throws Exception {
    publish(System.currentTimeMillis(), encodeFrom(sender, messages));
  }

  /** Publishes a batch with this time of publication. */
  public void publishAt(long millis, String... messages) throws Exception {
    publish(millis, encode(messages));
  }

  /** Publishes a batch of events; events with the same text are copies of each other. */
  public void publishEvents(String... texts) throws Exception {
    EventHead head = new EventHead(null, "h", null, null, null, null, EventHead.Content.TEXT);
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.EVENT, true)) {
      for (String text : texts) {
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        head.write(Arrays.copyOf(bytes, EventHead.IDENTITY_BYTES), event);
        event.writeBytes(("h " + text).getBytes(StandardCharsets.ISO_8859_1));
        encoder.add(event.toByteArray(), 0, event.size());
      }
      publish(System.currentTimeMillis(), encoder.encode());
    }
  }

  /** Publishes a batch that only one sink needs, as a replay of its dead letter does. */
  void publishFor(String sink, String... messages) throws Exception {
    EncodedBatch batch = encode(messages);
    Envelope envelope =
        new Envelope(
            "test-" + IDS.incrementAndGet(),
            stream,
            batch.count(),
            System.currentTimeMillis(),
            batch.encoding());
    AMQP.BasicProperties properties = BatchProperties.of(envelope, true);
    Map<String, Object> headers = new HashMap<>(properties.getHeaders());
    headers.put(Envelope.SINK_HEADER, sink);
    publish(properties.builder().headers(headers).build(), batch.body());
  }

  private void publish(long millis, EncodedBatch batch) throws Exception {
    String id = "test-" + IDS.incrementAndGet();
    Envelope envelope = new Envelope(id, stream, batch.count(), millis, batch.encoding());
    publish(BatchProperties.of(envelope, true), batch.body());
  }

  public static EncodedBatch encode(String... messages) {
    return encodeFrom("10.0.0.1", messages);
  }

  private static EncodedBatch encodeFrom(String sender, String... messages) {
    try (BatchEncoder encoder = new BatchEncoder(MessageForm.SENDER_AND_TEXT, true)) {
      for (String message : messages) {
        byte[] bytes = (sender + " " + message).getBytes(StandardCharsets.ISO_8859_1);
        encoder.add(bytes, 0, bytes.length);
      }
      return encoder.encode();
    }
  }

  /** Publishes a body with a content type, and with a batch id if it has one. */
  public void publishAs(String contentType, @Nullable String id, byte[] body) throws Exception {
    publish(
        new AMQP.BasicProperties.Builder().contentType(contentType).messageId(id).build(), body);
  }

  public void publish(AMQP.BasicProperties properties, byte[] body) throws Exception {
    channel.basicPublish("", queue, true, properties, body);
    channel.waitForConfirmsOrDie(10_000);
  }

  /** Declares a queue, and publishes this many bodies to it. Each body begins with its number. */
  void fill(String name, Topology.QueueType type, int bodies, int bytes) throws Exception {
    channel.queueDeclare(name, true, false, false, Topology.queueArguments(type));
    for (int i = 0; i < bodies; i++) {
      channel.basicPublish("", name, null, ByteBuffer.allocate(bytes).putInt(i).array());
    }
    channel.waitForConfirmsOrDie(Duration.ofMinutes(2).toMillis());
  }

  /** Deletes a queue and its dead-letter queues. */
  void delete(String name) throws IOException {
    channel.queueDelete(name);
    channel.queueDelete(Topology.deadLetterQueue(name));
    channel.queueDelete(Topology.waitingLettersQueue(name));
  }

  public Channel channel() {
    return channel;
  }

  /** Returns the name of the queue to which it publishes. */
  String queue() {
    return queue;
  }

  @Override
  public void close() throws Exception {
    connection.abort();
  }
}
