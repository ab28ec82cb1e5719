package io.duplog.coverage;

import io.duplog.observe.Condition;
import io.duplog.observe.JsonObject;
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

/** Converts reports about missed messages to JSON for the status page and the command line. */
public final class CoverageJson {
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

  private CoverageJson(Coverage coverage, Nodes nodes, int warnPercent, Query query) {
    this.coverage = coverage;
    this.nodes = nodes;
    this.warnPercent = warnPercent;
    this.query = query;
  }

  /**
   * Returns one object with the report on the last hour and the mismatches. Its members {@code
   * last_5m} and {@code last_24h} are the reports on these times.
   *
   * @param nodes losses that the streams' nodes counted themselves
   * @param warnPercent the percentage of missed messages above which a stream needs attention
   */
  public static JsonObject of(Coverage coverage, Nodes nodes, int warnPercent) {
    return new CoverageJson(coverage, nodes, warnPercent, Query.NONE).json();
  }

  /**
   * Returns the same object with the senders that a request asks for.
   *
   * @param words the request's parameters, all optional: "sender", which names the senders to list;
   *     and "limit", the maximum number of senders to list for each stream, 20 by default
   * @param search converts a text to a test for the addresses of matching senders
   * @throws IllegalArgumentException if a value is invalid; the message is one line for an operator
   */
  public static JsonObject of(
      Coverage coverage,
      Nodes nodes,
      int warnPercent,
      Map<String, String> words,
      Function<String, Predicate<String>> search) {
    return new CoverageJson(coverage, nodes, warnPercent, Query.of(words, search)).json();
  }

  private JsonObject json() {
    return putMembers(Duration.ofHours(1), new JsonObject().put("warn_percent", warnPercent))
        .put("last_5m", putMembers(Duration.ofMinutes(5), new JsonObject()))
        .put("last_24h", putMembers(Duration.ofDays(1), new JsonObject()))
        .put("mismatches", coverage.mismatches().stream().map(CoverageJson::of).toList());
  }

  private JsonObject putMembers(Duration range, JsonObject json) {
    CoverageReport report = coverage.report(range, query.named());
    Instant from = report.from();
    Instant until = report.settledUntil();
    boolean isSettled = from != null && until != null;
    // A stream's condition depends on its top senders, whichever senders the request asks for.
    CoverageReport judged =
        query.named().equals(CoverageReport.Named.TOP_SENDERS) ? report : coverage.report(range);
    List<JsonObject> streams = new ArrayList<>();
    for (int i = 0; from != null && until != null && i < report.streams().size(); i++) {
      CoverageReport.Stream stream = report.streams().get(i);
      Condition condition =
          new StreamLoss(judged.streams().get(i), judged, warnPercent, coverage.mismatches())
              .condition();
      Runbook runbook = condition.runbook();
      streams.add(
          of(stream, report, query.limit(), query.sender().isEmpty())
              .put("level", condition.level().word())
              .put("sentence", condition.sentence())
              .put("runbook", runbook == null ? null : runbook.place())
              .put("node", of(nodes.between(stream.stream(), from, until))));
    }
    return json.put("dedup_window_seconds", report.window().toSeconds())
        .put("window_seconds", range.toSeconds())
        .put("from", report.from())
        .put("settled_until", report.settledUntil())
        .put("sentence", isSettled ? null : unsettledSentence(report))
        .put("asked", query.sender().isEmpty() || !isSettled ? null : queriedSenders(report))
        .put("complete", report.complete())
        .put("not_compared", report.doubtful())
        .put("lost_by_all", ofLost(report.lostByAll()))
        .put("ledger_parts", report.parts())
        .put("ledger_parts_missing", report.partial().stream().map(CoverageJson::of).toList())
        .put("streams", streams);
  }

  private static String unsettledSentence(CoverageReport report) {
    return String.format(
        Locale.ROOT,
        "Nothing is settled yet. A message counts as missed when no copy of it can come any more."
            + " Messages of the first %,d s are not compared.",
        report.window().toSeconds());
  }

  /** Returns the messages that each stream missed, from the senders that the request asks for. */
  private JsonObject queriedSenders(CoverageReport report) {
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
    return new JsonObject()
        .put("sender", query.sender())
        .put("found", found)
        .put("sentence", text.toString());
  }

  private static JsonObject of(Losses losses) {
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
    return new JsonObject()
        .put("dropped", nullIfUnknown(losses.dropped()))
        .put("discarded", nullIfUnknown(losses.discarded()))
        .put("sentence", sentences.isEmpty() ? null : String.join(" ", sentences));
  }

  private static @Nullable Long nullIfUnknown(long number) {
    return number == Losses.UNKNOWN ? null : (Long) number;
  }

  private static @Nullable JsonObject ofLost(@Nullable LostByAll lost) {
    return lost == null
        ? null
        : new JsonObject()
            .put("messages", lost.messages())
            .put("low", lost.low())
            .put("high", lost.high())
            .put("sentence", lost.high() < 1 ? null : sentence(lost));
  }

  private static String sentence(LostByAll lost) {
    return String.format(
        Locale.ROOT,
        "Both streams lost an estimated %,.0f messages (%,.0f to %,.0f), which nobody has. It is more if they lose at once, and less if in turns.",
        lost.messages(),
        Math.floor(lost.low()),
        Math.ceil(lost.high()));
  }

  private static JsonObject of(CoverageReport.Partial part) {
    return new JsonObject()
        .put("part", part.part())
        .put("counted_from", part.from())
        .put("counted_until", part.settledUntil());
  }

  /** Converts the messages that one stream missed, with the senders that the report names. */
  public static JsonObject of(CoverageReport.Stream stream, CoverageReport report) {
    return of(stream, report, Integer.MAX_VALUE, true);
  }

  private static JsonObject of(
      CoverageReport.Stream stream, CoverageReport report, int limit, boolean includesOthers) {
    List<JsonObject> senders = new ArrayList<>();
    stream.senders().stream()
        .limit(limit)
        .forEach(
            sender ->
                senders.add(of(sender, sender.sender().isEmpty() ? "(unknown)" : sender.sender())));
    if (includesOthers && stream.others().messages() > 0) {
      senders.add(of(stream.others(), "(others)"));
    }
    return new JsonObject()
        .put("stream", stream.stream())
        .put("messages", stream.messages())
        .put("missed", stream.missed())
        .put("missed_percent", stream.missedPercent())
        .put("absent", report.isAbsent(stream))
        .put("missed_at_least", stream.missedAtLeast())
        .put("senders", senders);
  }

  private static JsonObject of(CoverageReport.Sender sender, String name) {
    return new JsonObject()
        .put("sender", name)
        .put("messages", sender.messages())
        .put("missed", sender.missed())
        .put("missed_percent", sender.missedPercent());
  }

  private static JsonObject of(Mismatch mismatch) {
    JsonObject json =
        new JsonObject()
            .put("one", mismatch.one())
            .put("other", mismatch.other())
            .put("level", Mismatch.LEVEL.word())
            .put("sentence", mismatch.sentence())
            .put("runbook", Runbook.MISMATCH.place());
    Mismatch.@Nullable Example example = mismatch.example();
    return example == null ? json : json.put("example", of(example));
  }

  private static JsonObject of(Mismatch.Example example) {
    return new JsonObject()
        .put("one", example.one())
        .put("other", example.other())
        .put("offset", example.offset())
        .put("cause", example.cause());
  }
}
