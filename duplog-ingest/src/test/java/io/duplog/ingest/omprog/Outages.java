package io.duplog.ingest.omprog;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Plays an rsyslog whose broker fails at random, before or after it has stored, as a whole or in
 * one of its queues. This rsyslog sends what failed again until it is committed: as it was, or
 * message by message.
 */
final class Outages {
  private final Random random;
  private final int queues;
  private final boolean inOrder;
  private final Rsyslog rsyslog;

  /** Committed messages, in the order in which they came. */
  final List<String> committed = new ArrayList<>();

  /**
   * @param inOrder whether messages that fail alone are sent again at once, and not after the rest
   */
  Outages(int seed, int queues, boolean inOrder) {
    this.random = new Random(seed);
    this.queues = queues;
    this.inOrder = inOrder;
    this.rsyslog = new Rsyslog(Mode.CONFIRM, 1 + random.nextInt(5), 4096, queues);
  }

  /** Returns what a bridge would read. */
  List<String> stored() {
    return rsyslog.publisher.messages();
  }

  /**
   * Commits some messages.
   *
   * @param bound there are fewer
   * @param kinds how many different ones: equal messages side by side are the trap
   */
  void commitSome(int bound, int kinds) throws Exception {
    List<String> messages = new ArrayList<>();
    for (int left = random.nextInt(bound); left > 0; left--) {
      messages.add("h m" + random.nextInt(kinds));
    }
    committed.addAll(messages);
    commit(messages);
  }

  private void commit(List<String> messages) throws Exception {
    List<String> left = messages;
    while (!isCommitted(left)) {
      if (random.nextBoolean() && left.size() > 1) {
        List<String> failed = new ArrayList<>();
        for (String message : left) {
          if (inOrder) {
            commit(List.of(message));
          } else if (!isCommitted(List.of(message))) {
            failed.add(message);
          }
        }
        left = failed;
      }
    }
  }

  private boolean isCommitted(List<String> messages) throws Exception {
    rsyslog.publisher.arriving = random.nextInt(3) > 0;
    rsyslog.publisher.confirming = random.nextInt(3) > 0;
    rsyslog.publisher.fullQueues =
        queues == 1 || random.nextInt(3) > 0 ? Set.of() : Set.of(random.nextInt(queues));
    return rsyslog.transaction(messages.toArray(String[]::new)).endsWith("OK\n");
  }
}
