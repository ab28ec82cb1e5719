package io.duplog.ingest.omprog;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Simulates an rsyslog and a shim whose broker fails at random moments, and counts lost and
 * duplicated messages.
 */
final class Outages {
  private final Random random;
  private final int queues;
  private final boolean inOrder;
  private final Rsyslog rsyslog;

  /** Committed messages, in their original order. */
  final List<String> committedMessages = new ArrayList<>();

  /**
   * @param inOrder whether a single message that fails is sent again immediately, instead of after
   *     the others
   */
  Outages(int seed, int queues, boolean inOrder) {
    this.random = new Random(seed);
    this.queues = queues;
    this.inOrder = inOrder;
    this.rsyslog = new Rsyslog(Mode.CONFIRM, 1 + random.nextInt(5), 4096, queues);
  }

  /** Returns the messages that a bridge would read. */
  List<String> storedMessages() {
    return rsyslog.publisher.messages();
  }

  /**
   * Commits a random number of messages.
   *
   * @param bound upper limit of the number of messages, exclusive
   * @param kinds number of different messages; equal messages next to each other are the difficult
   *     case
   */
  void commitSome(int bound, int kinds) throws Exception {
    List<String> messages = new ArrayList<>();
    for (int remaining = random.nextInt(bound); remaining > 0; remaining--) {
      messages.add("h m" + random.nextInt(kinds));
    }
    committedMessages.addAll(messages);
    commit(messages);
  }

  private void commit(List<String> messages) throws Exception {
    List<String> remaining = messages;
    while (!isCommitted(remaining)) {
      if (random.nextBoolean() && remaining.size() > 1) {
        List<String> failed = new ArrayList<>();
        for (String message : remaining) {
          if (inOrder) {
            commit(List.of(message));
          } else if (!isCommitted(List.of(message))) {
            failed.add(message);
          }
        }
        remaining = failed;
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
