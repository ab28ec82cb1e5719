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
public record Findings(boolean wasRead, int known, List<Finding> all) {
  private static final String SUBJECT = "senders";

  /** Findings before the first look. */
  static final Findings NONE =
      new Findings(
          false,
          0,
          List.of(Concern.values()).stream()
              .map(concern -> new Finding(concern, 0, List.of()))
              .toList());

  /** Returns the finding of one concern. */
  public Finding of(Concern concern) {
    return all.get(concern.ordinal());
  }

  /** Returns the concerns that are about at least one sender. */
  List<Finding> present() {
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
    List<Finding> wrong =
        present().stream().filter(finding -> finding.concern().level() != Level.OK).toList();
    if (wrong.isEmpty()) {
      return Condition.ok(
          SUBJECT,
          String.format(
              Locale.ROOT, "%,d sender%s, none needs attention", known, known == 1 ? "" : "s"));
    }
    Concern worst =
        wrong.stream()
            .map(Finding::concern)
            .max(Comparator.comparing(Concern::level).thenComparing(Comparator.reverseOrder()))
            .orElseThrow();
    return new Condition(
        SUBJECT,
        worst.level(),
        wrong.stream().map(Finding::summary).collect(Collectors.joining("; "))
            + ". "
            + worst.advice(),
        worst.runbook());
  }
}
