package io.duplog.coverage;

import io.duplog.dedup.Tallies;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes reports of what was settled. Safe for any thread. */
final class Reports {
  /** Finer figures are kept for so long, and by the hour for a day. */
  static final Duration FINE = Duration.ofMinutes(75);

  private static final int SENDERS_SHOWN = 20;

  /**
   * Everything that a report is made of. Replaced, never changed.
   *
   * @param fine settled periods, oldest first
   * @param hours the same by the hour
   * @param added what the store answered last; null before its first answer
   */
  record Known(List<Summary> fine, List<Summary> hours, Tallies.@Nullable Added added) {}

  /** What was summed up for the last report on a range. */
  private record Sum(long last, long settled, Summary summary) {}

  private final List<String> streams;
  private final Periods periods;
  private final int senders;
  private final Map<Duration, Sum> sums = new ConcurrentHashMap<>();

  /**
   * @param streams their names in the order in which they are counted
   * @param senders most senders to tell apart
   */
  Reports(List<String> streams, Periods periods, int senders) {
    this.streams = streams;
    this.periods = periods;
    this.senders = senders;
  }

  /**
   * What the streams missed lately.
   *
   * @param since for how long before the end of what is settled; a day at most
   * @param storeAhead the store's clock less this host's, in milliseconds
   */
  CoverageReport of(Known now, Duration since, long storeAhead) {
    Tallies.@Nullable Added added = now.added();
    if (added == null) {
      return nothing();
    }
    long last = periods.lastDue(Math.min(added.nowMillis(), added.countedUntil()));
    if (added.oldest() != Tallies.NO_PERIOD) {
      last = Math.min(last, added.oldest() - 1);
    }
    long until = periods.endMillis(last);
    long first = added.beganMillis() + periods.windowMillis();
    long from = Math.max(until - since.toMillis(), first);
    if (until <= from) {
      return nothing();
    }
    Sum sum = sums.get(since);
    if (sum == null || sum.last() != last || sum.settled() != added.settled()) {
      sum = new Sum(last, added.settled(), sum(now, since, from, last));
      sums.put(since, sum);
    }
    return new CoverageReport(
        window(),
        Instant.ofEpochMilli(from - storeAhead),
        Instant.ofEpochMilli(until - storeAhead),
        sum.summary().doubtful(),
        streamsOf(sum.summary()));
  }

  private Summary sum(Known now, Duration since, long from, long last) {
    List<Summary> parts =
        since.compareTo(FINE) <= 0
            ? now.fine().stream()
                .filter(each -> each.number() <= last && periods.startMillis(each.number()) >= from)
                .toList()
            : now.hours().stream()
                .filter(each -> Periods.hourStartMillis(each.number() + 1) > from)
                .toList();
    return Summary.sum(0, streams.size(), parts, 4 * senders);
  }

  /** Where nothing is settled yet. */
  private CoverageReport nothing() {
    return new CoverageReport(window(), null, null, 0, streamsOf(Summary.empty(0, streams.size())));
  }

  private Duration window() {
    return Duration.ofMillis(periods.windowMillis());
  }

  private List<CoverageReport.Stream> streamsOf(Summary sum) {
    List<CoverageReport.Stream> list = new ArrayList<>();
    Map<String, long[]> shown = new HashMap<>(sum.senders());
    shown.keySet().retainAll(sum.foremost(SENDERS_SHOWN));
    for (int stream = 0; stream < streams.size(); stream++) {
      list.add(streamOf(sum, stream, shown));
    }
    return list;
  }

  private CoverageReport.Stream streamOf(Summary sum, int stream, Map<String, long[]> shown) {
    List<CoverageReport.Sender> named = new ArrayList<>();
    long messages = sum.messages();
    long missed = sum.missed(stream);
    for (Map.Entry<String, long[]> sender : shown.entrySet()) {
      long[] vector = sender.getValue();
      long missedOfSender = Summary.missed(vector, stream);
      messages -= vector[0];
      missed -= missedOfSender;
      named.add(
          new CoverageReport.Sender(
              sender.getKey().equals(SenderName.UNKNOWN) ? "" : sender.getKey(),
              vector[0],
              missedOfSender));
    }
    named.sort(
        (a, b) ->
            a.missed() != b.missed()
                ? Long.compare(b.missed(), a.missed())
                : a.messages() != b.messages()
                    ? Long.compare(b.messages(), a.messages())
                    : a.sender().compareTo(b.sender()));
    return new CoverageReport.Stream(
        streams.get(stream),
        sum.messages(),
        sum.missed(stream),
        named,
        new CoverageReport.Sender("others", Math.max(0, messages), Math.max(0, missed)));
  }
}
