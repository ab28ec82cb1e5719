package io.duplog.receive;

import java.util.List;

/**
 * Divides a stream's queues among the bridges, so that the copies of a message mostly meet in one
 * bridge. All bridges derive the order from the same list of names. So queues with the same number
 * prefer the same bridge in all streams, and the copies of a message meet in one bridge. Each queue
 * has a different order of bridges, so a lost bridge's queue goes to one other bridge. If there are
 * enough queues, each remaining bridge gets some of them.
 *
 * @param bridges the names of all bridges, or empty if each queue serves all bridges in turn
 * @param bridgeIndex this bridge's index in {@code bridges}
 * @see "docs/decisions/receive.md#queue-preference"
 */
record QueuePriority(List<String> bridges, int bridgeIndex) {

  /**
   * Returns the priority of this bridge's consumer at a queue. No two bridges have the same.
   *
   * @param queue the queue's number in its stream, from 0
   */
  int priority(int queue) {
    int bridgeCount = bridges.size();
    if (bridgeCount < 2) {
      return 0;
    }
    int distance = Math.floorMod(bridgeIndex - queue, bridgeCount);
    if (distance == 0) {
      return bridgeCount - 1;
    }
    int round = queue / bridgeCount;
    return bridgeCount - 2 - (distance - 1 + round) % (bridgeCount - 1);
  }
}
