package io.duplog.receive;

import java.util.List;

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
}
