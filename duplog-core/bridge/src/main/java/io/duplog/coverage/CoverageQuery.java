package io.duplog.coverage;

import io.duplog.observe.Condition;
import io.duplog.observe.Printable;
import io.duplog.observe.Runbook;
import io.duplog.wire.Heartbeat.Losses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes the section {@code coverage} of the state document, and answers questions for it. */
public final class CoverageQuery {
  private static final int MAX_LIMIT = 10_000;

  /** Counts of the messages that the kernel and rsyslog on a stream's ingest node lost. */
  public interface Nodes {
    Losses between(String stream, Instant from, Instant until);
  }

  /**
   * The senders that a request asks for.
   *
   * @param sender the text that names senders, or empty for those that the page names
   * @param named the matching senders
   * @param limit maximum number of senders to list
   */
  private record Query(String sender, CoverageReport.Named named, int limit) {
    static final Query NONE =
        new Query(
            "", CoverageReport.Named.TOP_SENDERS, CoverageReport.Named.TOP_SENDERS.maxCount());

    static Query of(Map<String, String> words, Function<String, Predicate<String>> search) {
      String sender = words.getOrDefault("sender", "");
      int limit = NONE.limit();
      String limitText = words.get("limit");
      if (limitText != null) {
        if (!limitText.matches("\\d{1,5}") || Integer.parseInt(limitText) > MAX_LIMIT) {
          throw new IllegalArgumentException(
              "limit must be a number up to " + MAX_LIMIT + ", not '" + limitText + "'");
        }
        limit = Integer.parseInt(limitText);
      }
      return new Query(
          sender,
          sender.isEmpty()
              ? new CoverageReport.Named(null, limit)
              : new CoverageReport.Named(search.apply(sender), Integer.MAX_VALUE),
          limit);
    }
  }

  private final Coverage coverage;
  private final Nodes nodes;
  private final int warnPercent;
  private final Query query;

  private CoverageQuery(Coverage coverage, Nodes nodes, int warnPercent, Query query) {
    this.coverage = coverage;
    this.nodes = nodes;
    this.warnPercent = warnPercent;
    this.query = query;
  }

  /**
   * Returns the section of the state document.
   *
   * @param nodes losses that the streams' nodes counted themselves
   * @param warnPercent the percentage of missed messages above which a stream needs attention
   */
  public static CoverageState of(Coverage coverage, Nodes nodes, int warnPercent) {
    return new CoverageQuery(coverage, nodes, warnPercent, Query.NONE).state();
  }

  /**
   * Returns the same with the senders that a request asks for.
   *
   * @param words the request's parameters, all optional: "sender", which names the senders to list;
   *     and "limit", the maximum number of senders to list for each stream, 20 by default
   * @param search converts a text to a test for the addresses of matching senders
   * @throws IllegalArgumentException if a value is invalid; the message is one line for an operator
   */
  public static CoverageState of(
      Coverage coverage,
      Nodes nodes,
      int warnPercent,
      Map<String, String> words,
      Function<String, Predicate<String>> search) {
    return new CoverageQuery(coverage, nodes, warnPercent, Query.of(words, search)).state();
  }

  private CoverageState state() {
    return new CoverageState(
        warnPercent,
        range(Duration.ofHours(1)),
        range(Duration.ofMinutes(5)),
        range(Duration.ofDays(1)),
        coverage.mismatches().stream().map(CoverageQuery::of).toList());
  }

  private CoverageState.Range range(Duration range) {
    CoverageReport report = coverage.report(range, query.named());
    Instant from = report.from();
    Instant until = report.settledUntil();
    boolean isSettled = from != null && until != null;
    // A stream's condition depends on its top senders, whichever senders the request asks for.
    CoverageReport judged =
        query.named().equals(CoverageReport.Named.TOP_SENDERS) ? report : coverage.report(range);
    List<CoverageState.Stream> streams = new ArrayList<>();
    for (int i = 0; from != null && until != null && i < report.streams().size(); i++) {
      CoverageReport.Stream stream = report.streams().get(i);
      Condition condition =
          new StreamLoss(judged.streams().get(i), judged, warnPercent, coverage.mismatches())
              .condition();
      streams.add(
          new CoverageState.Stream(
              CoverageState.Misses.of(stream, report, query.limit(), query.sender().isEmpty()),
              condition.level(),
              condition.sentence(),
              Runbook.placeOf(condition.runbook()),
              of(nodes.between(stream.stream(), from, until))));
    }
    return new CoverageState.Range(
        new CoverageState.Period(
            report.window().toSeconds(), range.toSeconds(), report.from(), report.settledUntil()),
        isSettled ? "" : unsettledSentence(report),
        query.sender().isEmpty() || !isSettled ? null : queriedSenders(report),
        new CoverageState.Comparison(
            report.complete(),
            report.doubtful(),
            report.parts(),
            report.partial().stream().map(CoverageQuery::of).toList()),
        of(report.lostByAll()),
        streams);
  }

  private static String unsettledSentence(CoverageReport report) {
    return String.format(
        Locale.ROOT,
        "Nothing is settled yet. A message counts as missed when no copy can arrive any later."
            + " Messages of the first %,d s are not compared.",
        report.window().toSeconds());
  }

  /** Returns the messages that each stream missed, from the senders that the request asks for. */
  private CoverageState.Asked queriedSenders(CoverageReport report) {
    String name = Printable.of(query.sender());
    long found = report.streams().stream().mapToLong(each -> each.senders().size()).max().orElse(0);
    StringBuilder text = new StringBuilder();
    if (found == 0) {
      text.append(
          "No sender that '%s' names has counts of its own in this time. It sent nothing, or is counted among the others. Check `duplog senders --find %s`. If it is known there, raise coverage.senders."
              .formatted(name, name));
    } else {
      text.append(
          String.format(
              Locale.ROOT, "'%s' names %,d sender%s.", name, found, found == 1 ? "" : "s"));
    }
    for (CoverageReport.Stream stream :
        found == 0 ? List.<CoverageReport.Stream>of() : report.streams()) {
      long messages = stream.senders().stream().mapToLong(CoverageReport.Sender::messages).sum();
      long missed = stream.senders().stream().mapToLong(CoverageReport.Sender::missed).sum();
      CoverageReport.Sender sum = new CoverageReport.Sender(name, messages, missed);
      text.append(
          missed == 0
              ? String.format(
                  Locale.ROOT,
                  " %s missed none of %,d message%s.",
                  stream.stream(),
                  messages,
                  messages == 1 ? "" : "s")
              : String.format(
                  Locale.ROOT,
                  " %s missed %,d of %,d message%s (%.2f %%).",
                  stream.stream(),
                  missed,
                  messages,
                  messages == 1 ? "" : "s",
                  sum.missedPercent()));
    }
    return new CoverageState.Asked(query.sender(), found, text.toString());
  }

  private static CoverageState.NodeState of(Losses losses) {
    List<String> sentences = new ArrayList<>();
    if (losses.dropped() > 0) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "The node's kernel dropped %,d datagrams because rsyslog was too slow. Raise imudp's rcvbufSize and threads.",
              losses.dropped()));
    }
    if (losses.discarded() > 0) {
      sentences.add(
          String.format(
              Locale.ROOT,
              "The node's rsyslog discarded %,d messages because its queues were full. Raise queue.size, or give them a disk.",
              losses.discarded()));
    }
    return new CoverageState.NodeState(
        nullIfUnknown(losses.dropped()),
        nullIfUnknown(losses.discarded()),
        String.join(" ", sentences));
  }

  private static @Nullable Long nullIfUnknown(long number) {
    return number == Losses.UNKNOWN ? null : (Long) number;
  }

  private static CoverageState.@Nullable Lost of(@Nullable LostByAll lost) {
    return lost == null
        ? null
        : new CoverageState.Lost(
            lost.messages(), lost.low(), lost.high(), lost.high() < 1 ? "" : sentence(lost));
  }

  private static String sentence(LostByAll lost) {
    return String.format(
        Locale.ROOT,
        "Both streams lost an estimated %,.0f messages (%,.0f to %,.0f), which nobody has. The number is higher if they lose at the same time, and lower if they take turns.",
        lost.messages(),
        Math.floor(lost.low()),
        Math.ceil(lost.high()));
  }

  private static CoverageState.PartialState of(CoverageReport.Partial part) {
    return new CoverageState.PartialState(part.part(), part.from(), part.settledUntil());
  }

  private static CoverageState.MismatchState of(Mismatch mismatch) {
    return new CoverageState.MismatchState(
        mismatch.one(),
        mismatch.other(),
        Mismatch.LEVEL,
        mismatch.sentence(),
        Runbook.MISMATCH.place(),
        mismatch.example());
  }
}
