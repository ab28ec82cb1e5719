package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * Simulates a broker for tests of the publisher, which decide when it connects, confirms or fails.
 */
final class FakeBroker implements Broker {
  final List<OutgoingBatch> published = new ArrayList<>();
  final List<Heartbeat> heartbeats = new CopyOnWriteArrayList<>();
  int declareCount;
  boolean refusing;
  boolean failingToPublish;

  /** Delays the closing of a connection until its count is zero. */
  CountDownLatch closePermit = new CountDownLatch(0);

  /**
   * Maximum size of a body in bytes; larger bodies are refused, as with RabbitMQ's
   * max_message_size.
   */
  int maxBytes = Integer.MAX_VALUE;

  List<String> queues = List.of("duplog");
  Listener listener;
  Listener firstListener;
  private long sequence = 1;

  @Override
  public List<String> queues() {
    return queues;
  }

  @Override
  public Session connect(Listener newListener) throws IOException {
    if (refusing) {
      throw new IOException("unreachable (Connection refused)");
    }
    listener = newListener;
    firstListener = firstListener == null ? newListener : firstListener;
    sequence = 1;
    return new FakeSession();
  }

  List<String> ids() {
    return published.stream().map(batch -> batch.envelope().id()).toList();
  }

  private final class FakeSession implements Session {
    @Override
    public long nextSequence() {
      return sequence;
    }

    @Override
    public void publish(OutgoingBatch batch) throws IOException {
      if (failingToPublish) {
        throw new IOException("lost (Broken pipe)");
      }
      sequence++;
      if (batch.body().length > maxBytes) {
        listener.tooLarge("message size " + batch.body().length);
      } else {
        published.add(batch);
      }
    }

    @Override
    public void sendHeartbeat(Heartbeat heartbeat) throws IOException {
      if (failingToPublish) {
        throw new IOException("lost (Broken pipe)");
      }
      heartbeats.add(heartbeat);
    }

    @Override
    public void declareQueues() {
      declareCount++;
    }

    @Override
    public void close() {
      try {
        closePermit.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
