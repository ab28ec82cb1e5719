package io.duplog.coverage;

import java.util.List;

/**
 * Maps one bridge's streams to those by which all bridges count. They differ while a stream is
 * being added or removed. A vector is a number of messages, then one or more numbers for each
 * stream. Immutable.
 *
 * @param ownStreams this bridge's streams
 * @param sharedStreams the streams by which all bridges count
 */
record StreamMapping(List<String> ownStreams, List<String> sharedStreams) {

  /** Converts a vector from this bridge's streams to those by which all bridges count. */
  long[] shared(long[] vector) {
    return arranged(vector, ownStreams, sharedStreams, 0);
  }

  /**
   * Converts a vector from the streams by which all bridges count to this bridge's streams. A
   * stream that is not counted is shown as if it had brought every message, because nothing is
   * known of it.
   */
  long[] own(long[] vector) {
    return arranged(vector, sharedStreams, ownStreams, vector[0]);
  }

  /**
   * Puts each stream's numbers into the other order; {@code absent} for a stream that has no
   * numbers.
   */
  private static long[] arranged(long[] vector, List<String> from, List<String> to, long absent) {
    if (from.equals(to)) {
      return vector;
    }
    int each = (vector.length - 1) / from.size();
    long[] arranged = new long[1 + each * to.size()];
    arranged[0] = vector[0];
    for (int i = 0; i < to.size(); i++) {
      int place = from.indexOf(to.get(i));
      for (int number = 0; number < each; number++) {
        arranged[1 + number * to.size() + i] =
            place < 0 ? absent : vector[1 + number * from.size() + place];
      }
    }
    return arranged;
  }
}
