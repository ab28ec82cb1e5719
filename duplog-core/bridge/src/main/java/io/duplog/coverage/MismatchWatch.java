package io.duplog.coverage;

import io.duplog.observe.Condition;
import io.duplog.observe.Runbook;
import io.duplog.observe.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices pairs of streams that share almost no messages, and takes samples that show how their
 * messages differ.
 *
 * <p>Each message that arrives on two streams is dropped on one of them. Therefore two streams
 * can't share more messages than both dropped. With three streams, copies may be dropped because of
 * the third stream. Then two streams also count as different if almost nothing was dropped on one
 * of them and the other misses almost all of its messages. Messages that were not compared may have
 * been shared as well.
 *
 * <p>{@link #update} may be called from one thread only. The other methods may be called from any
 * thread.
 *
 * @see "docs/decisions/coverage.md#mismatch-example"
 */
final class MismatchWatch {
  private static final Logger log = LoggerFactory.getLogger(MismatchWatch.class);
  private static final long MIN_COPIES = 200;
  private static final String COMPARISON = "comparison";
  private static final double SMALL_FRACTION = 0.05;

  /**
   * Minimum share of all messages; a stream with less counts as nearly dead and not as mismatched.
   */
  private static final double MIN_SHARE = 0.01;

  private final List<String> streams;
  private final Samples samples;
  private final Trouble warning = new Trouble(log, "comparison of the streams", System::nanoTime);
  private volatile List<Mismatch> mismatches = List.of();

  MismatchWatch(List<String> streams) {
    this.streams = streams;
    this.samples = new Samples(streams.size());
  }

  /** Returns the sampled messages. Messages are sampled only while there is a mismatch. */
  Samples samples() {
    return samples;
  }

  List<Mismatch> mismatches() {
    return mismatches;
  }

  /** Returns the condition of the comparison: whether the streams share messages. */
  Condition condition() {
    List<Mismatch> found = mismatches;
    return found.isEmpty()
        ? Condition.ok(COMPARISON, "the streams share messages")
        : new Condition(COMPARISON, Mismatch.LEVEL, sentence(found), Runbook.MISMATCH);
  }

  /** Finds the mismatched streams, from the sum of the recently settled periods. */
  void update(Summary recent) {
    List<Mismatch> found = new ArrayList<>();
    for (int one = 0; one < streams.size(); one++) {
      for (int other = one + 1; other < streams.size(); other++) {
        if (differ(recent, one, other)) {
          found.add(mismatch(one, other));
        }
      }
    }
    samples.enable(!found.isEmpty());
    mismatches = List.copyOf(found);
    if (found.isEmpty()) {
      warning.recovered(() -> ": the streams share messages again");
    } else {
      String pairs =
          found.stream()
              .map(pair -> pair.one() + " " + pair.other())
              .collect(Collectors.joining(", "));
      warning.occurred(pairs, sentence(found));
    }
  }

  private static String sentence(List<Mismatch> found) {
    return found.stream().map(Mismatch::sentence).collect(Collectors.joining(" "));
  }

  private static boolean differ(Summary recent, int one, int other) {
    long fewer = Math.min(recent.copies(one), recent.copies(other));
    if (fewer < MIN_COPIES || fewer < MIN_SHARE * recent.messages()) {
      return false;
    }
    return recent.dropped(one) + recent.dropped(other) + recent.doubtful() < SMALL_FRACTION * fewer
        || (recent.streams() > 2
            && (sharesNothing(recent, one, other) || sharesNothing(recent, other, one)));
  }

  private static boolean sharesNothing(Summary recent, int one, int other) {
    return recent.dropped(one) + recent.doubtful() < SMALL_FRACTION * recent.copies(one)
        && recent.missed(other) >= (1 - SMALL_FRACTION) * recent.copies(one);
  }

  private Mismatch mismatch(int one, int other) {
    Mismatch.@Nullable Example example = Alike.find(samples.of(one), samples.of(other));
    if (example == null) {
      // An earlier example is still correct.
      for (Mismatch known : mismatches) {
        if (known.one().equals(streams.get(one)) && known.other().equals(streams.get(other))) {
          example = known.example();
        }
      }
    }
    return new Mismatch(streams.get(one), streams.get(other), example);
  }
}
