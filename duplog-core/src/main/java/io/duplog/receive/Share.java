package io.duplog.receive;

import java.util.Map;

/**
 * What a consumer has of a queue that others share with it.
 *
 * @param siblings how many queues share the stream's messages, and so its room, this one among them
 * @param number this one's among them, from 0
 * @param priority the broker delivers to the consumer with the highest as long as that may be given
 *     more, and to the others what it can't take; 0 is what a consumer has that asks for none
 */
public record Share(int siblings, int number, int priority) {

  /** A stream's only queue, from which all bridges are served in turn. */
  public static final Share WHOLE = new Share(1, 0, 0);

  /** Of {@code basic.consume}. Classic and quorum queues honour it. */
  Map<String, Object> consumerArguments() {
    return priority == 0 ? Map.of() : Map.of("x-priority", priority);
  }
}
