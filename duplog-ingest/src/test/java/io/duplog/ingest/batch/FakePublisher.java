package io.duplog.ingest.batch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.duplog.ingest.publish.OutgoingBatch;
import io.duplog.ingest.publish.Publisher;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/**
 * Simulates the publisher to RabbitMQ for tests of the shim: it confirms batches immediately or
 * never, and stores those that arrive. Fails if a confirmed batch is submitted again. Not
 * thread-safe.
 */
public final class FakePublisher implements Publisher {
  private final FakeTime time;
  private final int queues;
  private final List<OutgoingBatch> outstanding = new ArrayList<>();

  /** Ids of the confirmed batches. */
  private final Set<String> confirmedIds = new HashSet<>();

  /**
   * Batches by id, in the order of their first arrival. A batch that is published twice is stored
   * once.
   */
  public final Map<String, OutgoingBatch> storedBatches = new LinkedHashMap<>();

  public final List<OutgoingBatch> submittedBatches = new ArrayList<>();

  /** Whether batches arrive at the broker. */
  public boolean arriving = true;

  /** Whether the broker's confirms arrive at the publisher. */
  public boolean confirming = true;

  /** Numbers of the full queues, which accept no batches. */
  public Set<Integer> fullQueues = Set.of();

  /**
   * Maximum number of unconfirmed batches for which {@link #awaitRoom} returns true immediately.
   */
  public int maxUnconfirmed;

  /** Runs at the start of each {@link #awaitRoom}. */
  public volatile Runnable beforeRoom = () -> {};

  /** Runs at the start of each {@link #awaitConfirmed}. */
  public volatile Runnable beforeConfirm = () -> {};

  public FakePublisher(FakeTime time, int queues) {
    this.time = time;
    this.queues = queues;
  }

  @Override
  public int queues() {
    return queues;
  }

  @Override
  public void submit(OutgoingBatch batch) {
    assertThat(confirmedIds).doesNotContain(batch.envelope().id());
    outstanding.add(batch);
    submittedBatches.add(batch);
    if (arriving && !isRefused(batch)) {
      storedBatches.putIfAbsent(batch.envelope().id(), batch);
    }
  }

  private boolean isRefused(OutgoingBatch batch) {
    return fullQueues.contains(batch.queue());
  }

  @Override
  public boolean awaitRoom(long nanos) {
    beforeRoom.run();
    return outstanding.size() <= maxUnconfirmed || awaitConfirmed(nanos);
  }

  @Override
  public boolean awaitConfirmed(long nanos) {
    beforeConfirm.run();
    if (arriving && confirming) {
      for (OutgoingBatch batch : outstanding) {
        if (!isRefused(batch)) {
          confirmedIds.add(batch.envelope().id());
        }
      }
      outstanding.removeIf(batch -> !isRefused(batch));
    }
    if (outstanding.isEmpty()) {
      return true;
    }
    time.sleep(nanos);
    return false;
  }

  @Override
  public List<OutgoingBatch> withdraw() {
    List<OutgoingBatch> withdrawn = List.copyOf(outstanding);
    outstanding.clear();
    return withdrawn;
  }

  @Override
  public String condition() {
    return "broker away\n";
  }

  @Override
  public void close() {}

  /** Returns an action that counts the first latch down, and then waits for the second latch. */
  public static Runnable waiting(CountDownLatch reached, CountDownLatch until) {
    return () -> {
      reached.countDown();
      try {
        until.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    };
  }

  /** Returns the messages that a bridge would read, with each batch id once, decoded as Latin-1. */
  public List<String> messages() {
    return storedBatches.values().stream().flatMap(batch -> messagesOf(batch).stream()).toList();
  }

  public static List<String> messagesOf(OutgoingBatch batch) {
    MessageBatch messages = batch.messages();
    return IntStream.range(0, messages.count()).mapToObj(i -> text(messages, i)).toList();
  }

  private static String text(MessageBatch messages, int i) {
    int start = messages.start(i);
    return new String(messages.data(), start, messages.end(i) - start, ISO_8859_1);
  }
}
