package io.duplog.observe;

import org.jspecify.annotations.Nullable;

/**
 * The state of one component: a level, and a sentence that tells the operator what it does or what
 * is wrong. The log, the commands, the page and the events for Splunk repeat both; none of them
 * judges again.
 *
 * @param subject name of the component, such as {@code stream syslog-a}, {@code redis} or {@code
 *     sink}
 * @param sentence what the component does, or what is wrong, what that means and what to do, in one
 *     line for an operator
 * @param runbook section that says what to do; null if the level is {@link Level#OK} or no section
 *     fits
 */
public record Condition(String subject, Level level, String sentence, @Nullable Runbook runbook) {

  /** Returns a condition of a component that works. */
  public static Condition ok(String subject, String sentence) {
    return new Condition(subject, Level.OK, sentence, null);
  }

  /**
   * Returns a condition at this level if anything is wrong; otherwise one that all is well.
   *
   * @param trouble what is wrong; null if nothing is
   * @param otherwise what the component does if nothing is wrong
   */
  public static Condition of(
      String subject, Level level, @Nullable String trouble, Runbook runbook, String otherwise) {
    return trouble == null
        ? ok(subject, otherwise)
        : new Condition(subject, level, trouble, runbook);
  }

  /** Whether there is nothing to do. */
  public boolean isOk() {
    return level == Level.OK;
  }
}
