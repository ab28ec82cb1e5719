package io.duplog.bridge.settings;

import io.duplog.config.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which bridge takes first from which of a stream's queues. All bridges reckon it from the same
 * names, so that those queues of all streams that have the same number are one bridge's, and the
 * copies of a message meet there. Each queue has its own order of bridges: what a lost bridge
 * leaves goes to one other, and with enough queues to each of them a part.
 *
 * @param bridges the names of all; none where each queue serves all in turn
 * @param place this bridge's among them
 */
record Preference(List<String> bridges, int place) {

  static Preference of(BridgeConfig config) {
    List<String> bridges = config.receive().bridges();
    return new Preference(bridges, bridges.indexOf(config.name()));
  }

  /**
   * The priority of this bridge's consumer; no two bridges have the same at a queue.
   *
   * @param queue its number in its stream, from 0
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

  /** Refuses a configuration whose queues can't be shared out. */
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
