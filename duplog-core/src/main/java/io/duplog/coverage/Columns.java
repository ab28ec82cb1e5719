package io.duplog.coverage;

import java.util.Arrays;
import java.util.List;

/**
 * How one bridge's streams stand among those by which all bridges count: while a stream is being
 * added or removed they are not the same. A vector is a number of messages, then one number or more
 * a stream. Immutable.
 */
final class Columns {
  private final List<String> shared;

  /** For each own stream its place among the shared ones; -1 where it is not among them. */
  private final int[] places;

  private final boolean same;

  Columns(List<String> own, List<String> shared) {
    this.shared = List.copyOf(shared);
    this.places = own.stream().mapToInt(this.shared::indexOf).toArray();
    this.same = own.equals(this.shared);
  }

  /** The streams by which all bridges count. */
  List<String> shared() {
    return shared;
  }

  /** A vector by own streams, as all bridges count. */
  String share(String own) {
    if (same || own.isEmpty()) {
      return own;
    }
    long[] vector = Vectors.parse(own, Vectors.length(own));
    int each = (vector.length - 1) / places.length;
    long[] all = new long[1 + each * shared.size()];
    all[0] = vector[0];
    for (int number = 0; number < each; number++) {
      for (int i = 0; i < places.length; i++) {
        if (places[i] >= 0) {
          all[1 + number * shared.size() + places[i]] = vector[1 + number * places.length + i];
        }
      }
    }
    return Vectors.text(all);
  }

  /**
   * A vector as all bridges count, by own streams. One that is not counted has brought all of it,
   * as far as anybody can tell.
   */
  long[] own(long[] all) {
    if (same) {
      return all;
    }
    int each = (all.length - 1) / shared.size();
    long[] own = new long[1 + each * places.length];
    Arrays.fill(own, all[0]);
    for (int number = 0; number < each; number++) {
      for (int i = 0; i < places.length; i++) {
        if (places[i] >= 0) {
          own[1 + number * places.length + i] = all[1 + number * shared.size() + places[i]];
        }
      }
    }
    return own;
  }
}
