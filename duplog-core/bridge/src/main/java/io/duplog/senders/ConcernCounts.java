package io.duplog.senders;

import io.duplog.observe.Condition;
import io.duplog.observe.Level;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What the last look at all senders found. Immutable.
 *
 * @param wasRead whether the records of the senders were read before the look
 * @param known number of senders that are known
 * @param all a finding for each concern, in the order of the concerns
 */
public record ConcernCounts(boolean wasRead, int known, List<ConcernCount> all) {
  private static final String SUBJECT = "senders";

  /** ConcernCounts before the first look. */
  static final ConcernCounts NONE =
      new ConcernCounts(
          false,
          0,
          List.of(Concern.values()).stream()
              .map(concern -> new ConcernCount(concern, 0, List.of()))
              .toList());

  /** Returns the finding of one concern. */
  public ConcernCount of(Concern concern) {
    return all.stream().filter(finding -> finding.concern() == concern).findFirst().orElseThrow();
  }

  /** Returns the concerns that are about at least one sender. */
  List<ConcernCount> present() {
    return all.stream().filter(finding -> finding.senders() > 0).toList();
  }

  /**
   * Returns the condition of the senders: the worst level of all concerns, with one sentence that
   * names all concerns above {@link Level#OK}.
   */
  Condition condition() {
    if (!wasRead) {
      return Condition.ok(SUBJECT, "the records of the senders were not read yet");
    }
    List<ConcernCount> wrong =
        present().stream().filter(finding -> finding.concern().level() != Level.OK).toList();
    if (wrong.isEmpty()) {
      return Condition.ok(
          SUBJECT,
          String.format(
              Locale.ROOT, "%,d sender%s, none needs attention", known, known == 1 ? "" : "s"));
    }
    Concern worst =
        wrong.stream()
            .map(ConcernCount::concern)
            .max(Comparator.comparing(Concern::level).thenComparing(Comparator.reverseOrder()))
            .orElseThrow();
    return new Condition(
        SUBJECT,
        worst.level(),
        wrong.stream().map(ConcernCount::summary).collect(Collectors.joining("; "))
            + ". "
            + worst.advice(),
        worst.runbook());
  }
}
