package io.duplog.coverage;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices streams that share almost no messages though both bring many. Then it has samples taken
 * until there are two to show side by side.
 *
 * <p>What two streams share is dropped on one of them. So they share no more than both dropped. Of
 * three streams one may be dropped from because of another: there it also counts that the one
 * misses nearly all that the other, which dropped nothing, has brought. One thread looks; the rest
 * is for any.
 */
final class MismatchWatch {
  private static final Logger log = LoggerFactory.getLogger(MismatchWatch.class);
  private static final long MANY = 200;
  private static final double ALMOST_NONE = 0.05;

  /** A stream that brings less than that part of all is nearly dead, which is another matter. */
  private static final double NEARLY_DEAD = 0.01;

  private final List<String> streams;
  private final Samples samples;
  private final Set<String> told = new HashSet<>();
  private volatile List<Mismatch> current = List.of();

  MismatchWatch(List<String> streams) {
    this.streams = streams;
    this.samples = new Samples(streams.size());
  }

  /** Takes samples while there is a mismatch. */
  Samples samples() {
    return samples;
  }

  List<Mismatch> current() {
    return current;
  }

  /** Looks at what was settled lately. */
  void look(Summary recent) {
    List<Mismatch> found = new ArrayList<>();
    for (int one = 0; one < streams.size(); one++) {
      for (int other = one + 1; other < streams.size(); other++) {
        if (differ(recent, one, other)) {
          found.add(mismatch(one, other));
        }
      }
    }
    samples.take(!found.isEmpty());
    current = List.copyOf(found);
    found.forEach(this::tell);
    if (found.isEmpty() && !told.isEmpty()) {
      told.clear();
      log.info("the streams share messages again");
    }
  }

  private static boolean differ(Summary recent, int one, int other) {
    long fewer = Math.min(recent.copies(one), recent.copies(other));
    if (fewer < MANY || fewer < NEARLY_DEAD * recent.messages()) {
      return false;
    }
    return recent.dropped(one) + recent.dropped(other) < ALMOST_NONE * fewer
        || (recent.streams() > 2 && (isAlone(recent, one, other) || isAlone(recent, other, one)));
  }

  private static boolean isAlone(Summary recent, int one, int other) {
    return recent.dropped(one) < ALMOST_NONE * recent.copies(one)
        && recent.missed(other) >= (1 - ALMOST_NONE) * recent.copies(one);
  }

  private Mismatch mismatch(int one, int other) {
    Mismatch.@Nullable Example example = Alike.find(samples.of(one), samples.of(other));
    if (example == null) {
      // What was found before stays true.
      for (Mismatch known : current) {
        if (known.one().equals(streams.get(one)) && known.other().equals(streams.get(other))) {
          example = known.example();
        }
      }
    }
    return new Mismatch(streams.get(one), streams.get(other), example);
  }

  /** Once for each pair; no message stands in the log. */
  private void tell(Mismatch mismatch) {
    if (told.add(mismatch.one() + " " + mismatch.other())) {
      log.warn(
          "{} and {} share almost no messages though both bring many: everything is delivered twice."
              + " The nodes see messages differently (addresses translated, one cuts, templates or"
              + " escapes differ); `duplog.jar coverage` shows two side by side",
          mismatch.one(),
          mismatch.other());
    }
  }
}
