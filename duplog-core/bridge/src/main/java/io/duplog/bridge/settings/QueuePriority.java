package io.duplog.bridge.settings;

import io.duplog.config.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The order in which bridges take from a stream's queues. All bridges derive it from the same
 * names, so that the queues of one number in all streams prefer the same bridge, and the copies of
 * a message meet there. Each queue has its own order of bridges. So a lost bridge's queue goes to
 * one other bridge, and with enough queues each other bridge gets some of them.
 *
 * @param bridges the names of all bridges; empty if each queue serves all bridges in turn
 * @param place this bridge's index in {@code bridges}
 * @see "docs/decisions/receive.md#queue-preference"
 */
record QueuePriority(List<String> bridges, int place) {

  static QueuePriority of(BridgeConfig config) {
    List<String> bridges = config.receive().bridges();
    return new QueuePriority(bridges, bridges.indexOf(config.name()));
  }

  /**
   * Returns the priority of this bridge's consumer at a queue; no two bridges have the same.
   *
   * @param queue the queue's number in its stream, from 0
   */
  int priority(int queue) {
    int all = bridges.size();
    if (all < 2) {
      return 0;
    }
    int behind = Math.floorMod(place - queue, all);
    if (behind == 0) {
      return all - 1;
    }
    int round = queue / all;
    return all - 2 - (behind - 1 + round) % (all - 1);
  }

  /** Throws if the streams' queues can't be shared out among the configured bridges. */
  static void check(String name, BridgeConfig.Receive receive, List<StreamConfig> streams) {
    List<String> bridges = receive.bridges();
    if (bridges.isEmpty()) {
      return;
    }
    if (!bridges.contains(name)) {
      throw Checks.refuse(
          "receive",
          "must have this bridge's name, '%s', among its bridges %s".formatted(name, bridges));
    }
    Set<Integer> counts = new HashSet<>();
    for (StreamConfig stream : streams) {
      int queues = stream.queueNames().size();
      counts.add(queues);
      if (queues < bridges.size()) {
        throw Checks.refuse(
            "streams",
            "must have as many queues as receive.bridges names bridges, or some would be idle; %s has %d, not %d"
                .formatted(stream.name(), queues, bridges.size()));
      }
    }
    if (counts.size() > 1) {
      throw Checks.refuse(
          "streams",
          "must all have the same number of queues where receive.bridges shares them out");
    }
  }
}
