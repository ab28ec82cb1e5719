package io.duplog.doctor;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the other checks learn about other hosts' clocks. For one thread. */
public final class Clocks {
  private final Map<String, @Nullable Duration> ahead = new LinkedHashMap<>();

  /** Somebody whose clock matters; it is not known yet. */
  void expect(String whose) {
    ahead.putIfAbsent(whose, null);
  }

  /**
   * Somebody was asked.
   *
   * @param howFar how far it is ahead of this host's
   */
  void learn(String whose, Duration howFar) {
    ahead.put(whose, howFar);
  }

  /** In the order in which they were named; null where it is not known. */
  Map<String, @Nullable Duration> all() {
    return ahead;
  }
}
