package io.duplog.senders;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The senders that one concern is about, as of the last look.
 *
 * @param senders how many there are
 * @param some some of them; of a concern that needs attention those that began last come first
 */
public record ConcernCount(Concern concern, int senders, List<SenderReport> some) {
  private static final int NAMED = 3;

  /**
   * Returns how many senders there are and which, such as {@code 1 sender is silent on one path
   * (10.1.2.7 on syslog-b)}.
   */
  String summary() {
    String names = some.stream().limit(NAMED).map(concern::brief).collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%,d sender%s %s (%s%s)",
        senders,
        senders == 1 ? "" : "s",
        concern.verb(senders),
        names,
        senders > NAMED ? ", …" : "");
  }

  /** Returns the summary, and what it means and what to do, in full sentences. */
  public String sentence() {
    return summary() + ". " + concern.advice();
  }
}
