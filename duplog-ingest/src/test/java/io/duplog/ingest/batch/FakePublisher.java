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
 * Confirms at once, or never, and keeps the batches that reached it. A confirmed batch must not be
 * submitted again.
 */
public final class FakePublisher implements Publisher {
  private final FakeTime time;
  private final int queues;
  private final List<OutgoingBatch> outstanding = new ArrayList<>();

  /** Ids of the confirmed batches. */
  private final Set<String> confirmed = new HashSet<>();

  /** Batches by id, in order of first arrival; publishing one twice leaves one. */
  public final Map<String, OutgoingBatch> stored = new LinkedHashMap<>();

  public final List<OutgoingBatch> submitted = new ArrayList<>();

  /** Whether batches arrive at the broker. */
  public boolean arriving = true;

  /** Whether the broker's confirms come back. */
  public boolean confirming = true;

  /** Numbers of the queues that take nothing, since they are full. */
  public Set<Integer> full = Set.of();

  /** Number of batches that may be unconfirmed while there is still room for others. */
  public int room;

  /** Action that runs before anybody learns whether there is room, or whether all is confirmed. */
  public volatile Runnable beforeRoom = () -> {};

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
    assertThat(confirmed).doesNotContain(batch.envelope().id());
    outstanding.add(batch);
    submitted.add(batch);
    if (arriving && !isRefused(batch)) {
      stored.putIfAbsent(batch.envelope().id(), batch);
    }
  }

  private boolean isRefused(OutgoingBatch batch) {
    return full.contains(batch.queue());
  }

  @Override
  public boolean awaitRoom(long nanos) {
    beforeRoom.run();
    return outstanding.size() <= room || awaitConfirmed(nanos);
  }

  @Override
  public boolean awaitConfirmed(long nanos) {
    beforeConfirm.run();
    if (arriving && confirming) {
      for (OutgoingBatch batch : outstanding) {
        if (!isRefused(batch)) {
          confirmed.add(batch.envelope().id());
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
    List<OutgoingBatch> given = List.copyOf(outstanding);
    outstanding.clear();
    return given;
  }

  @Override
  public String condition() {
    return "broker away\n";
  }

  @Override
  public void close() {}

  /** Returns a task that counts the first latch down, and then waits for the second one. */
  public static Runnable stuck(CountDownLatch arrived, CountDownLatch until) {
    return () -> {
      arrived.countDown();
      try {
        until.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    };
  }

  /** Returns what a bridge would read: each batch id once, bytes as Latin-1. */
  public List<String> messages() {
    return stored.values().stream().flatMap(batch -> messagesOf(batch).stream()).toList();
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
