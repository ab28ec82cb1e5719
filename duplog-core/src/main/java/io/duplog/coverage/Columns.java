package io.duplog.coverage;

import com.google.common.collect.Maps;
import io.duplog.dedup.Tallies.Portion;
import java.util.List;

/**
 * How one bridge's streams stand among those by which all bridges count: while a stream is being
 * added or removed they are not the same. A vector is a number of messages, then one number or more
 * a stream. Immutable.
 *
 * @param shared the streams by which all bridges count
 */
record Columns(List<String> own, List<String> shared) {
  private boolean same() {
    return own.equals(shared);
  }

  /** What was counted by own streams, as all bridges count. */
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
   * A vector as all bridges count, by own streams. One that is not counted has brought all of it,
   * as far as anybody can tell.
   */
  long[] own(long[] vector) {
    return same() ? vector : arranged(vector, shared, own, vector[0]);
  }

  /** Each stream's numbers in its other place; of one that has none, {@code absent}. */
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
