package io.duplog.benchmark.part;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes the place of RabbitMQ in a microbenchmark of the shim: confirms each batch at once and
 * counts its messages. Thread-safe.
 */
public final class CountingPublisher implements Publisher {
  private final AtomicLong messages = new AtomicLong();

  long messages() {
    return messages.get();
  }

  @Override
  public void submit(OutgoingBatch batch) {
    messages.addAndGet(batch.envelope().count());
  }

  @Override
  public boolean awaitRoom(long nanos) {
    return true;
  }

  @Override
  public boolean awaitConfirmed(long nanos) {
    return true;
  }

  @Override
  public List<OutgoingBatch> withdraw() {
    return List.of();
  }

  @Override
  public String condition() {
    return "sound";
  }

  @Override
  public void close() {}
}
