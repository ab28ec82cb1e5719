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
 * Judges how many messages one stream missed, and states that in one sentence, which every view
 * repeats.
 *
 * @param warnPercent percentage that the stream may miss, of all messages or of one sender's,
 *     before an administrator should look
 * @param mismatches pairs of streams that can't be compared; their misses are no losses
 */
record StreamLoss(
    CoverageReport.Stream stream,
    CoverageReport report,
    int warnPercent,
    List<Mismatch> mismatches) {

  /** Fewest missed messages that need attention, because a few can be a high percentage. */
  private static final long MIN_MISSED = 10;

  /** Returns the condition of this stream's path; OK if nothing is settled yet. */
  Condition condition() {
    String subject = "coverage " + stream.stream();
    if (report.settledUntil() == null) {
      return Condition.ok(subject, "nothing is settled yet");
    }
    return isTooMuch()
        ? new Condition(subject, Level.ATTENTION, sentence(), Runbook.COVERAGE_LOSS)
        : Condition.ok(subject, sentence());
  }

  /** Whether the stream certainly missed too many messages, of all or of one sender's. */
  boolean isTooMuch() {
    return mismatches.stream().noneMatch(pair -> pair.names(stream.stream()))
        && (exceeds(stream.missedAtLeast(), stream.messages()) || worstSender() != null);
  }

  private boolean exceeds(long missed, long messages) {
    return missed >= MIN_MISSED && 100.0 * missed > (double) warnPercent * messages;
  }

  /**
   * Returns the sender of whom the stream certainly missed too many messages, and the most; null if
   * there is none. A sender of whom the stream missed all does not count: the inventory of senders
   * judges whether it uses this path at all.
   */
  private CoverageReport.@Nullable Sender worstSender() {
    return stream.senders().stream()
        .filter(sender -> !sender.sender().isEmpty() && sender.missed() < sender.messages())
        .filter(sender -> exceeds(sender.missed() - report.doubtful(), sender.messages()))
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the judgement in one sentence, such as {@code syslog-b missed 0.62 % of 120,000
   * messages in the 60 minutes until 12:10 UTC, mostly from 10.1.2.7 (640).} If it needs attention,
   * more sentences say what it means and what to do.
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

  /** Returns the sender of most of the loss, or the one of whom too many messages were missed. */
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
