package io.duplog.doctor;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the clocks of all hosts agree. Must come last, because the other checks read the
 * clocks and report them here. Not thread-safe.
 */
public final class ClockCheck implements Check {
  /** Tolerated difference. A Date header is truncated to the second, and the request takes time. */
  private static final Duration TOLERANCE = Duration.ofSeconds(3);

  /** Each clock's lead over this host's clock, by the clock's owner, or null if unknown. */
  private final Map<String, @Nullable Duration> clocks = new LinkedHashMap<>();

  /**
   * Adds the owner of a clock that was not read yet, so that a clock that is never read is
   * reported.
   */
  void expect(String owner) {
    clocks.putIfAbsent(owner, null);
  }

  /**
   * Records the reading of one clock.
   *
   * @param ahead how far the clock is ahead of this host's
   */
  void record(String owner, Duration ahead) {
    clocks.put(owner, ahead);
  }

  @Override
  public String subject() {
    return "clocks";
  }

  @Override
  public void examine(Findings findings) {
    for (Map.Entry<String, @Nullable Duration> clock : clocks.entrySet()) {
      String owner = clock.getKey();
      Duration ahead = clock.getValue();
      if (ahead == null) {
        findings.notChecked(
            "the clock of " + owner + " can't be read from here",
            "run 'chronyc tracking' or 'timedatectl' there"
                + (owner.startsWith("node") ? "; or give --management" : ""));
      } else if (ahead.abs().compareTo(TOLERANCE) > 0) {
        findings.warning(
            "the clock of %s is %.1f s %s this host's"
                .formatted(
                    owner,
                    ahead.abs().toMillis() / 1000.0,
                    ahead.isNegative() ? "behind" : "ahead of"),
            "messages without a timestamp get wrong times, lag and 'late' are wrong by the same"
                + " amount, and searches across nodes mislead; deduplication uses only Redis's clock",
            "run NTP (chrony) on both hosts");
      } else {
        findings.ok(
            "the clock of %s is within %d s of this host's"
                .formatted(owner, TOLERANCE.toSeconds()));
      }
    }
  }
}
