package io.duplog.coverage;

import com.google.common.collect.Maps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Creates the reports about missed messages from the counts of past periods and hours. Thread-safe.
 */
final class Reports {
  /**
   * Longest time that is reported from the sums of single periods. Longer times are reported from
   * the sums of hours.
   */
  static final Duration MAX_PERIOD_RANGE = Duration.ofMinutes(75);

  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

  /** Maximum lag of a part of the ledger with which reports still wait for it. */
  private static final Duration MAX_LAG = Duration.ofMinutes(1);

  /**
   * The data from which reports are made. Replaced as a whole, never changed.
   *
   * @param stretches the time for which each part's messages are known, by the part's number, or
   *     null for a part without known messages
   */
  record Basis(History history, List<@Nullable Stretch> stretches) {}

  /**
   * Sums for the last report on a range.
   *
   * @param settled the settled summaries from which the sums were made
   * @param missedAtLeast number of messages that each stream certainly missed, even if it had all
   *     messages that were not compared
   */
  private record Sum(
      Settled settled,
      long from,
      long last,
      Summary summary,
      List<Long> missedAtLeast,
      @Nullable LostByAll lostByAll) {}

  private final List<String> streams;
  private final Periods periods;
  private final int maxSenders;
  private final Map<Duration, Sum> sums = new ConcurrentHashMap<>();

  /**
   * @param streams names of the streams, in the order in which they are counted
   * @param maxSenders maximum number of senders with counts of their own in a period
   */
  Reports(List<String> streams, Periods periods, int maxSenders) {
    this.streams = streams;
    this.periods = periods;
    this.maxSenders = maxSenders;
  }

  /**
   * Reports the messages that the streams missed recently.
   *
   * @param range length of the reported time, at most a day; it consists of whole periods and ends
   *     with the last settled period
   * @param named the senders to name
   * @param wallMillis the time by this host's clock
   */
  @SuppressWarnings("ReferenceEquality") // equal sums are the same object
  CoverageReport of(Basis now, Duration range, CoverageReport.Named named, long wallMillis) {
    List<Stretch> stretches = now.stretches().stream().filter(Objects::nonNull).toList();
    if (stretches.isEmpty()) {
      Sum nothing = sum(now, settled -> List.of(), 0, 0, false);
      return report(now, nothing, named, null, 0, wallMillis);
    }
    Stretch end = endOf(stretches);
    long last = end.last();
    long until = periods.endMillis(last);
    long begin = periods.startMillis(last + 1 - periods.in(range));
    long first =
        stretches.stream()
            .filter(each -> periods.endMillis(each.last()) > begin)
            .mapToLong(Stretch::fromMillis)
            .min()
            .orElseThrow();
    boolean isByPeriod = range.compareTo(MAX_PERIOD_RANGE) <= 0;
    long from = Math.max(isByPeriod ? begin : begin / HOUR_MILLIS * HOUR_MILLIS, first);
    Sum sum = sums.get(range);
    if (sum == null
        || sum.settled() != now.history().all()
        || sum.from() != from
        || sum.last() != last) {
      sum = sum(now, settled -> summaries(settled, isByPeriod, from, last), from, last, isByPeriod);
      sums.put(range, sum);
    }
    return report(now, sum, named, end, until, wallMillis);
  }

  /**
   * Reports the messages that the streams missed in an hour.
   *
   * @param hourMillis the beginning of the hour
   * @return the report, or null if the hour is not completely settled, if nothing is known about
   *     it, or if no period begins in it
   */
  @Nullable CoverageReport ofHour(Basis now, long hourMillis, long wallMillis) {
    List<Stretch> stretches = now.stretches().stream().filter(Objects::nonNull).toList();
    if (stretches.isEmpty()) {
      return null;
    }
    Stretch end = endOf(stretches);
    long hour = hourMillis / HOUR_MILLIS;
    long last = periods.at(hourMillis + HOUR_MILLIS - 1);
    long first = stretches.stream().mapToLong(Stretch::fromMillis).min().orElseThrow();
    long from = Math.max(hourMillis, first);
    boolean isForgotten = hour < periods.hourOf(end.last()) - Settled.MAX_HOURS;
    boolean isEmpty = periods.hourOf(last) < hour;
    if (end.last() < last || from >= hourMillis + HOUR_MILLIS || isForgotten || isEmpty) {
      return null;
    }
    Sum sum =
        sum(
            now,
            settled -> settled.hours().stream().filter(each -> each.number() == hour).toList(),
            from,
            last,
            false);
    return report(
        now, sum, CoverageReport.Named.TOP_SENDERS, end, hourMillis + HOUR_MILLIS, wallMillis);
  }

  /**
   * @param end the stretch whose clock converts the times, or null if nothing is settled
   */
  private CoverageReport report(
      Basis now,
      Sum sum,
      CoverageReport.Named named,
      @Nullable Stretch end,
      long untilMillis,
      long wallMillis) {
    Map<String, long[]> namedSenders = senders(sum.summary(), named);
    return new CoverageReport(
        Duration.ofMillis(periods.windowMillis()),
        end == null ? null : end.instant(sum.from()),
        end == null ? null : end.instant(untilMillis),
        sum.summary().doubtful(),
        now.stretches().size(),
        partial(now.stretches(), sum.from(), sum.last(), wallMillis),
        sum.lostByAll(),
        IntStream.range(0, streams.size())
            .mapToObj(i -> streamOf(sum.summary(), i, sum.missedAtLeast().get(i), namedSenders))
            .toList());
  }

  private static Map<String, long[]> senders(Summary sum, CoverageReport.Named named) {
    Predicate<String> wanted = named.senders();
    return wanted == null
        ? sum.boundedTo(named.maxCount()).senders()
        : Maps.filterKeys(
            sum.senders(), sender -> !sender.equals(Contribution.UNKNOWN) && wanted.test(sender));
  }

  /**
   * Returns the stretch that determines the end of a report: that of the slowest part without a
   * large lag.
   */
  private Stretch endOf(List<Stretch> stretches) {
    long latest = stretches.stream().mapToLong(Stretch::last).max().orElseThrow();
    return stretches.stream()
        .filter(each -> !isLagging(each, latest))
        .min(Comparator.comparingLong(Stretch::last))
        .orElseThrow();
  }

  private boolean isLagging(Stretch stretch, long last) {
    return stretch.last() < last - 1 - MAX_LAG.toMillis() / periods.lengthMillis();
  }

  /**
   * Returns the parts whose messages are missing for some of the reported time. Returns all parts
   * if all are unavailable, because the reported time then ends too early. Returns none for a
   * ledger of one part.
   */
  private List<CoverageReport.Partial> partial(
      List<@Nullable Stretch> parts, long from, long last, long wallMillis) {
    List<CoverageReport.Partial> partial = new ArrayList<>();
    if (parts.size() == 1) {
      return partial;
    }
    for (int part = 0; part < parts.size(); part++) {
      @Nullable Stretch stretch = parts.get(part);
      if (stretch == null) {
        partial.add(new CoverageReport.Partial(part, null, null));
      } else if (!stretch.covers(from, last, periods)
          || isLagging(stretch, periods.lastDue(wallMillis + stretch.storeAheadMillis()))) {
        partial.add(stretch.within(part, from, last, periods));
      }
    }
    return partial;
  }

  /**
   * @param ofPeriods whether these are summaries of periods, which an estimate of the messages lost
   *     on all streams needs
   */
  private Sum sum(
      Basis now, Function<Settled, List<Summary>> choice, long from, long last, boolean ofPeriods) {
    Settled settled = now.history().all();
    List<Summary> summaries = choice.apply(settled);
    Summary all = Summary.sum(0, streams.size(), summaries, 4 * maxSenders);
    long[] atLeast = new long[streams.size()];
    for (Settled ofPart : now.history().ofParts()) {
      // Each message is counted in only one part, so one part's doubtful messages don't affect the
      // others.
      Summary part = Summary.sum(0, streams.size(), choice.apply(ofPart), 0);
      for (int stream = 0; stream < atLeast.length; stream++) {
        atLeast[stream] += Math.max(0, part.missed(stream) - part.doubtful());
      }
    }
    return new Sum(
        settled,
        from,
        last,
        all,
        Arrays.stream(atLeast).boxed().toList(),
        streams.size() == 2 && ofPeriods ? LostByAll.of(summaries) : null);
  }

  private List<Summary> summaries(Settled settled, boolean isByPeriod, long from, long last) {
    return isByPeriod
        ? settled.periods().stream()
            .filter(each -> each.number() <= last && periods.startMillis(each.number()) >= from)
            .toList()
        : settled.hours().stream()
            .filter(each -> Periods.hourStartMillis(each.number() + 1) > from)
            .toList();
  }

  private CoverageReport.Stream streamOf(
      Summary sum, int stream, long missedAtLeast, Map<String, long[]> namedSenders) {
    List<CoverageReport.Sender> named = new ArrayList<>();
    long messages = sum.messages();
    long missed = sum.missed(stream);
    for (Map.Entry<String, long[]> sender : namedSenders.entrySet()) {
      long[] vector = sender.getValue();
      long missedOfSender = Summary.missed(vector, stream);
      messages -= vector[0];
      missed -= missedOfSender;
      named.add(
          new CoverageReport.Sender(
              sender.getKey().equals(Contribution.UNKNOWN) ? "" : sender.getKey(),
              vector[0],
              missedOfSender));
    }
    named.sort(
        Comparator.comparingLong(CoverageReport.Sender::missed)
            .thenComparingLong(CoverageReport.Sender::messages)
            .reversed()
            .thenComparing(CoverageReport.Sender::sender));
    return new CoverageReport.Stream(
        streams.get(stream),
        sum.messages(),
        // In one part, a stream may have copies of messages that were not counted. Those copies
        // must not hide messages that the stream certainly missed in another part.
        Math.max(sum.missed(stream), missedAtLeast),
        missedAtLeast,
        named,
        new CoverageReport.Sender("others", Math.max(0, messages), Math.max(0, missed)));
  }
}
