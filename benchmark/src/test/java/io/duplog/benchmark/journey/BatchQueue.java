package io.duplog.benchmark.journey;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import io.duplog.parts.RabbitMq;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.Envelope;
import io.duplog.wire.Heartbeat;
import io.duplog.wire.MalformedBatchException;
import io.duplog.wire.MessageBatch;
import io.duplog.wire.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Takes batches from a node's queue as a bridge would see them: one with a known id is no news. */
final class BatchQueue {
  private final RabbitMq broker;
  private final BatchDecoder decoder = new BatchDecoder(BatchLimits.DEFAULT);
  private final Set<String> ids = new HashSet<>();
  private final List<String> messages = new ArrayList<>();
  private int repeats;
  private @Nullable Connection connection;

  BatchQueue(RabbitMq broker) {
    this.broker = broker;
  }

  /** All messages since {@link #forget}, after taking what is there now. */
  List<String> take() throws IOException {
    try {
      if (connection == null) {
        connection = broker.connections().newConnection();
      }
      try (Channel channel = connection.createChannel()) {
        channel.queueDeclare(
            Topology.DEFAULT_QUEUE,
            true,
            false,
            false,
            Topology.queueArguments(Topology.QueueType.CLASSIC));
        GetResponse response;
        while ((response = channel.basicGet(Topology.DEFAULT_QUEUE, true)) != null) {
          add(response);
        }
      }
    } catch (TimeoutException | MalformedBatchException e) {
      throw new IOException(e);
    }
    return messages;
  }

  /** Whether in each of these queues a batch waits, heartbeats apart. Nothing is taken. */
  static boolean allHoldBatches(RabbitMq broker, List<String> queues) throws IOException {
    try (Connection connection = broker.connections().newConnection()) {
      for (String queue : queues) {
        try (Channel channel = connection.createChannel()) { // closed, it gives back what it got
          GetResponse response = channel.basicGet(queue, false);
          while (response != null && isHeartbeat(response)) {
            response = channel.basicGet(queue, false);
          }
          if (response == null) {
            return false;
          }
        }
      }
      return true;
    } catch (TimeoutException e) {
      throw new IOException(e);
    }
  }

  private static boolean isHeartbeat(GetResponse response) {
    return response.getProps().getContentType().equals(Heartbeat.CONTENT_TYPE);
  }

  private void add(GetResponse response) throws MalformedBatchException {
    if (isHeartbeat(response)) {
      return;
    }
    if (!response.getProps().getContentType().equals(Envelope.CONTENT_TYPE)) {
      throw new MalformedBatchException("content-type " + response.getProps().getContentType());
    }
    if (!ids.add(response.getProps().getMessageId())) {
      repeats++;
      return;
    }
    MessageBatch batch =
        decoder.decode(
            response.getBody(), ContentEncoding.of(response.getProps().getContentEncoding()));
    for (int i = 0; i < batch.count(); i++) {
      int start = batch.textStart(i);
      messages.add(new String(batch.data(), start, batch.end(i) - start, ISO_8859_1));
    }
  }

  /** How many batches came, repeated ones apart. */
  int batches() {
    return ids.size();
  }

  /** How many batches came again under an id that had been there. */
  int repeats() {
    return repeats;
  }

  /** Closes the connection; the next {@link #take} makes another. */
  void disconnect() throws IOException {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }

  /** Begins anew, for the next test. */
  void forget() throws IOException {
    take();
    disconnect();
    ids.clear();
    messages.clear();
    repeats = 0;
  }
}
