package io.duplog.status;

import io.duplog.observe.Condition;
import io.duplog.observe.Conditions;
import io.duplog.observe.Level;
import java.util.Comparator;
import java.util.List;

/**
 * Describes the state of the whole bridge, for its page, its commands and its events, from the
 * conditions on the board. May be used from any thread.
 *
 * @param board what is wrong with each component
 * @see "docs/decisions/status.md#health-and-readiness"
 */
public record Health(Conditions board) {

  /** Returns the current condition on each component. */
  public List<Condition> conditions() {
    return board.conditions();
  }

  /** Returns the worst level of these conditions; {@link Level#OK} if there are none. */
  static Level worst(List<Condition> conditions) {
    return conditions.stream()
        .map(Condition::level)
        .max(Comparator.naturalOrder())
        .orElse(Level.OK);
  }

  /**
   * Returns the condition of the whole bridge: the worst level, the summary and the runbook of one
   * and the same worst component.
   *
   * @param bridge the bridge's name, which is the subject
   */
  public Condition state(String bridge) {
    List<Condition> conditions = conditions();
    return new Condition(
        bridge,
        worst(conditions),
        summary(conditions),
        conditions.stream()
            .max(Comparator.comparing(Condition::level))
            .map(Condition::runbook)
            .orElse(null));
  }

  /** Returns the section {@code health} of the state document. */
  public State.Overall overall() {
    List<Condition> conditions = conditions();
    Level worst = worst(conditions);
    return new State.Overall(
        worst.state(),
        worst != Level.DOWN,
        worst,
        summary(conditions),
        conditions.stream().map(State.Component::of).toList());
  }

  /**
   * Returns the state of the bridge in one line: whether it delivers, then the worst condition,
   * then how many others there are. For example {@code Delivering, degraded. redis: connection
   * refused. 1 more needs attention.}
   */
  static String summary(List<Condition> conditions) {
    List<Condition> wrong =
        conditions.stream()
            .filter(condition -> !condition.isOk())
            .sorted(Comparator.comparing(Condition::level).reversed())
            .toList();
    if (wrong.isEmpty()) {
      return "Delivering. All components work.";
    }
    StringBuilder line = new StringBuilder();
    line.append(
        switch (wrong.get(0).level()) {
          case OK, ATTENTION -> "Delivering. ";
          case DEGRADED -> "Delivering, degraded. ";
          case DOWN -> "Not ready. ";
        });
    String sentence = wrong.get(0).sentence();
    // A full sentence names its subject; a clause does not.
    line.append(sentence.endsWith(".") ? sentence : wrong.get(0).subject() + ": " + sentence + ".");
    int others = wrong.size() - 1;
    if (others > 0) {
      line.append(" %d more need%s attention.".formatted(others, others == 1 ? "s" : ""));
    }
    return line.toString();
  }

  /** Returns the state of the bridge in one line, as {@link #summary(List)}. */
  public String line() {
    return summary(conditions());
  }

  /** Returns the section {@code degraded} of the state document. */
  List<State.Period> degraded() {
    return board.periods().stream()
        .map(
            period ->
                new State.Period(period.subject(), period.from(), period.to(), period.sentence()))
        .toList();
  }
}
