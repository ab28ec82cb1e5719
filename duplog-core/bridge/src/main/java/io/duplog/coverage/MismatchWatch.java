package io.duplog.coverage;

import io.duplog.observe.Condition;
import io.duplog.observe.Runbook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds pairs of streams that share almost no messages though both bring many. While there is such
 * a pair, messages are sampled, to show how they differ.
 *
 * <p>Each message that two streams share is dropped on one of them. So they share no more messages
 * than both dropped. With three streams, a stream may drop copies because of the third one. Then
 * two streams also count as different if one drops almost nothing and the other misses almost all
 * that it brought. Messages that were not compared may have been shared, too. {@link #look} is for
 * one thread, all else for any.
 *
 * @see "docs/decisions/coverage.md#mismatch-example"
 */
final class MismatchWatch {
  private static final Logger log = LoggerFactory.getLogger(MismatchWatch.class);
  private static final long MANY = 200;
  private static final String COMPARISON = "comparison";
  private static final double ALMOST_NONE = 0.05;

  /** Share of all messages below which a stream counts as nearly dead, not as mismatched. */
  private static final double NEARLY_DEAD = 0.01;

  private final List<String> streams;
  private final Samples samples;
  private final Set<String> warnedPairs = new HashSet<>();
  private volatile List<Mismatch> mismatches = List.of();

  MismatchWatch(List<String> streams) {
    this.streams = streams;
    this.samples = new Samples(streams.size());
  }

  /** Returns the sampled messages, which are collected only while there is a mismatch. */
  Samples samples() {
    return samples;
  }

  List<Mismatch> current() {
    return mismatches;
  }

  /** Returns the condition of the comparison: whether the streams share messages. */
  Condition condition() {
    List<Mismatch> found = mismatches;
    return found.isEmpty()
        ? Condition.ok(COMPARISON, "the streams share messages")
        : new Condition(COMPARISON, Mismatch.LEVEL, found.get(0).sentence(), Runbook.MISMATCH);
  }

  /** Looks for mismatched streams in the sum of the recently settled periods. */
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
    mismatches = List.copyOf(found);
    found.forEach(this::tell);
    if (found.isEmpty() && !warnedPairs.isEmpty()) {
      warnedPairs.clear();
      log.info("the streams share messages again");
    }
  }

  private static boolean differ(Summary recent, int one, int other) {
    long fewer = Math.min(recent.copies(one), recent.copies(other));
    if (fewer < MANY || fewer < NEARLY_DEAD * recent.messages()) {
      return false;
    }
    return recent.dropped(one) + recent.dropped(other) + recent.doubtful() < ALMOST_NONE * fewer
        || (recent.streams() > 2 && (isAlone(recent, one, other) || isAlone(recent, other, one)));
  }

  private static boolean isAlone(Summary recent, int one, int other) {
    return recent.dropped(one) + recent.doubtful() < ALMOST_NONE * recent.copies(one)
        && recent.missed(other) >= (1 - ALMOST_NONE) * recent.copies(one);
  }

  private Mismatch mismatch(int one, int other) {
    Mismatch.@Nullable Example example = Alike.find(samples.of(one), samples.of(other));
    if (example == null) {
      // An example that was found before stays true.
      for (Mismatch known : mismatches) {
        if (known.one().equals(streams.get(one)) && known.other().equals(streams.get(other))) {
          example = known.example();
        }
      }
    }
    return new Mismatch(streams.get(one), streams.get(other), example);
  }

  /** Logs one warning for each mismatched pair of streams, without the text of any message. */
  private void tell(Mismatch mismatch) {
    if (warnedPairs.add(mismatch.one() + " " + mismatch.other())) {
      log.warn("{}", mismatch.sentence());
    }
  }
}
