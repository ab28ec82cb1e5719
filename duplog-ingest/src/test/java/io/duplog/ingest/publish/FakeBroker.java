package io.duplog.ingest.publish;

import io.duplog.wire.Heartbeat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** Opens sessions that do what the test says. */
final class FakeBroker implements Broker {
  final List<OutgoingBatch> published = new ArrayList<>();
  final List<Heartbeat> heartbeats = new CopyOnWriteArrayList<>();
  int declared;
  boolean refusing;
  boolean failingToPublish;

  /** Holds up the end of a connection. */
  CountDownLatch closing = new CountDownLatch(0);

  /** Refuses larger bodies, as RabbitMQ's max_message_size does. */
  int mostBytes = Integer.MAX_VALUE;

  List<String> queues = List.of("duplog");
  Listener listener;
  Listener firstListener;
  private long sequence = 1;

  @Override
  public List<String> queues() {
    return queues;
  }

  @Override
  public Session connect(Listener connected) throws IOException {
    if (refusing) {
      throw new IOException("unreachable (Connection refused)");
    }
    listener = connected;
    firstListener = firstListener == null ? connected : firstListener;
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
      if (batch.body().length > mostBytes) {
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
      declared++;
    }

    @Override
    public void close() {
      try {
        closing.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
