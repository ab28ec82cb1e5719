package io.duplog.coverage;

import com.google.common.collect.Maps;
import io.duplog.dedup.Tallies.Portion;
import java.util.List;

/**
 * Maps one bridge's streams to those by which all bridges count. They differ while a stream is
 * being added or removed. A vector is a number of messages, then one or more numbers for each
 * stream. Immutable.
 *
 * @param own this bridge's streams
 * @param shared the streams by which all bridges count
 */
record StreamMapping(List<String> own, List<String> shared) {
  private boolean same() {
    return own.equals(shared);
  }

  /** Converts counts from this bridge's order of streams to that of the shared sums. */
  Portion share(Portion own) {
    return same()
        ? own
        : new Portion(
            own.token(),
            own.period(),
            own.overflowed(),
            own.wantsNames(),
            own.doubtful(),
            share(own.totals()),
            Maps.transformValues(own.senders(), this::share));
  }

  private String share(String vector) {
    return vector.isEmpty()
        ? vector
        : Vectors.text(arranged(Vectors.parse(Vectors.words(vector)), own, shared, 0));
  }

  /**
   * Converts a vector from the streams by which all bridges count to this bridge's streams. A
   * stream that is not counted is shown as if it had brought every message, because nothing is
   * known of it.
   */
  long[] own(long[] vector) {
    return same() ? vector : arranged(vector, shared, own, vector[0]);
  }

  /**
   * Puts each stream's numbers into the other order; {@code absent} for a stream that has no
   * numbers.
   */
  private static long[] arranged(long[] vector, List<String> from, List<String> to, long absent) {
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
