package io.duplog.coverage;

import io.duplog.observe.Condition;
import io.duplog.observe.RecurringWarning;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns the operator when a stream misses too many messages, in the last five minutes or in the
 * last hour. It also logs a line for each stream once an hour.
 *
 * <p>{@link #runOnce} may be called from one thread only. {@link #conditions} may be called from
 * any thread.
 */
final class LossWatch {
  private static final Logger log = LoggerFactory.getLogger(LossWatch.class);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  private final int warnPercent;
  private final LongSupplier nanoClock;

  /** A warning for each stream, by its name. */
  private final Map<String, RecurringWarning> warnings = new HashMap<>();

  private long nextReportNanos;
  private volatile List<Condition> conditions = List.of();

  LossWatch(int warnPercent, LongSupplier nanoClock) {
    this.warnPercent = warnPercent;
    this.nanoClock = nanoClock;
    this.nextReportNanos = nanoClock.getAsLong() + HOUR.toNanos();
  }

  void runOnce(Coverage coverage) {
    List<Condition> hour = judge(coverage, HOUR);
    conditions = worse(judge(coverage, FIVE_MINUTES), hour);
    conditions.forEach(this::warn);
    long now = nanoClock.getAsLong();
    if (now - nextReportNanos >= 0) {
      nextReportNanos =
          now + HOUR.toNanos(); // only once, even if counting was not possible for hours
      if (coverage.report(HOUR).settledUntil() != null) {
        hour.forEach(condition -> log.info("{}", condition.sentence()));
      }
    }
  }

  /** Returns the condition of each stream's path at the last run. */
  List<Condition> conditions() {
    return conditions;
  }

  private List<Condition> judge(Coverage coverage, Duration range) {
    CoverageReport report = coverage.report(range);
    return report.streams().stream()
        .map(
            stream ->
                new StreamLoss(stream, report, warnPercent, coverage.mismatches()).condition())
        .toList();
  }

  /** Returns the recent condition of each stream if it needs attention, otherwise the hour's. */
  private static List<Condition> worse(List<Condition> recent, List<Condition> hour) {
    return hour.stream()
        .map(
            each ->
                recent.stream()
                    .filter(other -> other.subject().equals(each.subject()) && !other.isOk())
                    .findFirst()
                    .orElse(each))
        .toList();
  }

  private void warn(Condition condition) {
    RecurringWarning warning =
        warnings.computeIfAbsent(
            condition.subject(), subject -> new RecurringWarning(log, subject, nanoClock));
    if (condition.isOk()) {
      warning.recovered(() -> ": " + condition.sentence());
    } else {
      warning.occurred("loss", condition.sentence());
    }
  }
}
