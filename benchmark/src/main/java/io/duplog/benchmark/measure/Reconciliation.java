package io.duplog.benchmark.measure;

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
    long sent, long copies, long delivered, long lost, long duplicated, long corrupted) {

  /**
   * Compares.
   *
   * @param streams what was sent on each stream
   * @param delivered the merged stream
   */
  public static Reconciliation of(List<Tally> streams, Tally delivered) {
    Comparison comparison = new Comparison(delivered);
    for (int i = 0; i < streams.size(); i++) {
      List<Tally> earlier = streams.subList(0, i);
      List<Tally> later = streams.subList(i + 1, streams.size());
      streams
          .get(i)
          .forEach(
              (identity, count) -> {
                if (max(earlier, identity) == 0) {
                  comparison.expect(identity, Math.max(count, max(later, identity)));
                }
              });
    }
    delivered.forEach(
        (identity, count) -> {
          if (max(streams, identity) == 0) {
            comparison.corrupted += count;
          }
        });
    long copies = streams.stream().mapToLong(Tally::total).sum();
    return new Reconciliation(
        comparison.sent,
        copies,
        delivered.total(),
        comparison.lost,
        comparison.duplicated,
        comparison.corrupted);
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

    void expect(long identity, int expected) {
      int found = delivered.count(identity);
      sent += expected;
      lost += Math.max(0, expected - found);
      duplicated += Math.max(0, found - expected);
    }
  }
}
