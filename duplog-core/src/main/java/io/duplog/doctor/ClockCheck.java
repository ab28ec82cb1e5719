package io.duplog.doctor;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether all clocks tell the same time. Comes last, since the other checks read the clocks. */
public final class ClockCheck implements Check {
  /** A Date header is cut to the second, and the question takes its time. */
  private static final Duration TOLERANCE = Duration.ofSeconds(3);

  private final Clocks clocks;

  public ClockCheck(Clocks clocks) {
    this.clocks = clocks;
  }

  @Override
  public String subject() {
    return "clocks";
  }

  @Override
  public void examine(Findings findings) {
    for (Map.Entry<String, @Nullable Duration> clock : clocks.all().entrySet()) {
      Duration ahead = clock.getValue();
      if (ahead == null) {
        findings.notChecked(
            "the clock of " + clock.getKey() + " can't be seen from here",
            "'chronyc tracking' or 'timedatectl' there"
                + (clock.getKey().startsWith("node") ? "; or give --management" : ""));
      } else if (ahead.abs().compareTo(TOLERANCE) > 0) {
        findings.warning(
            "the clock of %s is %.1f s %s this host's"
                .formatted(
                    clock.getKey(),
                    ahead.abs().toMillis() / 1000.0,
                    ahead.isNegative() ? "behind" : "ahead of"),
            "messages without a timestamp get wrong times, lag and 'late' are misreported by as"
                + " much, and searches across nodes mislead; deduplication itself goes by Redis's"
                + " clock alone",
            "NTP (chrony) on both hosts");
      } else {
        findings.ok(
            "the clock of %s is within %d s of this host's"
                .formatted(clock.getKey(), TOLERANCE.toSeconds()));
      }
    }
  }
}
