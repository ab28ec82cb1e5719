package io.duplog.doctor;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether all clocks agree. It comes last, because the other checks read the clocks and
 * report them here. For one thread.
 */
public final class ClockCheck implements Check {
  /**
   * Difference that is tolerated: a Date header is cut to the second, and the request takes time.
   */
  private static final Duration TOLERANCE = Duration.ofSeconds(3);

  /** How far each clock is ahead of this host's clock, by the clock's owner; null if not known. */
  private final Map<String, @Nullable Duration> clocks = new LinkedHashMap<>();

  /** Adds the owner of a clock that was not read yet, so that a clock never read is reported. */
  void expect(String whose) {
    clocks.putIfAbsent(whose, null);
  }

  /**
   * Records the reading of one clock.
   *
   * @param ahead how far the clock is ahead of this host's
   */
  void learn(String whose, Duration ahead) {
    clocks.put(whose, ahead);
  }

  @Override
  public String subject() {
    return "clocks";
  }

  @Override
  public void examine(Findings findings) {
    for (Map.Entry<String, @Nullable Duration> clock : clocks.entrySet()) {
      String whose = clock.getKey();
      Duration ahead = clock.getValue();
      if (ahead == null) {
        findings.notChecked(
            "the clock of " + whose + " can't be seen from here",
            "'chronyc tracking' or 'timedatectl' there"
                + (whose.startsWith("node") ? "; or give --management" : ""));
      } else if (ahead.abs().compareTo(TOLERANCE) > 0) {
        findings.warning(
            "the clock of %s is %.1f s %s this host's"
                .formatted(
                    whose,
                    ahead.abs().toMillis() / 1000.0,
                    ahead.isNegative() ? "behind" : "ahead of"),
            "messages without a timestamp get wrong times, lag and 'late' are misreported by as"
                + " much, and searches across nodes mislead; deduplication itself goes by Redis's"
                + " clock alone",
            "NTP (chrony) on both hosts");
      } else {
        findings.ok(
            "the clock of %s is within %d s of this host's"
                .formatted(whose, TOLERANCE.toSeconds()));
      }
    }
  }
}
