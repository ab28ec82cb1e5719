package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.Streams;
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
    Multiset<Long> least =
        promised.stream().map(Tally::counts).reduce(ImmutableMultiset.of(), Multisets::union);
    Multiset<Long> most =
        Streams.zip(
                promised.stream(),
                possible.stream(),
                (a, b) -> Multisets.sum(a.counts(), b.counts()))
            .reduce(ImmutableMultiset.of(), Multisets::union);
    long copies =
        Streams.concat(promised.stream(), possible.stream()).mapToLong(Tally::total).sum();
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

  /** Whether every message was delivered exactly as often as it was sent, and nothing else. */
  public boolean isExact() {
    return lost == 0 && duplicated == 0 && corrupted == 0;
  }
}
