package io.duplog.receive;

import java.util.List;
import java.util.Map;

/**
 * The position of one queue among those that share a stream, and the priority with which a bridge
 * consumes it.
 *
 * @param siblings number of queues, this one included, that share the stream's messages and the
 *     memory for them
 * @param number this queue's number among them, from 0
 * @param priority the consumer's priority, by default 0. The broker serves the consumer with the
 *     highest priority first, and the others with the rest.
 * @param beyond names of possible former queues of the stream, which this configuration does not
 *     read. Empty unless this is the first queue.
 */
public record QueueShare(int siblings, int number, int priority, List<String> beyond) {

  /** Priority below all that {@link QueuePriority} chooses. */
  private static final int LAST = -1;

  /** Share of a stream's only queue, with the default priority for all bridges. */
  public static final QueueShare WHOLE = new QueueShare(1, 0, 0, List.of());

  /**
   * Returns the arguments of {@code basic.consume} that set the consumer's priority.
   *
   * @param isLast whether all other bridges go first
   */
  Map<String, Object> consumerArguments(boolean isLast) {
    int chosen = isLast ? LAST : priority;
    return chosen == 0 ? Map.of() : Map.of("x-priority", chosen);
  }
}
