package io.duplog.benchmark.load;

import java.util.Collections;
import java.util.List;

/**
 * The record of what a load has sent.
 *
 * @param promised messages of each stream that must be delivered
 * @param possible messages of each stream that may be delivered, in the order of the streams
 * @param exposed messages that only a host had which was then destroyed, for each such event
 */
public record Sent(List<Tally> promised, List<Tally> possible, List<Tally> exposed) {
  /** Returns the record of a load of which every message must be delivered. */
  public static Sent of(List<Tally> streams) {
    return new Sent(streams, Collections.nCopies(streams.size(), new Tally()), List.of());
  }
}
