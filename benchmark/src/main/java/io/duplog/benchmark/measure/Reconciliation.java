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
 * A comparison of the sent and the delivered messages, by identity and number. The merged stream
 * should contain each message as often as the stream that had the most copies of it.
 *
 * @param sent number of messages; of each identity, the largest number in any stream
 * @param copies number of copies that left the sender, to all streams together
 * @param delivered number of lines in the merged stream
 * @param lost number of messages missing from the merged stream, without the burned ones
 * @param duplicated number of messages that the merged stream contains in excess
 * @param corrupted number of lines in the merged stream that were never sent
 * @param burned number of messages missing because the only host that had them was destroyed
 */
public record Reconciliation(
    long sent,
    long copies,
    long delivered,
    @JsonProperty(required = true) long lost,
    long duplicated,
    long corrupted,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) long burned) {

  /** Creates a comparison in which no messages were burned, that is, lost with a destroyed host. */
  public Reconciliation(
      long sent, long copies, long delivered, long lost, long duplicated, long corrupted) {
    this(sent, copies, delivered, lost, duplicated, corrupted, 0);
  }

  /**
   * Compares a run in which everything that was sent must be delivered.
   *
   * @param streams messages sent on each stream
   * @param delivered messages in the merged stream
   */
  public static Reconciliation of(List<Tally> streams, Tally delivered) {
    return of(streams, streams.stream().map(stream -> new Tally()).toList(), List.of(), delivered);
  }

  /**
   * Compares a run in which some of the sent messages may not have reached a broker.
   *
   * @param promised messages of each stream that must be delivered
   * @param possible messages of each stream that may be delivered, in the order of the streams
   * @param exposed messages that only a host had which was then destroyed, for each such event
   * @param delivered messages in the merged stream
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

  /** Whether each message was delivered exactly as often as it was sent, and no others were. */
  public boolean isExact() {
    return lost == 0 && duplicated == 0 && corrupted == 0 && burned == 0;
  }
}
