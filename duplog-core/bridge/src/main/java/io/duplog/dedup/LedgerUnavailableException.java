package io.duplog.dedup;

import org.jspecify.annotations.Nullable;

/** Thrown if a call to Redis fails, or is not even made because earlier calls failed. */
public class LedgerUnavailableException extends Exception {
  private final boolean executed;

  /**
   * @param mayHaveExecuted whether the command may have been executed in spite of the failure, or
   *     may still be executed
   */
  public LedgerUnavailableException(
      String message, @Nullable Throwable cause, boolean mayHaveExecuted) {
    super(message, cause);
    this.executed = mayHaveExecuted;
  }

  /**
   * Whether the command may have been executed in spite of the failure, or may still be executed.
   */
  public final boolean mayHaveExecuted() {
    return executed;
  }
}
