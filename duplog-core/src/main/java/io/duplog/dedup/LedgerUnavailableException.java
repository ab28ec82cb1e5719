package io.duplog.dedup;

import org.jspecify.annotations.Nullable;

/** Thrown if the store can't be asked now. The batch is then passed through. */
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
