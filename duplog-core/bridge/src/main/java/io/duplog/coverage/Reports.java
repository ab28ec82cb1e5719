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

/** Creates reports from the settled periods and hours. May be used from any thread. */
final class Reports {
  /** Longest time that is reported by the sums of single periods; a day is by those of hours. */
  static final Duration FINE = Duration.ofMinutes(75);

  private static final long HOUR = Duration.ofHours(1).toMillis();

  /** Greatest lag of a ledger part behind the other parts at which reports still wait for it. */
  private static final Duration BEHIND = Duration.ofMinutes(1);

  /**
   * Everything that a report is made of. Replaced as a whole, never changed.
   *
   * @param stretches the time for which each part's messages are known, by the number of the part;
   *     null for a part of which nothing is known
   */
  record Basis(History history, List<@Nullable Stretch> stretches) {}

  /**
   * Sums for the last report on a range.
   *
   * @param settled what was settled when the sums were made
   * @param missedAtLeast what each stream missed in any case, whatever became of the messages that
   *     were not compared
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
  private final int senders;
  private final Map<Duration, Sum> sums = new ConcurrentHashMap<>();

  /**
   * @param streams names of the streams, in the order in which they are counted
   * @param senders most senders with counts of their own in a period
   */
  Reports(List<String> streams, Periods periods, int senders) {
    this.streams = streams;
    this.periods = periods;
    this.senders = senders;
  }

  /**
   * Reports what the streams missed lately.
   *
   * @param since length of the reported time in whole periods, which ends where the settled periods
   *     end; a day at most
   * @param named the senders to name
   * @param wallMillis time of this host's clock
   */
  @SuppressWarnings("ReferenceEquality") // equal sums are the same object
  CoverageReport of(Basis now, Duration since, CoverageReport.Named named, long wallMillis) {
    List<Stretch> stretches = now.stretches().stream().filter(Objects::nonNull).toList();
    if (stretches.isEmpty()) {
      Sum nothing = sum(now, settled -> List.of(), 0, 0, false);
      return report(now, nothing, named, null, 0, wallMillis);
    }
    Stretch end = endOf(stretches);
    long last = end.last();
    long until = periods.endMillis(last);
    long begin = periods.startMillis(last + 1 - periods.in(since));
    long first =
        stretches.stream()
            .filter(each -> periods.endMillis(each.last()) > begin)
            .mapToLong(Stretch::fromMillis)
            .min()
            .orElseThrow();
    boolean isFine = since.compareTo(FINE) <= 0;
    long from = Math.max(isFine ? begin : begin / HOUR * HOUR, first);
    Sum sum = sums.get(since);
    if (sum == null
        || sum.settled() != now.history().all()
        || sum.from() != from
        || sum.last() != last) {
      sum = sum(now, settled -> summaries(settled, isFine, from, last), from, last, isFine);
      sums.put(since, sum);
    }
    return report(now, sum, named, end, until, wallMillis);
  }

  /**
   * Reports what the streams missed in an hour.
   *
   * @param hourMillis its beginning
   * @return null if not all of it is settled, nothing is known of it, or no period begins in it
   */
  @Nullable CoverageReport ofHour(Basis now, long hourMillis, long wallMillis) {
    List<Stretch> stretches = now.stretches().stream().filter(Objects::nonNull).toList();
    if (stretches.isEmpty()) {
      return null;
    }
    Stretch end = endOf(stretches);
    long hour = hourMillis / HOUR;
    long last = periods.at(hourMillis + HOUR - 1);
    long first = stretches.stream().mapToLong(Stretch::fromMillis).min().orElseThrow();
    long from = Math.max(hourMillis, first);
    boolean isForgotten = hour < periods.hourOf(end.last()) - Settled.HOURS;
    boolean isEmpty = periods.hourOf(last) < hour;
    if (end.last() < last || from >= hourMillis + HOUR || isForgotten || isEmpty) {
      return null;
    }
    Sum sum =
        sum(
            now,
            settled -> settled.hours().stream().filter(each -> each.number() == hour).toList(),
            from,
            last,
            false);
    return report(now, sum, CoverageReport.Named.FOREMOST, end, hourMillis + HOUR, wallMillis);
  }

  /**
   * @param end the stretch whose clock says when it was; null if nothing is settled
   */
  private CoverageReport report(
      Basis now,
      Sum sum,
      CoverageReport.Named named,
      @Nullable Stretch end,
      long untilMillis,
      long wallMillis) {
    Map<String, long[]> shown = senders(sum.summary(), named);
    return new CoverageReport(
        Duration.ofMillis(periods.windowMillis()),
        end == null ? null : end.instant(sum.from()),
        end == null ? null : end.instant(untilMillis),
        sum.summary().doubtful(),
        now.stretches().size(),
        partial(now.stretches(), sum.from(), sum.last(), wallMillis),
        sum.lostByAll(),
        IntStream.range(0, streams.size())
            .mapToObj(i -> streamOf(sum.summary(), i, sum.missedAtLeast().get(i), shown))
            .toList());
  }

  private static Map<String, long[]> senders(Summary sum, CoverageReport.Named named) {
    Predicate<String> wanted = named.senders();
    return wanted == null
        ? sum.boundedTo(named.most()).senders()
        : Maps.filterKeys(
            sum.senders(), sender -> !sender.equals(Contribution.UNKNOWN) && wanted.test(sender));
  }

  /**
   * Returns the stretch that ends a report: the slowest part's, among the parts that are worth
   * waiting for.
   */
  private Stretch endOf(List<Stretch> stretches) {
    long latest = stretches.stream().mapToLong(Stretch::last).max().orElseThrow();
    return stretches.stream()
        .filter(each -> !isBehind(each, latest))
        .min(Comparator.comparingLong(Stretch::last))
        .orElseThrow();
  }

  private boolean isBehind(Stretch stretch, long last) {
    return stretch.last() < last - 1 - BEHIND.toMillis() / periods.lengthMillis();
  }

  /**
   * Returns the parts that lack some of a stretch. Returns all parts if all are away, so that the
   * stretch ends too early. Returns none for a ledger of one part.
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
          || isBehind(stretch, periods.lastDue(wallMillis + stretch.storeAhead()))) {
        partial.add(stretch.within(part, from, last, periods));
      }
    }
    return partial;
  }

  /**
   * @param ofPeriods whether the summaries are those of periods, so that what all streams lost can
   *     be estimated
   */
  private Sum sum(
      Basis now, Function<Settled, List<Summary>> choice, long from, long last, boolean ofPeriods) {
    Settled settled = now.history().all();
    List<Summary> summaries = choice.apply(settled);
    Summary all = Summary.sum(0, streams.size(), summaries, 4 * senders);
    long[] atLeast = new long[streams.size()];
    for (Settled ofPart : now.history().ofParts()) {
      // A message that one part could not compare was never in another part.
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

  private List<Summary> summaries(Settled settled, boolean isFine, long from, long last) {
    return isFine
        ? settled.periods().stream()
            .filter(each -> each.number() <= last && periods.startMillis(each.number()) >= from)
            .toList()
        : settled.hours().stream()
            .filter(each -> Periods.hourStartMillis(each.number() + 1) > from)
            .toList();
  }

  private CoverageReport.Stream streamOf(
      Summary sum, int stream, long missedAtLeast, Map<String, long[]> shown) {
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
        // In one part a stream may have copies of messages that were not counted. These must not
        // hide what it certainly missed in another part.
        Math.max(sum.missed(stream), missedAtLeast),
        missedAtLeast,
        named,
        new CoverageReport.Sender("others", Math.max(0, messages), Math.max(0, missed)));
  }
}
