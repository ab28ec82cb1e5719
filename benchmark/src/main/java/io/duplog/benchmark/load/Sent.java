package io.duplog.benchmark.load;

import java.util.Collections;
import java.util.List;

/**
 * The record of the messages that a load has sent to each stream, with which the delivered ones are
 * compared.
 *
 * @param requiredTallies messages of each stream that must be delivered
 * @param possibleTallies messages of each stream that may be delivered, in the order of the streams
 * @param exposedTallies messages that only one host had received when it was destroyed, for each
 *     such event
 */
public record Sent(
    List<Tally> requiredTallies, List<Tally> possibleTallies, List<Tally> exposedTallies) {
  /** Returns the record of a load whose messages must all be delivered. */
  public static Sent of(List<Tally> streams) {
    return new Sent(streams, Collections.nCopies(streams.size(), new Tally()), List.of());
  }
}
