package io.duplog.senders;

import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The numbers of senders that have each problem, such as silence, for health, metrics and the page.
 * Immutable.
 *
 * @param wasRead whether the senders' records were read before the update
 * @param knownSenders number of known senders
 * @param all the senders with each concern, in the order of the concerns
 */
public record ConcernCounts(boolean wasRead, int knownSenders, List<ConcernCount> all) {
  private static final String SUBJECT = "senders";

  /** Counts before the first update. */
  static final ConcernCounts NONE =
      new ConcernCounts(
          false,
          0,
          List.of(Concern.values()).stream()
              .map(concern -> new ConcernCount(concern, 0, List.of()))
              .toList());

  /** Returns the senders with one concern. */
  public ConcernCount of(Concern concern) {
    return all.stream().filter(count -> count.concern() == concern).findFirst().orElseThrow();
  }

  /** Returns the concerns that at least one sender has. */
  List<ConcernCount> present() {
    return all.stream().filter(count -> count.senders() > 0).toList();
  }

  /**
   * Returns the condition of all senders: the worst level of their concerns, and one sentence that
   * names all concerns above {@link Level#OK}.
   */
  Condition condition() {
    if (!wasRead) {
      return Condition.ok(SUBJECT, "the records of the senders were not read yet");
    }
    List<ConcernCount> urgent =
        present().stream().filter(count -> count.concern().level() != Level.OK).toList();
    if (urgent.isEmpty()) {
      return Condition.ok(
          SUBJECT,
          String.format(
              Locale.ROOT,
              "%,d sender%s, none needs attention",
              knownSenders,
              knownSenders == 1 ? "" : "s"));
    }
    Concern worst =
        urgent.stream()
            .map(ConcernCount::concern)
            .max(Comparator.comparing(Concern::level).thenComparing(Comparator.reverseOrder()))
            .orElseThrow();
    return new Condition(
        SUBJECT,
        worst.level(),
        urgent.stream().map(ConcernCount::summary).collect(Collectors.joining("; "))
            + ". "
            + worst.advice(),
        worst.runbook());
  }
}
