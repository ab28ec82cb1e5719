package io.duplog.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duplog.parts.RabbitMq;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Publishes messages on two streams while a test disturbs the servers, and then counts the lost and
 * the duplicated ones. Not thread-safe.
 */
final class SteadyLoad implements AutoCloseable {
  /** Number of rounds of a phase in which nothing may come twice. */
  private static final int PHASE = 20;

  private final SpreadPublisher a;
  private final SpreadPublisher b;
  private final int messages;
  private final CollectingSink sink;
  private int published;

  /**
   * @param queues of each stream
   * @param messages of a round; as many of a queue are a batch
   */
  SteadyLoad(RabbitMq brokerA, RabbitMq brokerB, int queues, int messages, CollectingSink sink)
      throws Exception {
    this.a = new SpreadPublisher(brokerA, "a", queues);
    this.b = new SpreadPublisher(brokerB, "b", queues);
    this.messages = messages;
    this.sink = sink;
  }

  /** Returns how many rounds there have been. */
  int published() {
    return published;
  }

  /** Publishes two rounds, since one message is logged in both. */
  private void publish() throws Exception {
    for (int i = 0; i < 2; i++) {
      String[] round = round(published++);
      a.publish(messages, round);
      b.publish(messages, round);
    }
  }

  void publishUntil(Callable<Boolean> over) {
    await()
        .until(
            () -> {
              publish();
              return over.call();
            });
  }

  /**
   * Publishes a phase in which nothing fails, and asserts that nothing comes twice. A bridge marks
   * a message that it could not compare, since Redis was late on a busy machine or is not back yet.
   * Such a message may come twice, and another phase follows. If the servers have changed roles
   * meanwhile, the phase does not count.
   *
   * @param roles what tells one state of the servers from the next
   */
  void assertNothingComesTwice(Callable<?> roles) {
    await()
        .until(
            () -> {
              Object before = roles.call();
              int from = published;
              while (published < from + PHASE) {
                publish();
              }
              await().until(() -> a.isSettled() && b.isSettled());
              if (!roles.call().equals(before)) {
                return false;
              }
              assertThat(duplicates(from, message -> !sink.wasUncompared(message))).isZero();
              return messages(from).noneMatch(sink::wasUncompared);
            });
  }

  /** Returns what a sender logs once, and one message that it logs twice, with the round before. */
  private String[] round(int round) {
    return IntStream.range(0, messages)
        .mapToObj(i -> i == 0 ? "twice " + round / 2 : "message %d of %d".formatted(i, round))
        .toArray(String[]::new);
  }

  private static int logged(String message) {
    return message.startsWith("twice") ? 2 : 1;
  }

  /** Returns what was published since a round. */
  private Stream<String> messages(int fromRound) {
    return IntStream.range(fromRound, published)
        .mapToObj(this::round)
        .flatMap(Arrays::stream)
        .distinct();
  }

  /** Returns how many copies too many have come of what was published since a round. */
  int duplicates(int fromRound, Predicate<String> ofMessages) {
    Map<String, Integer> counts = sink.counts();
    return messages(fromRound)
        .filter(ofMessages)
        .mapToInt(message -> Math.max(0, counts.getOrDefault(message, 0) - logged(message)))
        .sum();
  }

  /**
   * Asserts that nothing is lost, and that nothing came more often than both streams together
   * brought it.
   */
  void assertNothingIsLost() {
    Map<String, Integer> counts = sink.counts();
    for (int i = 0; i < published; i++) {
      for (String message : round(i)) {
        assertThat(counts.getOrDefault(message, 0))
            .as(message)
            .isBetween(logged(message), 2 * logged(message));
      }
    }
  }

  /** Deletes all queues except the first of each stream. */
  @Override
  public void close() throws Exception {
    a.close();
    b.close();
  }
}
