package io.duplog.senders;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The number of senders that have one problem, such as silence, and some of these senders as
 * examples.
 *
 * @param senders number of these senders
 * @param some some of these senders; for an urgent concern, the senders that got it most recently
 *     come first
 */
public record ConcernCount(Concern concern, int senders, List<SenderReport> some) {
  private static final int MAX_NAMES = 3;

  /**
   * Returns the number and the names of these senders, such as {@code 1 sender is silent on one
   * path (10.1.2.7 on syslog-b)}.
   */
  String summary() {
    String names =
        some.stream().limit(MAX_NAMES).map(concern::brief).collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%,d sender%s %s (%s%s)",
        senders,
        senders == 1 ? "" : "s",
        concern.verb(senders),
        names,
        senders > MAX_NAMES ? ", …" : "");
  }

  /** Returns the summary, its meaning and its remedy in full sentences. */
  public String sentence() {
    return summary() + ". " + concern.advice();
  }
}
