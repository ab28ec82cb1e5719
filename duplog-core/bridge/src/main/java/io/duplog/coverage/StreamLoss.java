package io.duplog.coverage;

import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import io.duplog.observe.Printable;
import io.duplog.observe.Runbook;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether one stream missed too many messages, and says so in a sentence that every view
 * repeats.
 *
 * @param warnPercent percentage of all messages, or of one sender's messages, above which a
 *     stream's misses need attention
 * @param mismatches pairs of streams that can't be compared; their misses are no losses
 */
record StreamLoss(
    CoverageReport.Stream stream,
    CoverageReport report,
    int warnPercent,
    List<Mismatch> mismatches) {

  /**
   * Minimum number of missed messages that need attention, because a few messages can be a high
   * percentage.
   */
  private static final long MIN_MISSED = 10;

  /** Returns the condition of this stream's path, or OK if nothing is settled yet. */
  Condition condition() {
    String subject = "coverage " + stream.stream();
    if (report.settledUntil() == null) {
      return Condition.ok(subject, "nothing is settled yet");
    }
    return isTooMuch()
        ? new Condition(subject, Level.ATTENTION, sentence(), Runbook.COVERAGE_LOSS)
        : Condition.ok(subject, sentence());
  }

  /** Whether the stream certainly missed too many of all messages or of one sender's messages. */
  boolean isTooMuch() {
    return mismatches.stream().noneMatch(pair -> pair.includes(stream.stream()))
        && (exceeds(stream.missedAtLeast(), stream.messages()) || worstSender() != null);
  }

  private boolean exceeds(long missed, long messages) {
    return missed >= MIN_MISSED && 100.0 * missed > (double) warnPercent * messages;
  }

  /**
   * Returns the sender with the most missed messages, if these are certainly too many; otherwise
   * null. A sender does not count if the stream missed all of its messages. In that case the
   * inventory of senders judges whether the sender uses this path at all.
   */
  private CoverageReport.@Nullable Sender worstSender() {
    return stream.senders().stream()
        .filter(sender -> !sender.sender().isEmpty() && sender.missed() < sender.messages())
        .filter(sender -> exceeds(sender.missed() - report.doubtful(), sender.messages()))
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the judgement as one sentence, such as {@code syslog-b missed 0.62 % of 120,000
   * messages in the 60 minutes until 12:10 UTC, mostly from 10.1.2.7 (640).} If the condition needs
   * attention, further sentences give its meaning and its remedy.
   */
  String sentence() {
    StringBuilder text = new StringBuilder(stream.stream());
    text.append(share()).append(range());
    if (stream.missed() > 0) {
      text.append(senders());
    }
    text.append('.');
    if (report.doubtful() > 0 && stream.missed() > 0) {
      text.append(format(" Up to %,d messages could not be compared.", report.doubtful()));
    }
    if (!report.partial().isEmpty()) {
      text.append(
          format(
              " Messages of part %s of the ledger's %d are left out for some of that time.",
              report.partial().stream()
                  .map(part -> String.valueOf(part.part()))
                  .collect(Collectors.joining(", ")),
              report.parts()));
    }
    if (isTooMuch()) {
      text.append(
          " Another stream delivered these messages. Check this node's network and rsyslog.");
    }
    return text.toString();
  }

  private String share() {
    if (stream.missed() == 0) {
      return format(" missed none of %,d messages", stream.messages());
    }
    String share = format("%.2f %%", stream.missedPercent());
    if (report.doubtful() > 0 && stream.missedAtLeast() < stream.missed()) {
      share =
          stream.missedAtLeast() > 0
              ? format("%.2f to %s", stream.missedAtLeastPercent(), share)
              : "at most " + share + ", perhaps none,";
    } else if (report.isAbsent(stream)) {
      return format(" brought none of %,d messages", stream.messages());
    }
    return format(" missed %s of %,d messages", share, stream.messages());
  }

  private String range() {
    Instant from = report.from();
    Instant until = report.settledUntil();
    if (from == null || until == null) {
      return "";
    }
    long minutes = Math.max(1, Math.round(Duration.between(from, until).toSeconds() / 60.0));
    return format(
        " in the %s until %s UTC",
        minutes == 1 ? "minute" : minutes + " minutes",
        until.truncatedTo(ChronoUnit.MINUTES).toString().substring(11, 16));
  }

  /**
   * Returns the sender of most of the missed messages, or a sender with too many missed messages.
   */
  private String senders() {
    if (report.doubtful() > 0 && stream.missedAtLeast() == 0) {
      return "";
    }
    for (CoverageReport.Sender sender : stream.senders()) {
      if (!sender.sender().isEmpty() && sender.missed() * 2 > stream.missed()) {
        return format(", mostly from %s (%,d)", Printable.of(sender.sender()), sender.missed());
      }
    }
    CoverageReport.Sender worst = worstSender();
    return worst == null
        ? ""
        : format(
            ", among them %.2f %% of those from %s",
            worst.missedPercent(), Printable.of(worst.sender()));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
