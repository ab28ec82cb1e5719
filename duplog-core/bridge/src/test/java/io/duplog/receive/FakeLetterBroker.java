package io.duplog.receive;

import io.duplog.deliver.DeliveryRequests;
import io.duplog.wire.BatchDecoder;
import io.duplog.wire.BatchLimits;
import io.duplog.wire.ContentEncoding;
import io.duplog.wire.MalformedBatchException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a RabbitMQ for dead letters, which is full, blocked or unavailable when a test says so.
 */
final class FakeLetterBroker extends DeadLetterBroker {
  final List<Letter> dead = new ArrayList<>();
  final Deque<Letter> waiting = new ArrayDeque<>();
  boolean away;

  /** Whether the broker has an alarm: it confirms nothing, and answers everything else. */
  boolean blocked;

  /** Action that runs while a client waits for a confirm that does not come. */
  Runnable whileBlocked = () -> {};

  /**
   * Whether counting the letters of other queues fails, because a dead-letter queue is not as
   * wanted. Otherwise each queue has ten letters.
   */
  boolean othersRefused;

  boolean deadFull;
  boolean waitingFull;
  int asked;

  FakeLetterBroker() {
    super(TestQueues.of("fake", "nowhere", 1), Connector.ofSystem());
  }

  private void reach() throws IOException {
    asked++;
    if (away) {
      throw new IOException("away");
    }
  }

  @Override
  boolean publish(Place place, Letter letter) throws IOException {
    reach();
    if (blocked) {
      whileBlocked.run();
      throw new IOException("has not confirmed a message");
    }
    return place == Place.DEAD_LETTERS
        ? !deadFull && dead.add(letter)
        : !waitingFull && waiting.add(letter);
  }

  @Override
  @Nullable Taken next(Place place) throws IOException {
    reach();
    Letter next = waiting.poll();
    return next == null ? null : new Taken(null, 0, next, waiting.size());
  }

  @Override
  void acknowledge(Taken taken) {}

  @Override
  void putBack(Taken taken) {
    waiting.addFirst(taken.letter());
  }

  @Override
  long count(Place place) {
    return place == Place.DEAD_LETTERS ? dead.size() : waiting.size();
  }

  @Override
  long letters(List<QueueSettings> others) throws IOException {
    if (othersRefused) {
      throw new IOException("inequivalent arg");
    }
    return 10L * others.size();
  }

  @Override
  public void close() {}

  /** Returns the messages of each dead letter. */
  List<List<String>> texts() {
    return dead.stream().map(FakeLetterBroker::texts).toList();
  }

  static List<String> texts(Letter letter) {
    try {
      return DeliveryRequests.texts(
          new BatchDecoder(BatchLimits.DEFAULT)
              .decode(letter.body(), ContentEncoding.of(letter.properties().getContentEncoding())));
    } catch (MalformedBatchException e) {
      throw new AssertionError(e);
    }
  }
}
