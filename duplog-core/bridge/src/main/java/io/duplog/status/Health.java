package io.duplog.status;

import io.duplog.observe.Condition;
import io.duplog.observe.JsonObject;
import io.duplog.observe.Level;
import io.duplog.observe.Runbook;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Collects the state of each component of the bridge, and derives the state of the whole bridge.
 * May be used from any thread.
 *
 * @see "docs/decisions/status.md#health-and-readiness"
 */
public final class Health {
  private final List<Supplier<Condition>> components = new CopyOnWriteArrayList<>();

  /**
   * Adds a component.
   *
   * @param component called several times a second, from any thread; always names the same subject
   */
  public void add(Supplier<Condition> component) {
    components.add(component);
  }

  /** Returns the current condition on each component. */
  public List<Condition> conditions() {
    return components.stream().map(Supplier::get).toList();
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

  static JsonObject json(List<Condition> conditions) {
    Level worst = worst(conditions);
    return new JsonObject()
        .put("state", worst.state())
        .put("ready", worst != Level.DOWN)
        .put("level", worst.word())
        .put("summary", summary(conditions))
        .put("parts", conditions.stream().map(Health::json).toList());
  }

  /** Returns a condition as the state document has it. */
  public static JsonObject json(Condition condition) {
    Runbook runbook = condition.runbook();
    return new JsonObject()
        .put("name", condition.subject())
        .put("state", condition.level().state())
        .put("level", condition.level().word())
        .put("detail", condition.sentence())
        .put("runbook", runbook == null ? null : runbook.place());
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

  /** Returns the value of the section {@code health} of the state document. */
  public JsonObject json() {
    return json(conditions());
  }
}
