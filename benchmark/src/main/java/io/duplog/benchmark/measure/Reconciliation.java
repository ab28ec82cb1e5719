package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import com.google.common.collect.Multisets;
import com.google.common.collect.Streams;
import java.util.List;
import java.util.stream.Stream;

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
 * @param burned messages that it lacks because a host was destroyed which alone had them
 */
public record Reconciliation(
    long sent,
    long copies,
    long delivered,
    @JsonProperty(required = true) long lost,
    long duplicated,
    long corrupted,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long burned) {

  /** A comparison in which no message can have burned. */
  public Reconciliation(
      long sent, long copies, long delivered, long lost, long duplicated, long corrupted) {
    this(sent, copies, delivered, lost, duplicated, corrupted, 0);
  }

  /**
   * Compares.
   *
   * @param streams what was sent on each stream
   * @param delivered the merged stream
   */
  public static Reconciliation of(List<Tally> streams, Tally delivered) {
    return of(streams, streams.stream().map(stream -> new Tally()).toList(), List.of(), delivered);
  }

  /**
   * Compares, where a part of what was sent need not have reached a broker.
   *
   * @param promised what has to be delivered, of each stream
   * @param possible what may be delivered or not, of each stream in the same order
   * @param exposed what only a host had that was destroyed then, each time
   * @param delivered the merged stream
   */
  public static Reconciliation of(
      List<Tally> promised, List<Tally> possible, List<Tally> exposed, Tally delivered) {
    Multiset<Long> alone =
        exposed.stream().map(Tally::counts).reduce(ImmutableMultiset.of(), Multisets::sum);
    Multiset<Long> least =
        promised.stream().map(Tally::counts).reduce(ImmutableMultiset.of(), Multisets::union);
    Multiset<Long> most =
        Multisets.sum(
            alone,
            Streams.zip(
                    promised.stream(),
                    possible.stream(),
                    (a, b) -> Multisets.sum(a.counts(), b.counts()))
                .reduce(ImmutableMultiset.of(), Multisets::union));
    long copies =
        Stream.of(promised, possible, exposed).flatMap(List::stream).mapToLong(Tally::total).sum();
    Multiset<Long> found = delivered.counts();
    long lost = Multisets.difference(least, found).size();
    long missing = Multisets.difference(Multisets.sum(least, alone), found).size();
    long corrupted = Multisets.filter(found, identity -> !most.contains(identity)).size();
    return new Reconciliation(
        least.size() + alone.size(),
        copies,
        delivered.total(),
        lost,
        Multisets.difference(found, most).size() - corrupted,
        corrupted,
        missing - lost);
  }

  /** Whether every message was delivered exactly as often as it was sent, and nothing else. */
  public boolean isExact() {
    return lost == 0 && duplicated == 0 && corrupted == 0 && burned == 0;
  }
}
