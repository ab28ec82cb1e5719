package io.duplog.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
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
    List<Tally> all = new ArrayList<>(promised);
    all.addAll(possible);
    Comparison comparison = new Comparison(delivered);
    for (int i = 0; i < all.size(); i++) {
      List<Tally> earlier = all.subList(0, i);
      all.get(i)
          .forEach(
              (identity, count) -> {
                if (max(earlier, identity) == 0) {
                  comparison.expect(
                      identity, max(promised, identity), most(promised, possible, identity));
                }
              });
    }
    delivered.forEach(
        (identity, count) -> {
          if (max(all, identity) == 0) {
            comparison.corrupted += count;
          }
        });
    return new Reconciliation(
        comparison.sent,
        all.stream().mapToLong(Tally::total).sum(),
        delivered.total(),
        comparison.lost,
        comparison.duplicated,
        comparison.corrupted);
  }

  private static int most(List<Tally> promised, List<Tally> possible, long identity) {
    int most = 0;
    for (int i = 0; i < promised.size(); i++) {
      most = Math.max(most, promised.get(i).count(identity) + possible.get(i).count(identity));
    }
    return most;
  }

  private static int max(List<Tally> streams, long identity) {
    int max = 0;
    for (Tally stream : streams) {
      max = Math.max(max, stream.count(identity));
    }
    return max;
  }

  /** Whether every message was delivered exactly as often as it was sent, and nothing else. */
  public boolean isExact() {
    return lost == 0 && duplicated == 0 && corrupted == 0;
  }

  private static final class Comparison {
    private final Tally delivered;
    private long sent;
    private long lost;
    private long duplicated;
    private long corrupted;

    Comparison(Tally delivered) {
      this.delivered = delivered;
    }

    void expect(long identity, int least, int most) {
      int found = delivered.count(identity);
      sent += least;
      lost += Math.max(0, least - found);
      duplicated += Math.max(0, found - most);
    }
  }
}
