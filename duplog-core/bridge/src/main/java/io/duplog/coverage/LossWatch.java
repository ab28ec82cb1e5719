package io.duplog.coverage;

import io.duplog.dedup.Sightings;
import io.duplog.observe.Printable;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what the streams miss: once an hour at INFO, and at WARN when a stream begins to miss too
 * much. Not safe for threads.
 */
final class LossWatch {
  private static final Logger log = LoggerFactory.getLogger(LossWatch.class);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration ALARM = Duration.ofMinutes(5);

  /** Fewest missed messages that cause a warning, because a few can be a high percentage. */
  private static final long FEW = 10;

  private final int warnPercent;
  private final LongSupplier nanoClock;
  private final Set<String> losingStreams = new HashSet<>();
  private long reportAtNanos;

  LossWatch(int warnPercent, LongSupplier nanoClock) {
    this.warnPercent = warnPercent;
    this.nanoClock = nanoClock;
    this.reportAtNanos = nanoClock.getAsLong() + HOUR.toNanos();
  }

  void runOnce(Coverage coverage) {
    CoverageReport recent = coverage.report(ALARM);
    if (recent.settledUntil() != null) {
      recent.streams().forEach(stream -> look(stream, recent));
    }
    long now = nanoClock.getAsLong();
    if (now - reportAtNanos >= 0) {
      reportAtNanos = now + HOUR.toNanos(); // once, for however long nothing could be counted
      CoverageReport hour = coverage.report(HOUR);
      if (hour.settledUntil() != null) {
        lines(hour).forEach(line -> log.info("{}", line));
      }
    }
  }

  /** Whether the stream currently misses a larger percentage of the messages than is allowed. */
  boolean isLosing(String stream) {
    return losingStreams.contains(stream);
  }

  private void look(CoverageReport.Stream stream, CoverageReport report) {
    long sure = stream.missedAtLeast();
    boolean tooMuch = sure >= FEW && 100.0 * sure > (double) warnPercent * stream.messages();
    if (tooMuch && losingStreams.add(stream.stream())) {
      log.warn(
          "{}: look at that node's network and rsyslog, and whether every bridge reaches Redis; the"
              + " other streams make up for it",
          line(stream, report, ALARM));
    } else if (!tooMuch && stream.messages() > 0 && losingStreams.remove(stream.stream())) {
      log.info("{}", line(stream, report, ALARM));
    }
  }

  static List<String> lines(CoverageReport report) {
    return report.streams().stream().map(stream -> line(stream, report, HOUR)).toList();
  }

  private static String line(CoverageReport.Stream stream, CoverageReport report, Duration range) {
    Duration period = report.window().dividedBy(Sightings.REMEMBERED);
    long minutes = (range.compareTo(period) < 0 ? period : range).toMinutes();
    String line =
        stream.stream()
            + share(stream, report)
            + text(" of %,d messages in the last %d minutes", stream.messages(), minutes);
    if (stream.missed() > 0) {
      boolean certain = report.doubtful() == 0 || stream.missedAtLeast() > 0;
      CoverageReport.@Nullable Sender worst =
          stream.senders().isEmpty() ? null : stream.senders().get(0);
      if (certain
          && worst != null
          && worst.missed() * 2 > stream.missed()
          && !worst.sender().isEmpty()) {
        line += text(", most of it from %s (%,d)", Printable.of(worst.sender()), worst.missed());
      }
      if (report.doubtful() > 0) {
        line += text("; up to %,d could not be compared", report.doubtful());
      }
    }
    return line + missingParts(report);
  }

  private static String share(CoverageReport.Stream stream, CoverageReport report) {
    double most = stream.missedPercent();
    if (stream.missed() == 0) {
      return " missed none";
    }
    if (report.doubtful() == 0 || stream.missedAtLeast() == stream.missed()) {
      return report.isAbsent(stream)
          ? " brought nothing: it missed 100 %"
          : text(" missed %.2f %%", most);
    }
    return stream.missedAtLeast() > 0
        ? text(" missed %.2f to %.2f %%", stream.missedAtLeastPercent(), most)
        : text(" missed at most %.2f %%, perhaps nothing,", most);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String missingParts(CoverageReport report) {
    return report.partial().isEmpty()
        ? ""
        : "; without %d of the ledger's %d parts for all or some of that time"
            .formatted(report.partial().size(), report.parts());
  }
}
