package io.duplog.coverage;

import java.util.List;

/**
 * Translates between the streams that this bridge reads and those that all bridges count, which
 * differ while a stream is added or removed. A vector is a number of messages, then one or more
 * numbers for each stream. Immutable.
 *
 * @param ownStreams this bridge's streams
 * @param sharedStreams the streams for which all bridges count
 */
record StreamMapping(List<String> ownStreams, List<String> sharedStreams) {

  /** Converts a vector from this bridge's streams to the shared streams. */
  long[] toShared(long[] vector) {
    return reorder(vector, ownStreams, sharedStreams, 0);
  }

  /**
   * Converts a vector from the shared streams to this bridge's streams. A stream that is not
   * counted is shown as if every message had arrived on it, because nothing is known about it.
   */
  long[] toOwn(long[] vector) {
    return reorder(vector, sharedStreams, ownStreams, vector[0]);
  }

  /**
   * Puts each stream's numbers into the other order, with {@code absent} for a stream that has no
   * numbers.
   */
  private static long[] reorder(long[] vector, List<String> from, List<String> to, long absent) {
    if (from.equals(to)) {
      return vector;
    }
    int each = (vector.length - 1) / from.size();
    long[] reordered = new long[1 + each * to.size()];
    reordered[0] = vector[0];
    for (int i = 0; i < to.size(); i++) {
      int index = from.indexOf(to.get(i));
      for (int number = 0; number < each; number++) {
        reordered[1 + number * to.size() + i] =
            index < 0 ? absent : vector[1 + number * from.size() + index];
      }
    }
    return reordered;
  }
}
