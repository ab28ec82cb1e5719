package io.duplog.ingest.omprog;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * An rsyslog whose broker fails at random, before or after it has stored, as a whole or in one of
 * its queues, and which sends what failed again until it is committed.
 */
final class Outages {
  private final Random random;
  private final int queues;
  private final Rsyslog rsyslog;
  private final List<String> committed = new ArrayList<>();

  Outages(int seed, int queues) {
    this.random = new Random(seed);
    this.queues = queues;
    this.rsyslog = new Rsyslog(Mode.CONFIRM, 1 + random.nextInt(5), 4096, queues);
  }

  /**
   * Some messages.
   *
   * @param bound there are fewer
   * @param kinds how many different ones: equal messages side by side are the trap
   */
  List<String> messages(int bound, int kinds) {
    List<String> messages = new ArrayList<>();
    for (int left = random.nextInt(bound); left > 0; left--) {
      messages.add("h m" + random.nextInt(kinds));
    }
    return messages;
  }

  /** What was committed, in the order in which it came. */
  List<String> committed() {
    return committed;
  }

  /** What a bridge would read. */
  List<String> stored() {
    return rsyslog.publisher.messages();
  }

  /** Commits these, again and again as they are, or message by message. */
  void commitInOrder(List<String> messages) throws Exception {
    committed.addAll(messages);
    untilCommittedInOrder(messages);
  }

  private void untilCommittedInOrder(List<String> messages) throws Exception {
    while (!commits(messages)) {
      if (random.nextBoolean() && messages.size() > 1) {
        for (String message : messages) {
          untilCommittedInOrder(List.of(message));
        }
        return;
      }
    }
  }

  /** The same, but where messages fail alone, they come together after the others. */
  void commitFailedOnesLast(List<String> messages) throws Exception {
    committed.addAll(messages);
    List<String> left = messages;
    while (!commits(left)) {
      if (random.nextBoolean()) {
        List<String> failed = new ArrayList<>();
        for (String message : left) {
          if (!commits(List.of(message))) {
            failed.add(message);
          }
        }
        left = failed;
      }
    }
  }

  private boolean commits(List<String> messages) throws Exception {
    rsyslog.publisher.arriving = random.nextInt(3) > 0;
    rsyslog.publisher.confirming = random.nextInt(3) > 0;
    rsyslog.publisher.full =
        queues == 1 || random.nextInt(3) > 0 ? Set.of() : Set.of(random.nextInt(queues));
    return rsyslog.transaction(messages.toArray(String[]::new)).endsWith("OK\n");
  }
}
