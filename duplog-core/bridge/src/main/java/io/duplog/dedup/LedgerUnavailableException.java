package io.duplog.dedup;

import org.jspecify.annotations.Nullable;

/** Thrown if a call to the ledger's store fails, or is skipped because earlier calls failed. */
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
