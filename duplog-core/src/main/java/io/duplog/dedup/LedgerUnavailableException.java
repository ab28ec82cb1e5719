package io.duplog.dedup;

import org.jspecify.annotations.Nullable;

/** The store can't be asked now. Pass the batch through. */
public class LedgerUnavailableException extends Exception {
  private final boolean executed;

  /**
   * @param mayHaveExecuted whether the command may have been, or may yet be, executed all the same
   */
  public LedgerUnavailableException(
      String message, @Nullable Throwable cause, boolean mayHaveExecuted) {
    super(message, cause);
    this.executed = mayHaveExecuted;
  }

  /** Whether the command may have been, or may yet be, executed all the same. */
  public final boolean mayHaveExecuted() {
    return executed;
  }
}
