package io.duplog.coverage;

import io.duplog.dedup.Judgement;
import io.duplog.dedup.Sightings;
import io.duplog.dedup.Tallies;
import io.duplog.wire.MessageBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts in this bridge, between one hand-over to the shared store and the next. Safe for any
 * thread; its lock is held for a batch at a time. Bounded: by periods, which end, and by senders.
 */
final class Tally {
  /** More senders than that make a call of the store noticeable. */
  private static final int SENDERS_A_CALL = 500;

  /** Periods that can be under way at once, with room to spare. */
  private static final int MOST_PERIODS = 64;

  private final Periods periods;
  private final int streams;
  private final int mostSenders;
  private final boolean bySender;

  private final TreeMap<Long, PeriodTally> tallies = new TreeMap<>();
  private final SenderName probe = new SenderName();

  /** Senders of the last period that had too many. They are the likeliest to matter again. */
  private Set<SenderName> favoured = new HashSet<>();

  private String token = "";
  private long copies;
  private long mostCopies;

  /**
   * @param bySender whether all streams see the same address of a sender
   */
  Tally(Periods periods, int streams, int mostSenders, boolean bySender) {
    this.periods = periods;
    this.streams = streams;
    this.mostSenders = mostSenders;
    this.bySender = bySender;
  }

  /**
   * Counts the copies of a batch.
   *
   * @param epochToken what the ledger's memory is called
   */
  synchronized void count(
      MessageBatch batch,
      int stream,
      Judgement.Counted counted,
      Sightings sightings,
      String epochToken) {
    if (!epochToken.equals(token)) {
      token = epochToken;
      tallies.clear();
    }
    BitSet kept = counted.kept();
    copies += batch.count();
    long generation = 0;
    PeriodTally tally = null;
    for (int i = 0; i < batch.count(); i++) {
      long seen = sightings.generation(i);
      if (tally == null || seen != generation) {
        generation = seen;
        tally = tally(periods.ofGeneration(seen));
      }
      if (bySender) {
        probe.set(batch, i);
      }
      tally.count(stream, kept.get(i), tally.row(probe, favoured));
    }
  }

  /** Messages that nobody counted, at about this time of the store's clock. */
  synchronized void doubt(long messages, long storeMillis) {
    tally(periods.at(storeMillis)).doubt(messages);
  }

  private PeriodTally tally(long period) {
    PeriodTally tally = tallies.get(period);
    if (tally == null) {
      if (tallies.size() >= MOST_PERIODS) {
        return tallies.lastEntry().getValue();
      }
      tally = new PeriodTally(streams, mostSenders);
      tallies.put(period, tally);
    }
    return tally;
  }

  /** Of an {@link Tallies.Addition}: what was counted of a period. */
  record Portion(
      String token,
      long period,
      boolean overflowed,
      boolean wantsNames,
      long doubtful,
      String totals,
      Map<String, String> senders) {}

  /** Hands over everything that was counted since the last time, in portions. */
  synchronized List<Portion> take() {
    mostCopies = Math.max(copies, mostCopies - mostCopies / 16);
    copies = 0;
    List<Portion> portions = new ArrayList<>();
    tallies.forEach(
        (period, tally) -> {
          if (!tally.isEmpty()) {
            split(period, tally.take(), !tally.isClosed(), portions);
          }
        });
    return portions;
  }

  private void split(
      long period, PeriodTally.Contents contents, boolean open, List<Portion> portions) {
    String totals = contents.totals();
    long doubtful = contents.doubtful();
    Map<String, String> senders = new LinkedHashMap<>();
    for (Map.Entry<String, String> sender : contents.senders().entrySet()) {
      if (senders.size() == SENDERS_A_CALL) {
        portions.add(new Portion(token, period, false, false, doubtful, totals, senders));
        totals = "";
        doubtful = 0;
        senders = new LinkedHashMap<>();
      }
      senders.put(sender.getKey(), sender.getValue());
    }
    portions.add(
        new Portion(token, period, contents.overflowed(), open, doubtful, totals, senders));
  }

  /** About the most copies between two hand-overs lately. */
  synchronized long mostCopies() {
    return mostCopies;
  }

  /** The store takes no other senders than these for a period. */
  synchronized void close(long period, List<String> names) {
    @Nullable PeriodTally tally = tallies.get(period);
    if (tally != null) {
      favoured = tally.close(names);
    }
  }

  /** These periods are over. */
  synchronized void forgetUntil(long period) {
    tallies.headMap(period, true).values().removeIf(PeriodTally::isEmpty);
  }
}
