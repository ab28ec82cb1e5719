package io.duplog.coverage;

import io.duplog.observe.Condition;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Runbook;
import io.duplog.wire.Heartbeat.Losses;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts coverage reports to JSON, for the status page and the command line. */
public final class CoverageJson {
  private CoverageJson() {}

  /** Tells how much the kernel and rsyslog on a stream's ingest node have lost. */
  public interface Nodes {
    Losses between(String stream, Instant from, Instant until);
  }

  /** Judges what a stream missed. */
  private interface Judge {
    StreamLoss of(CoverageReport.Stream stream, CoverageReport report);
  }

  /**
   * Returns one object with the report on the last hour and the mismatches. Its members {@code
   * last_5m} and {@code last_24h} hold the reports on those times.
   *
   * @param nodes what the streams' nodes know themselves
   * @param warnPercent the threshold with which readers shall compare misses
   */
  public static JsonObject of(Coverage coverage, Nodes nodes, int warnPercent) {
    CoverageReport hour = coverage.report(Duration.ofHours(1));
    Judge judge =
        (stream, report) -> new StreamLoss(stream, report, warnPercent, coverage.mismatches());
    JsonObject json =
        new JsonObject()
            .put("warn_percent", warnPercent)
            .put("dedup_window_seconds", hour.window().toSeconds());
    return putMembers(hour, nodes, Duration.ofHours(1), judge, json)
        .put("last_5m", of(coverage, nodes, Duration.ofMinutes(5), judge))
        .put("last_24h", of(coverage, nodes, Duration.ofDays(1), judge))
        .put("mismatches", coverage.mismatches().stream().map(CoverageJson::of).toList());
  }

  private static JsonObject of(Coverage coverage, Nodes nodes, Duration range, Judge judge) {
    return putMembers(coverage.report(range), nodes, range, judge, new JsonObject());
  }

  private static JsonObject putMembers(
      CoverageReport report, Nodes nodes, Duration range, Judge judge, JsonObject json) {
    Instant from = report.from();
    Instant until = report.settledUntil();
    List<JsonObject> streams =
        from == null || until == null
            ? List.of()
            : report.streams().stream()
                .map(
                    stream ->
                        of(stream, report, judge)
                            .put("node", of(nodes.between(stream.stream(), from, until))))
                .toList();
    return json.put("window_seconds", range.toSeconds())
        .put("from", report.from())
        .put("settled_until", report.settledUntil())
        .put("complete", report.complete())
        .put("not_compared", report.doubtful())
        .put("lost_by_all", ofLost(report.lostByAll()))
        .put("ledger_parts", report.parts())
        .put("ledger_parts_missing", report.partial().stream().map(CoverageJson::of).toList())
        .put("streams", streams);
  }

  private static JsonObject of(Losses losses) {
    return new JsonObject()
        .put("dropped", known(losses.dropped()))
        .put("discarded", known(losses.discarded()));
  }

  private static @Nullable Long known(long number) {
    return number == Losses.UNKNOWN ? null : (Long) number;
  }

  private static @Nullable JsonObject ofLost(@Nullable LostByAll lost) {
    return lost == null
        ? null
        : new JsonObject()
            .put("messages", lost.messages())
            .put("low", lost.low())
            .put("high", lost.high());
  }

  private static JsonObject of(CoverageReport.Partial part) {
    return new JsonObject()
        .put("part", part.part())
        .put("counted_from", part.from())
        .put("counted_until", part.settledUntil());
  }

  private static JsonObject of(CoverageReport.Stream stream, CoverageReport report, Judge judge) {
    Condition condition = judge.of(stream, report).condition();
    Runbook runbook = condition.runbook();
    return of(stream, report)
        .put("level", condition.level().word())
        .put("sentence", condition.sentence())
        .put("runbook", runbook == null ? null : runbook.place());
  }

  /** Converts what one stream missed, with the senders that are named. */
  public static JsonObject of(CoverageReport.Stream stream, CoverageReport report) {
    List<JsonObject> senders = new ArrayList<>();
    for (CoverageReport.Sender sender : stream.senders()) {
      senders.add(of(sender, sender.sender().isEmpty() ? "(unknown)" : sender.sender()));
    }
    if (stream.others().messages() > 0) {
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
