package io.duplog.coverage;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.duplog.observe.Level;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code coverage} of the state document: the report on the last hour, with those on
 * two other ranges as members. {@link CoverageQuery} makes it.
 *
 * @param warnPercent percentage of missed messages above which a stream needs attention
 */
public record CoverageState(
    int warnPercent,
    @JsonUnwrapped Range lastHour,
    @JsonProperty("last_5m") @Nullable Range lastFiveMinutes,
    @JsonProperty("last_24h") @Nullable Range lastDay,
    List<MismatchState> mismatches) {

  /**
   * A {@link CoverageReport}.
   *
   * @param sentence why nothing is settled yet; otherwise empty
   * @param asked what a request asked for; null if it named no sender
   */
  public record Range(
      @JsonUnwrapped Period period,
      String sentence,
      @Nullable Asked asked,
      @JsonUnwrapped Comparison comparison,
      @Nullable Lost lostByAll,
      List<Stream> streams) {}

  /**
   * The time of a report.
   *
   * @param from null if nothing is settled yet, like {@code settledUntil}
   */
  public record Period(
      long dedupWindowSeconds,
      long windowSeconds,
      @Nullable Instant from,
      @Nullable Instant settledUntil) {}

  /** The senders that a request asked for: how many were found, and what each stream missed. */
  public record Asked(String sender, long found, String sentence) {}

  /** Whether all messages were compared, and which parts of the ledger are missing. */
  public record Comparison(
      boolean complete, long notCompared, int ledgerParts, List<PartialState> ledgerPartsMissing) {}

  public record PartialState(
      int part, @Nullable Instant countedFrom, @Nullable Instant countedUntil) {}

  /** A {@link LostByAll}. */
  public record Lost(double messages, double low, double high, String sentence) {}

  /**
   * The condition of a stream's path.
   *
   * @param node losses that the stream's node counted itself
   */
  public record Stream(
      @JsonUnwrapped Misses misses,
      @Nullable Level level,
      String sentence,
      String runbook,
      @Nullable NodeState node) {}

  /** The messages that a stream missed; {@link CoverageReport.Stream} says more. */
  public record Misses(
      String stream,
      long messages,
      long missed,
      double missedPercent,
      boolean absent,
      long missedAtLeast,
      List<SenderMisses> senders) {

    /** Returns the misses of a stream, with all senders that the report names. */
    public static Misses of(CoverageReport.Stream stream, CoverageReport report) {
      return of(stream, report, Integer.MAX_VALUE, true);
    }

    static Misses of(
        CoverageReport.Stream stream, CoverageReport report, int limit, boolean includesOthers) {
      List<SenderMisses> senders = new ArrayList<>();
      stream.senders().stream()
          .limit(limit)
          .map(each -> SenderMisses.of(each, each.sender().isEmpty() ? "(unknown)" : each.sender()))
          .forEach(senders::add);
      if (includesOthers && stream.others().messages() > 0) {
        senders.add(SenderMisses.of(stream.others(), "(others)"));
      }
      return new Misses(
          stream.stream(),
          stream.messages(),
          stream.missed(),
          stream.missedPercent(),
          report.isAbsent(stream),
          stream.missedAtLeast(),
          senders);
    }
  }

  /** The messages that a stream missed of one sender. */
  public record SenderMisses(String sender, long messages, long missed, double missedPercent) {
    private static SenderMisses of(CoverageReport.Sender sender, String name) {
      return new SenderMisses(name, sender.messages(), sender.missed(), sender.missedPercent());
    }
  }

  /** Losses that a node counted itself; null if they are unknown. */
  public record NodeState(@Nullable Long dropped, @Nullable Long discarded, String sentence) {}

  /** A {@link Mismatch}. */
  public record MismatchState(
      String one,
      String other,
      @Nullable Level level,
      String sentence,
      String runbook,
      Mismatch.@Nullable Example example) {}
}
