package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import java.util.List;

/**
 * What was sent and what was delivered, compared identity by identity and count by count. Of each
 * message, the merged stream is to hold as many as the stream that had most of it.
 *
 * @param sent unique messages: of each identity, the largest count of all streams
 * @param copies what left the sender, to all streams together
 * @param delivered lines in the merged stream
 * @param lost messages that the merged stream lacks
 * @param duplicated messages that it holds too often
 * @param corrupted lines of it that nobody sent
 */
public record Reconciliation(
    long sent,
    long copies,
    long delivered,
    @JsonProperty(required = true) long lost,
    long duplicated,
    long corrupted) {

  /**
   * Compares.
   *
   * @param streams what was sent on each stream
   * @param delivered the merged stream
   */
  public static Reconciliation of(List<Tally> streams, Tally delivered) {
    return of(streams, streams.stream().map(stream -> new Tally()).toList(), delivered);
  }

  /**
   * Compares, where a part of what was sent need not have reached a broker.
   *
   * @param promised what has to be delivered, of each stream
   * @param possible what may be delivered or not, of each stream in the same order
   * @param delivered the merged stream
   */
  public static Reconciliation of(List<Tally> promised, List<Tally> possible, Tally delivered) {
    Multiset<Long> least = HashMultiset.create();
    Multiset<Long> most = HashMultiset.create();
    long copies = 0;
    for (int i = 0; i < promised.size(); i++) {
      raise(least, promised.get(i).counts());
      raise(most, Multisets.sum(promised.get(i).counts(), possible.get(i).counts()));
      copies += promised.get(i).total() + possible.get(i).total();
    }
    Multiset<Long> found = delivered.counts();
    long corrupted = Multisets.filter(found, identity -> !most.contains(identity)).size();
    return new Reconciliation(
        least.size(),
        copies,
        delivered.total(),
        Multisets.difference(least, found).size(),
        Multisets.difference(found, most).size() - corrupted,
        corrupted);
  }

  /** Of each identity, the larger count. */
  private static void raise(Multiset<Long> counts, Multiset<Long> other) {
    other.forEachEntry(
        (identity, count) -> counts.setCount(identity, Math.max(count, counts.count(identity))));
  }

  /** Whether every message was delivered exactly as often as it was sent, and nothing else. */
  public boolean isExact() {
    return lost == 0 && duplicated == 0 && corrupted == 0;
  }
}
